"""What a simulation was worth, read from its log."""

from __future__ import annotations

import itertools
import statistics
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.projects import Project
    from benchmarks.simulate import Run

URGENT: Final = 3
"""The priority whose tasks are watched on their own."""


class Measures(NamedTuple):
    """The figures of one project under one decision maker; lower is better in all of them."""

    makespan: float
    """Minutes until the last task is finished."""
    weighted_completion: float
    """Sum over tasks of 2^priority x minutes until it is finished."""
    cold_starts: int
    """How often an agent changed repository; entering its first one is not counted."""
    idle: float
    """Minutes without a task, all agents together, until the last task is finished."""
    urgent_start: float
    """Mean minutes until a task of priority 3 is started; 0 without such a task."""
    urgent_completion: float
    """Mean minutes until a task of priority 3 is finished; 0 without such a task."""


def measure(project: Project, runs: Sequence[Run], *, agents: int) -> Measures:
    """Measure the log of a finished project."""
    task = {one.id: one for one in project.tasks}
    makespan = max(run.end for run in runs)
    urgent = [run for run in runs if task[run.task].priority == URGENT]
    return Measures(
        makespan=makespan,
        weighted_completion=sum(task[run.task].weight * run.end for run in runs),
        cold_starts=_changes(project, runs),
        idle=agents * makespan - sum(run.end - run.start for run in runs),
        urgent_start=_mean([run.start for run in urgent]),
        urgent_completion=_mean([run.end for run in urgent]),
    )


def _changes(project: Project, runs: Sequence[Run]) -> int:
    repository = {task.id: task.repository for task in project.tasks}
    visited: defaultdict[int, list[str]] = defaultdict(list)
    for run in runs:
        visited[run.agent].append(repository[run.task])
    return sum(one != two for stops in visited.values() for one, two in itertools.pairwise(stops))


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else 0.0
