"""What is still to go before a node may start, and how long that takes at best."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from git_sched.decide.metrics import Survey


LIMIT: Final = 1_000
"""Beyond this many unfinished nodes no forecast is made."""


class ToGo(NamedTuple):
    """What is to go before a node may start: how many nodes, and the minutes one agent or two need for them.

    The minutes are ``None`` where nothing is to go, too much is, or some of it can never become ready; ``filled`` says
    whether any of them were filled in rather than given.
    """

    tasks: int
    with_one: float | None
    with_two: float | None
    filled: bool


def to_go(survey: Survey, node: int) -> ToGo:
    """Work out what is to go before a node; nothing for one that runs already, or is finished."""
    waits = survey.network.is_open[node] and survey.readiness.state[node] != "running"
    points = _unfinished(survey, node) if waits else frozenset()
    nodes = frozenset(point for point in points if point < len(survey.network.nodes))
    one = two = None
    if 0 < len(nodes) <= LIMIT and survey.readiness.doomed.isdisjoint(nodes):
        one, two = _makespan(survey, points, agents=1), _makespan(survey, points, agents=2)
    return ToGo(len(nodes), one, two, any(map(survey.estimates.filled, nodes)))


def _unfinished(survey: Survey, node: int) -> frozenset[int]:
    """Give the unfinished points a node waits for, directly or not."""
    network = survey.network
    seen = {node}
    stack = [node]
    while stack:
        for need in network.needs[stack.pop()]:
            if need not in seen and network.is_open[need]:
                seen.add(need)
                stack.append(need)
    return frozenset(seen - {node})


def _makespan(survey: Survey, points: frozenset[int], *, agents: int) -> float:
    """Give the minutes a list schedule by longest remaining path takes for some points (Graham, 1969)."""
    network, state = survey.network, survey.readiness.state
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
            heappush(startable, (-survey.passes.bottom[p], p))
    busy: list[tuple[float, int]] = []
    now = 0.0
    while startable or busy:
        while startable and len(busy) < agents:
            _, p = heappop(startable)
            heappush(busy, (now + survey.estimates.minutes[p], p))
        now, done = heappop(busy)
        for p in behind[done]:
            missing[p] -= 1
            if not missing[p]:
                heappush(startable, (-survey.passes.bottom[p], p))
    return now
