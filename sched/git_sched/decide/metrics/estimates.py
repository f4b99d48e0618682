"""How long each node will take: as the file says, or filled in from its neighbours and marked as such (rule C1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_sched.decide.dependency_graph import DependencyGraph
    from git_sched.model.graph import Node

Origin = Literal["given", "container", "tokens", "repository", "workspace", "nothing"]
"""Where a node's minutes come from; everything but the first two is filled in."""

ENOUGH: Final = 3
"""How many nodes of a repository must be known before their median speaks for the others."""


class Estimates(NamedTuple):
    """Minutes of every point of a network (openings and containers take 0), and where they come from."""

    minutes: Sequence[float]
    origin: Sequence[Origin]

    def filled(self, node: int) -> bool:
        """Whether the minutes were filled in rather than given."""
        return self.origin[node] not in {"given", "container"}

    def about(self, nodes: Iterable[int]) -> str:
        """Give the word that stands before minutes of which any were filled in."""
        return "about " if any(self.filled(node) for node in nodes) else ""


def estimate(network: DependencyGraph, *, tokens_per_minute: float) -> Estimates:
    """Fill in what is missing from lower medians over the open nodes; the policy's rate is the last resort."""
    known: dict[str | None, list[float]] = {}
    rates: dict[str | None, list[float]] = {}
    for i, node in enumerate(network.nodes):
        if not network.is_open[i] or i in network.opening or node.estimated_minutes is None:
            continue
        for place in {node.repository, None}:
            known.setdefault(place, []).append(node.estimated_minutes)
            if node.estimated_tokens:
                rates.setdefault(place, []).append(node.estimated_tokens / node.estimated_minutes)
    typical = {
        place: lower_median(values) for place, values in known.items() if len(values) >= (ENOUGH if place else 1)
    }
    speed = {place: lower_median(values) for place, values in rates.items() if len(values) >= ENOUGH}
    filled = [_fill(network, i, typical, speed, tokens_per_minute) for i in range(len(network.nodes))]
    minutes = [value for value, _ in filled] + [0.0] * len(network.opening)
    return Estimates(minutes, [origin for _, origin in filled])


def lower_median(values: Sequence[float]) -> float:
    """Give the middle value, the lower one of two."""
    return sorted(values)[(len(values) - 1) // 2]


def _fill(
    network: DependencyGraph,
    i: int,
    typical: Mapping[str | None, float],
    speed: Mapping[str | None, float],
    tokens_per_minute: float,
) -> tuple[float, Origin]:
    node: Node = network.nodes[i]
    if i in network.opening:
        return 0.0, "container"
    if node.estimated_minutes is not None:
        return node.estimated_minutes, "given"
    if node.estimated_tokens:
        return node.estimated_tokens / _local(speed, node.repository, tokens_per_minute), "tokens"
    if node.repository in typical and node.repository is not None:
        return typical[node.repository], "repository"
    return (typical[None], "workspace") if None in typical else (1.0, "nothing")


def _local(values: Mapping[str | None, float], repository: str | None, otherwise: float) -> float:
    return values.get(repository, values.get(None, otherwise))
