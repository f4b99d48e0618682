"""What the end of a schedule hangs on, step by step, and the least minutes that any number of agents would take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from git_sched.decide.forecast.schedule import Schedule
    from git_sched.decide.metrics import Survey

After = Literal["start", "dependency", "agent", "room", "hold"]
"""Why a stint begins no earlier: it begins at once; a dependency, its agent or a gate was not free; a hold ended."""


class Step(NamedTuple):
    """A stint on the chain that the end hangs on, by number, and why it begins no earlier than it does."""

    stint: int
    after: After


def chain(survey: Survey, schedule: Schedule) -> tuple[Step, ...]:
    """Give what the end hangs on, the first step first: each begins when the one before it ends."""
    stints = schedule.stints
    if not stints:
        return ()
    causes = _causes(survey, schedule)
    steps: list[Step] = []
    at: int | None = max(range(len(stints)), key=lambda n: (stints[n].end, -n))
    while at is not None:
        before, after = causes[at]
        steps.append(Step(at, after))
        at = before
    return tuple(reversed(steps))


def _causes(survey: Survey, schedule: Schedule) -> list[tuple[int | None, After]]:
    """Give, for each stint, an earlier one that ends where it begins, and why it begins no earlier."""
    ended = _ended(survey, schedule)
    ends: dict[float, int] = {}
    latest: dict[int, int] = {}
    causes: list[tuple[int | None, After]] = []
    for n, stint in enumerate(schedule.stints):
        needs = [ended[need] for need in survey.network.needs[stint.node] if need in ended]
        before = latest.get(stint.agent)
        if not stint.start:
            causes.append((None, "start"))
        elif needs and max(needs)[0] == stint.start:
            causes.append((max(needs)[1], "dependency"))
        elif before is not None and schedule.stints[before].end == stint.start:
            causes.append((before, "agent"))
        else:
            causes.append((ends[stint.start], "room") if stint.start in ends else (None, "hold"))
        ends.setdefault(stint.end, n)
        latest[stint.agent] = n
    return causes


def _ended(survey: Survey, schedule: Schedule) -> dict[int, tuple[float, int]]:
    """Give, for each point that a schedule finishes, the minute and the stint that finishes it; -1 is none."""
    number = {stint.node: n for n, stint in enumerate(schedule.stints)}
    ended: dict[int, tuple[float, int]] = {}
    for point in survey.readiness.order:
        if point in number:
            ended[point] = (schedule.stints[number[point]].end, number[point])
        elif point in schedule.done:
            ended[point] = max(
                [ended[need] for need in survey.network.needs[point] if need in ended], default=(0.0, -1)
            )
    return ended


def shortest(survey: Survey, schedule: Schedule) -> float:
    """Give the minutes below which no number of agents ends: the longest path, without any cold start."""
    length = {s.node: s.end if s.running else survey.estimates.minutes[s.node] for s in schedule.stints}
    early: dict[int, float] = {}
    for point in survey.readiness.order:
        if point in schedule.done:
            needs = [early[need] for need in survey.network.needs[point] if need in early]
            early[point] = max(needs, default=0.0) + length.get(point, 0.0)
    return max(early.values(), default=0.0)
