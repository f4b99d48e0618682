"""What no decision maker can beat, not even one that knows the true minutes.

Every agent is cold at the start and every task is in some repository, so no work at all is done
in the first cold start of a project: whatever holds for a project without cold starts holds
from that moment on. Further cold starts only make things worse.
"""

from __future__ import annotations

import graphlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.projects import Project, Task


def makespan(project: Project, *, agents: int) -> float:
    """Minutes the project takes at least: the larger of two bounds.

    The longest chain of dependencies must be done one task after the other; and all the work,
    with one cold start for each repository, is shared by the agents at best evenly.
    """
    chain = project.cold_start + max(_earliest_ends(project).values())
    repositories = len({task.repository for task in project.tasks})
    work = sum(task.minutes for task in project.tasks) + repositories * project.cold_start
    return max(chain, work / agents)


def weighted_completion(project: Project, *, agents: int) -> float:
    """Least possible sum of 2^priority x completion: the larger of two bounds.

    One lets every task end as early as its own chain allows, as if there were an agent for
    each; the other forgets the dependencies and shares the work.
    """
    ends = _earliest_ends(project)
    chains = sum(task.weight * ends[task.id] for task in project.tasks)
    shared = _shared_work(project.tasks, agents)
    waiting = project.cold_start * sum(task.weight for task in project.tasks)
    return waiting + max(chains, shared)


def _earliest_ends(project: Project) -> dict[str, float]:
    """By task, the minutes of the longest chain that ends with it, itself included."""
    task = {one.id: one for one in project.tasks}
    ends: dict[str, float] = {}
    waits = {one.id: one.depends_on for one in project.tasks}
    for name in graphlib.TopologicalSorter(waits).static_order():
        start = max((ends[before] for before in task[name].depends_on), default=0.0)
        ends[name] = start + task[name].minutes
    return ends


def _shared_work(tasks: tuple[Task, ...], agents: int) -> float:
    """Bound for independent tasks on equal machines (Eastman, Even and Isaacs, 1964).

    With M(m) the least sum on m machines, M(m) >= M(1) / m + (m - 1) / (2 m) x sum of weight x
    minutes; M(1) is had by doing the tasks by minutes per weight, smallest first (Smith, 1956).
    """
    clock = alone = 0.0
    for task in sorted(tasks, key=lambda task: task.minutes / task.weight):
        clock += task.minutes
        alone += task.weight * clock
    own = sum(task.weight * task.minutes for task in tasks)
    return alone / agents + (agents - 1) / (2 * agents) * own
