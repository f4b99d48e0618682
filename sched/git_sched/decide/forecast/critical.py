"""What the end of a schedule hangs on, step by step, and the least minutes that any number of agents would take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from git_sched.decide.forecast.schedule import Schedule
    from git_sched.decide.metrics import Metrics

After = Literal["start", "dependency", "agent", "room", "hold"]
"""Why an assignment starts no earlier: it starts at once; waited for a dependency, its agent or a gate; a hold ends."""


class CriticalStep(NamedTuple):
    """A assignment on the chain that the end hangs on, by number, and why it begins no earlier than it does."""

    assignment: int
    after: After


def find_critical_path(metrics: Metrics, schedule: Schedule) -> tuple[CriticalStep, ...]:
    """Give what the end hangs on, the first step first: each begins when the one before it ends."""
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
    """Give, for each assignment, an earlier one that ends where it begins, and why it begins no earlier."""
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
    """Give, for each point that a schedule finishes, the minute and the assignment that finishes it; -1 is none."""
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


def find_least_minutes(metrics: Metrics, schedule: Schedule) -> float:
    """Give the minutes below which no number of agents ends: the longest path, without any cold start."""
    length = {s.node: s.end if s.running else metrics.estimates.minutes[s.node] for s in schedule.assignments}
    early: dict[int, float] = {}
    for point in metrics.readiness.order:
        if point in schedule.done:
            needs = [early[need] for need in metrics.network.needs[point] if need in early]
            early[point] = max(needs, default=0.0) + length.get(point, 0.0)
    return max(early.values(), default=0.0)
