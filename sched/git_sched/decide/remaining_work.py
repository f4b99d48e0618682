"""What must be done before a node can start, and how long that takes at best."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from git_sched.decide.metrics import Metrics


LIMIT: Final = 1_000
"""With more unfinished nodes than this, no forecast is made."""


_ENDLESS: Final = frozenset({"blocked_by_status", "deferred", "unknown_status"})
"""States of which nobody can tell when they end."""


class Remaining(NamedTuple):
    """What must be done before a node can start: the nodes, and the minutes that one agent or two need for them.

    The minutes are ``None`` where nothing is to go, too much is, some can never become ready or nobody can tell when,
    nobody estimated any of it, or the unit is the task.
    """

    nodes: frozenset[int]
    with_one: float | None
    with_two: float | None


def count_remaining(metrics: Metrics, node: int) -> Remaining:
    """Find what must be done before a node can start; nothing for one that is running or finished."""
    waits = metrics.network.is_open[node] and metrics.readiness.state[node] != "running"
    points = _unfinished(metrics, node) if waits else frozenset()
    nodes = frozenset(point for point in points if point < len(metrics.network.nodes))
    one = two = None
    estimated = any(metrics.estimates.own[i] is not None for i in nodes)
    known = (
        metrics.estimates.unit == "minute"
        and estimated
        and _ENDLESS.isdisjoint(metrics.readiness.state[i] for i in nodes)
    )
    if known and 0 < len(nodes) <= LIMIT and metrics.readiness.stuck.isdisjoint(nodes):
        one, two = _makespan(metrics, points, agents=1), _makespan(metrics, points, agents=2)
    return Remaining(nodes, one, two)


def _unfinished(metrics: Metrics, node: int) -> frozenset[int]:
    """Return the unfinished points that a node waits for, directly or not."""
    network = metrics.network
    seen = {node}
    stack = [node]
    while stack:
        for need in network.needs[stack.pop()]:
            if need not in seen and network.is_open[need]:
                seen.add(need)
                stack.append(need)
    return frozenset(seen - {node})


def _makespan(metrics: Metrics, points: frozenset[int], *, agents: int) -> float:
    """Return the minutes of a list schedule of some points by longest remaining path (Graham, 1969)."""
    network, state = metrics.network, metrics.readiness.state
    missing = dict.fromkeys(points, 0)
    behind: dict[int, list[int]] = {p: [] for p in points}
    for p in points:
        if p < len(state) and state[p] == "running":  # it waits for nothing any more, whatever it depends on
            continue
        for need in points.intersection(network.needs[p]):
            behind[need].append(p)
            missing[p] += 1
    startable: list[tuple[float, int]] = []
    for p, number in missing.items():
        if not number:
            heappush(startable, (-metrics.passes.bottom[p], p))
    busy: list[tuple[float, int]] = []
    now = 0.0
    while startable or busy:
        while startable and len(busy) < agents:
            _, p = heappop(startable)
            heappush(busy, (now + metrics.estimates.sizes[p], p))
        now, done = heappop(busy)
        for p in behind[done]:
            missing[p] -= 1
            if not missing[p]:
                heappush(startable, (-metrics.passes.bottom[p], p))
    return now
