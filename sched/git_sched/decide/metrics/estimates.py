"""The size of each node, from its file or filled in for calculations; an answer has one unit, minutes or tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_sched.decide.dependency_graph import DependencyGraph
    from git_sched.model.graph import Node

Unit = Literal["minute", "task"]
"""The unit of sizes: tasks where fewer than half of the open nodes have a size of their own."""

Source = Literal["minutes", "tokens"]
"""The estimate in the file that a node's own size comes from."""

ENOUGH: Final = 3
"""How many nodes of a repository need a size before their median is used for the others."""


class Total(NamedTuple):
    """A sum over nodes: how many tasks, how many have a size of their own, and the minutes where these are the unit."""

    tasks: int
    estimated: int
    minutes: float | None


class Estimates(NamedTuple):
    """The size of every point of a network; openings and containers have size 0.

    ``sizes`` are in ``unit``, with missing ones filled in, for ratings and simulations only. ``own`` is the size that
    the file gives, in minutes, or ``None``; ``sources`` says which estimate it comes from.
    """

    unit: Unit
    sizes: Sequence[float]
    own: Sequence[float | None]
    sources: Sequence[Source | None]
    containers: frozenset[int]

    def total(self, nodes: Iterable[int], *, size: float | None = None) -> Total:
        """Sum up nodes, without containers; ``size`` replaces the sum of their sizes."""
        counted = [node for node in nodes if node not in self.containers]
        minutes = sum(self.sizes[node] for node in counted) if size is None else size
        estimated = sum(self.own[node] is not None for node in counted)
        return Total(len(counted), estimated, minutes if self.unit == "minute" else None)

    def is_assumed(self, node: int) -> bool:
        """Whether a node's size was filled in because its file gives none."""
        return self.own[node] is None and node not in self.containers


def estimate(network: DependencyGraph, *, tokens_per_minute: float) -> Estimates:
    """Choose the unit of an answer, and fill in missing sizes from lower medians over the open nodes.

    ``tokens_per_minute`` (more than 0) is used where too few nodes give both tokens and minutes.
    """
    known, rates = _known(network)
    typical = {
        place: lower_median(values) for place, values in known.items() if len(values) >= (ENOUGH if place else 1)
    }
    speed = {place: lower_median(values) for place, values in rates.items() if len(values) >= ENOUGH}
    given = [_own(network, i, speed, tokens_per_minute) for i in range(len(network.nodes))]
    tasks = [i for i in range(len(network.nodes)) if network.is_open[i] and i not in network.opening]
    own = [size for size, _ in given]
    unit: Unit = "minute" if tasks and 2 * sum(own[i] is not None for i in tasks) >= len(tasks) else "task"
    sizes = [0.0 if i in network.opening else _size(network.nodes[i], own[i], typical, unit) for i in range(len(own))]
    sizes += [0.0] * len(network.opening)
    return Estimates(unit, sizes, own, [source for _, source in given], frozenset(network.opening))


def lower_median(values: Sequence[float]) -> float:
    """Return the middle value, of two the lower one. There must be at least one value."""
    return sorted(values)[(len(values) - 1) // 2]


def _known(network: DependencyGraph) -> tuple[dict[str | None, list[float]], dict[str | None, list[float]]]:
    """Collect minutes, and tokens per minute, of open nodes by repository; under ``None`` those of all."""
    minutes: dict[str | None, list[float]] = {}
    rates: dict[str | None, list[float]] = {}
    for i, node in enumerate(network.nodes):
        if not network.is_open[i] or i in network.opening or node.estimated_minutes is None:
            continue
        for place in {node.repository, None}:
            minutes.setdefault(place, []).append(node.estimated_minutes)
            if node.estimated_tokens:
                rates.setdefault(place, []).append(node.estimated_tokens / node.estimated_minutes)
    return minutes, rates


def _own(
    network: DependencyGraph, i: int, speed: Mapping[str | None, float], tokens_per_minute: float
) -> tuple[float | None, Source | None]:
    """Return the minutes that the file gives a node, and from which estimate; tokens are converted to minutes."""
    node = network.nodes[i]
    if i in network.opening:
        return None, None
    if node.estimated_minutes is not None:
        return node.estimated_minutes, "minutes"
    if node.estimated_tokens:
        return node.estimated_tokens / speed.get(node.repository, speed.get(None, tokens_per_minute)), "tokens"
    return None, None


def _size(node: Node, own: float | None, typical: Mapping[str | None, float], unit: Unit) -> float:
    if unit == "task":
        return 1.0
    return typical.get(node.repository, typical.get(None, 1.0)) if own is None else own
