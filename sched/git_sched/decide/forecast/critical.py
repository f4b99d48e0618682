"""The critical path of a schedule, and the longest chain of dependencies, which no number of agents makes shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from git_sched.decide.forecast.schedule import Schedule
    from git_sched.decide.metrics import Metrics

After = Literal["start", "dependency", "agent", "room", "hold"]
"""Why an assignment starts no earlier: it starts now; it waits for a dependency, its agent or a gate; a hold ends."""


class CriticalStep(NamedTuple):
    """An assignment on the critical path, by number, and why it starts no earlier than it does."""

    assignment: int
    after: After


def find_critical_path(metrics: Metrics, schedule: Schedule) -> tuple[CriticalStep, ...]:
    """Find the critical path, the first step first: each starts when the one before it ends."""
    assignments = schedule.assignments
    if not assignments:
        return ()
    causes = _causes(metrics, schedule)
    steps: list[CriticalStep] = []
    at: int | None = max(range(len(assignments)), key=lambda n: (assignments[n].end, -n))
    while at is not None:
        before, after = causes[at]
        steps.append(CriticalStep(at, after))
        at = before
    return tuple(reversed(steps))


def _causes(metrics: Metrics, schedule: Schedule) -> list[tuple[int | None, After]]:
    """Find, for each assignment, an earlier one that ends when it starts, and why it starts no earlier."""
    ended = _ended(metrics, schedule)
    ends: dict[float, int] = {}
    latest: dict[int, int] = {}
    causes: list[tuple[int | None, After]] = []
    for n, assignment in enumerate(schedule.assignments):
        needs = [ended[need] for need in metrics.network.needs[assignment.node] if need in ended]
        before = latest.get(assignment.agent)
        if not assignment.start:
            causes.append((None, "start"))
        elif needs and max(needs)[0] == assignment.start:
            causes.append((max(needs)[1], "dependency"))
        elif before is not None and schedule.assignments[before].end == assignment.start:
            causes.append((before, "agent"))
        else:
            causes.append((ends[assignment.start], "room") if assignment.start in ends else (None, "hold"))
        ends.setdefault(assignment.end, n)
        latest[assignment.agent] = n
    return causes


def _ended(metrics: Metrics, schedule: Schedule) -> dict[int, tuple[float, int]]:
    """Find, for each point that a schedule finishes, the minute and the assignment that finishes it (-1: none)."""
    number = {assignment.node: n for n, assignment in enumerate(schedule.assignments)}
    ended: dict[int, tuple[float, int]] = {}
    for point in metrics.readiness.order:
        if point in number:
            ended[point] = (schedule.assignments[number[point]].end, number[point])
        elif point in schedule.done:
            ended[point] = max(
                [ended[need] for need in metrics.network.needs[point] if need in ended], default=(0.0, -1)
            )
    return ended


def find_longest_chain(metrics: Metrics, schedule: Schedule) -> tuple[float, list[int]]:
    """Find the longest path through what a schedule finishes: its size and its nodes, in order.

    No number of agents is faster. The size is in the unit of the estimates and has no cold start in it. A node that is
    running waits for nothing any more, whatever it depends on.
    """
    sizes = {a.node: a.end if a.running else metrics.estimates.sizes[a.node] for a in schedule.assignments}
    running = {a.node for a in schedule.assignments if a.running}
    ends: dict[int, float] = {}
    before: dict[int, int | None] = {}
    for point in metrics.readiness.order:
        if point in schedule.done:
            needs = [] if point in running else [need for need in metrics.network.needs[point] if need in ends]
            before[point] = max(needs, key=lambda need: (ends[need], -need), default=None)
            ends[point] = max((ends[need] for need in needs), default=0.0) + sizes.get(point, 0.0)
    last = max(ends, key=lambda point: (ends[point], -point), default=None)
    longest = 0.0 if last is None else ends[last]
    chain: list[int] = []
    while last is not None:
        if last in sizes:
            chain.append(last)
        last = before[last]
    return longest, chain[::-1]
