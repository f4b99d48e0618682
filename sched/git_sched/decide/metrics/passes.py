"""What a node gets from those that wait for it: longest remaining path, inherited priority, payoff and latest start.

Each is one pass over the open nodes outside cycles, from last to first, in linear time and without recursion.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.decide.dependency_graph import DependencyGraph
    from git_sched.decide.metrics.estimates import Estimates
    from git_sched.decide.ready.readiness import Readiness

WEIGHT_STEPS = 8
"""The number of priority steps above 0 that double a node's weight."""


Chain = tuple[float, float]
"""The weight of nodes that are done one after another, and their size."""


class Passes(NamedTuple):
    """For each point, what follows from itself and from all that waits for it.

    ``bottom``: size of the longest path that begins with it. ``inherited``: the largest priority among it and
    everything that waits for it. ``chain``: weight and size of the densest chain that begins with it, going on to
    some work where it has none itself (a container, an opening). ``latest``: the last second at which it may start
    so that every due date behind it holds, or ``None``. ``steps`` has the next point of the longest path for those
    that were asked for: paths of many points go on through the same ones.
    """

    bottom: Sequence[float]
    inherited: Sequence[int]
    chain: Sequence[Chain]
    latest: Sequence[float | None]
    steps: dict[int, int]


_LEAST = -(2**62)


def node_weight(priority: int) -> float:
    """Return what finishing a node is worth, 1 to 256: it doubles with each priority step from 0 to 8."""
    return float(2 ** max(0, min(priority, WEIGHT_STEPS)))


def sweep(network: DependencyGraph, readiness: Readiness, estimates: Estimates) -> Passes:
    """Run all four passes in one (bottom level as in list scheduling; chains as in Sidney, 1975, along one path)."""
    minutes = estimates.sizes
    seconds = 60 if estimates.unit == "minute" else 0  # without minutes, none are subtracted from a due date
    size = len(network.is_open)
    count = len(network.nodes)
    bottom = list(minutes)
    inherited = [node.priority for node in network.nodes] + [_LEAST] * (size - count)
    chain = [(node_weight(node.priority), minutes[i]) for i, node in enumerate(network.nodes)]
    chain.extend([(0.0, 0.0)] * (size - count))
    latest: list[float | None] = [
        None if node.due is None else node.due - seconds * minutes[i] for i, node in enumerate(network.nodes)
    ]
    latest.extend([None] * (size - count))
    for point in reversed(readiness.order):
        dependents = readiness.dependents[point]
        if not dependents:
            continue
        bottom[point] += max([bottom[d] for d in dependents])
        inherited[point] = max([inherited[point], *[inherited[d] for d in dependents]])
        chain[point] = _densest(chain[point], [chain[d] for d in dependents])
        limits = [limit for d in dependents if (limit := latest[d]) is not None]
        if limits:
            own = network.nodes[point].due if point < count else None
            latest[point] = min(limits if own is None else [own, *limits]) - seconds * minutes[point]
    return Passes(bottom, inherited, chain, latest, {})


def _densest(alone: Chain, behind: Sequence[Chain]) -> Chain:
    """Give a point alone, or before the best chain behind it where that is denser; no chain ends where no work is."""
    weight, minutes = alone
    longer = max(
        [(weight + w, minutes + p) for w, p in behind], key=lambda chain: (chain[1] > 0, density(chain), chain)
    )
    return longer if not minutes or density(longer) > density(alone) else alone


def density(chain: Chain) -> float:
    """Give weight per minute; a chain without work counts as one minute long."""
    weight, minutes = chain
    return weight / (minutes or 1.0)


def longest_path(passes: Passes, readiness: Readiness, start: int) -> list[int]:
    """Return the nodes of the longest path that begins with a node, of equal ones the first by id. No openings."""
    path, point = [], start
    while True:
        if point < len(readiness.network.nodes):
            path.append(point)
        behind = readiness.dependents[point]
        if not behind:
            return path
        if point not in passes.steps:
            passes.steps[point] = min(behind, key=lambda d: (-passes.bottom[d], d))
        point = passes.steps[point]


def heir(passes: Passes, readiness: Readiness, start: int) -> tuple[int, int]:
    """Return the nearest node whose priority a node inherits, and its distance in steps (0: the node itself)."""
    network = readiness.network
    wanted = passes.inherited[start]
    steps = {start: 0}
    queue = deque([start])
    while True:  # an inherited priority is always that of some node
        point = queue.popleft()
        if point < len(network.nodes) and network.nodes[point].priority == wanted:
            return point, steps[point]
        for dependent in sorted(readiness.dependents[point]):
            if passes.inherited[dependent] == wanted and dependent not in steps:
                is_opening = dependent in network.container
                steps[dependent] = steps[point] + (not is_opening)
                (queue.appendleft if is_opening else queue.append)(dependent)


def followers(readiness: Readiness, start: int, *, limit: int) -> int:
    """Count the nodes that wait for a node, directly or not, at most ``limit`` + 1. Running nodes no longer wait."""
    network, state = readiness.network, readiness.state
    seen = {start}
    stack = [start]
    count = 0
    while stack:
        for dependent in readiness.dependents[stack.pop()]:
            if dependent in seen or (dependent < len(state) and state[dependent] == "running"):
                continue
            seen.add(dependent)
            stack.append(dependent)
            count += dependent not in network.container
            if count > limit:
                return count
    return count
