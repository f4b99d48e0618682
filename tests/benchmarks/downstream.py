"""What waits behind each open task of a request: the graph quantities that ranking rules use.

Each is one walk over the open tasks, dependents first, that hands a task's value on to the
tasks it waits for. Results are by task id.
"""

from __future__ import annotations

import graphlib
import statistics
from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.request import Request, TaskRow

ENOUGH_KNOWN: Final = 3
"""The median of a repository is used from this many known estimates on."""


def open_tasks(request: Request) -> list[TaskRow]:
    """List the tasks that are not done, each with its open dependencies only."""
    tasks = [task for task in request["tasks"] if task["status"] != "done"]
    still = {task["id"] for task in tasks}
    return [{**task, "depends_on": [one for one in task["depends_on"] if one in still]} for task in tasks]


def dependents_first(tasks: list[TaskRow]) -> Iterator[TaskRow]:
    """Give out the tasks, each after all that wait for it."""
    by_id = {task["id"]: task for task in tasks}
    sorter = graphlib.TopologicalSorter({task["id"]: task["depends_on"] for task in tasks})
    return (by_id[name] for name in reversed(tuple(sorter.static_order())))


def filled_estimates(request: Request) -> dict[str, float]:
    """Minutes of every task: its estimate, else a median, else 1.

    The lower median of the known estimates of its repository where there are three or more,
    else of the whole project.
    """
    known: defaultdict[str | None, list[float]] = defaultdict(list)
    for task in request["tasks"]:
        if task["estimate"] is not None:
            known[task["repository"]].append(task["estimate"])
    everywhere = statistics.median_low([one for some in known.values() for one in some] or [1.0])
    median = {
        repository: statistics.median_low(some) for repository, some in known.items() if len(some) >= ENOUGH_KNOWN
    }
    return {
        task["id"]: median.get(task["repository"], everywhere) if task["estimate"] is None else task["estimate"]
        for task in request["tasks"]
    }


def bottom_levels(request: Request) -> dict[str, float]:
    """Minutes of the longest chain that starts with the task, itself included."""
    minutes = filled_estimates(request)
    tasks = open_tasks(request)
    level = {task["id"]: 0.0 for task in tasks}
    for task in dependents_first(tasks):
        level[task["id"]] += minutes[task["id"]]
        for before in task["depends_on"]:
            level[before] = max(level[before], level[task["id"]])
    return level


def highest_behind(tasks: list[TaskRow], value: Callable[[TaskRow], float]) -> dict[str, float]:
    """Find the largest value among the task and all that waits for it, directly or not."""
    highest = {task["id"]: value(task) for task in tasks}
    for task in dependents_first(tasks):
        for before in task["depends_on"]:
            highest[before] = max(highest[before], highest[task["id"]])
    return highest


def sum_behind(tasks: list[TaskRow], value: Callable[[TaskRow], int]) -> dict[str, int]:
    """Add up the values of the task and of all that is behind it, each task counted once.

    The set behind a task is kept as the bits of one integer, so a union is one operation, and
    the tasks of equal value are counted together.
    """
    behind = {task["id"]: 1 << position for position, task in enumerate(tasks)}
    of_value: defaultdict[int, int] = defaultdict(int)
    for task in tasks:
        of_value[value(task)] |= behind[task["id"]]
    for task in dependents_first(tasks):
        for before in task["depends_on"]:
            behind[before] |= behind[task["id"]]
    return {
        name: sum(each * (bits & members).bit_count() for each, members in of_value.items())
        for name, bits in behind.items()
    }


def blockers(tasks: list[TaskRow]) -> set[str]:
    """Name the tasks that at least one other waits for directly."""
    return {before for task in tasks for before in task["depends_on"]}
