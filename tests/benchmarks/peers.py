"""The ranking rules of the tools people use today, and a few plain ones to compare with.

Written from what is known of each tool's documented order. Every rule returns all ready tasks,
best first, and names no agent: none of these tools thinks of one. Due dates, tags, age in days
and half-done tasks are not part of the lab, so the terms for them are left out. The priority 0
to 3 of the lab stands for "none" or "low" up to the highest level the tool has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchmarks.downstream import blockers, bottom_levels, highest_behind, open_tasks, sum_behind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.request import Decide, Pick, Request, TaskRow

Key = tuple[float | int | str, ...]

METAGIT_AFFINITY: Final = 0.5
METAGIT_COST: Final = 0.25
METAGIT_TOKENS_PER_MINUTE: Final = 500
METAGIT_UNKNOWN_TOKENS: Final = 1000.0

TASKWARRIOR_PRIORITY: Final = (0.0, 1.8, 3.9, 6.0)
"""Urgency coefficients of no priority, L, M and H."""

TASKWARRIOR_BLOCKING: Final = 8.0
"""Urgency coefficient of a task that others wait for."""


def _ranked(request: Request, key: Callable[[TaskRow], Key]) -> list[Pick]:
    ready = (task for task in request["tasks"] if task["status"] == "ready")
    return [task["id"] for task in sorted(ready, key=key)]


def fifo(request: Request) -> list[Pick]:
    """First written, first done."""
    return _ranked(request, lambda task: (task["created"],))


def by_id(request: Request) -> list[Pick]:
    """By id. Ids are shuffled, so this is what an arbitrary order gives."""
    return _ranked(request, lambda task: (task["id"],))


def priority(request: Request) -> list[Pick]:
    """Highest priority, then id."""
    return _ranked(request, lambda task: (-task["priority"], task["id"]))


def metagit(request: Request) -> list[Pick]:
    """RFC-0012, metagit's: priority + 0.5 x affinity + 0.25 x cost; fewer tokens; id.

    Affinity is 1 where any agent is warm in the repository. Cost is 1 / (1 + tokens / 1000),
    with 500 tokens to the estimated minute and 1 000 for an unknown estimate.
    """
    warm = {agent["warm"] for agent in request["agents"]} - {None}

    def key(task: TaskRow) -> Key:
        tokens = _tokens(task["estimate"])
        affinity = METAGIT_AFFINITY * (task["repository"] in warm)
        cost = METAGIT_COST / (1 + tokens / 1000)
        return -round(task["priority"] + affinity + cost, 6), tokens, task["id"]

    return _ranked(request, key)


def _tokens(estimate: float | None) -> float:
    return METAGIT_UNKNOWN_TOKENS if estimate is None else estimate * METAGIT_TOKENS_PER_MINUTE


def task_master(request: Request) -> list[Pick]:
    """Task Master's ``next``: priority, then fewer dependencies, then id.

    Its four levels (low, medium, high, critical) are the lab's 0 to 3.
    """
    return _ranked(request, lambda task: (-task["priority"], len(task["depends_on"]), task["id"]))


def beads_priority(request: Request) -> list[Pick]:
    """Beads, sort policy ``priority``: priority, then newest first."""
    return _ranked(request, lambda task: (-task["priority"], -task["created"], task["id"]))


def beads_hybrid(request: Request) -> list[Pick]:
    """Beads, sort policy ``hybrid``: priority, then oldest first.

    The rule treats issues older than two days differently; here all are recent.
    """
    return _ranked(request, lambda task: (-task["priority"], task["created"], task["id"]))


def taskwarrior(request: Request) -> list[Pick]:
    """Taskwarrior's urgency: priority H 6.0, M 3.9, L 1.8, plus 8.0 when others wait for it.

    Ties, which the tool leaves open, go to the oldest.
    """
    blocking = blockers(request["tasks"])
    urgency = {task["id"]: _urgency(task, blocking) for task in request["tasks"]}
    return _ranked(request, lambda task: (-urgency[task["id"]], task["created"]))


def taskwarrior_inherit(request: Request) -> list[Pick]:
    """Taskwarrior with ``urgency.inherit``: at least the urgency of anything that waits for it."""
    tasks = open_tasks(request)
    blocking = blockers(tasks)
    urgency = highest_behind(tasks, lambda task: _urgency(task, blocking))
    return _ranked(request, lambda task: (-urgency[task["id"]], task["created"]))


def _urgency(task: TaskRow, blocking: set[str]) -> float:
    own = TASKWARRIOR_PRIORITY[task["priority"]]
    return own + (TASKWARRIOR_BLOCKING if task["id"] in blocking else 0.0)


def airflow(request: Request) -> list[Pick]:
    """Airflow's weight rule ``downstream``: own weight plus that of all descendants; id.

    A weight is 1 + priority: 1 is what Airflow gives a task without one.
    """
    weight = sum_behind(open_tasks(request), lambda task: 1 + task["priority"])
    return _ranked(request, lambda task: (-weight[task["id"]], task["id"]))


def bottom_level(request: Request) -> list[Pick]:
    """Longest remaining chain first: the classical rule for makespan, blind to priority."""
    level = bottom_levels(request)
    return _ranked(request, lambda task: (-level[task["id"]], task["id"]))


PEERS: Final[Mapping[str, Decide]] = {
    "metagit": metagit,
    "Task Master": task_master,
    "beads, priority": beads_priority,
    "beads, hybrid": beads_hybrid,
    "Taskwarrior": taskwarrior,
    "Taskwarrior, inherit": taskwarrior_inherit,
    "Airflow, downstream": airflow,
}
"""The tools' rules, by the name the table shows."""

REFERENCES: Final[Mapping[str, Decide]] = {
    "by id": by_id,
    "first written": fifo,
    "priority": priority,
    "bottom level": bottom_level,
}
"""Plain rules that no tool is proud of, and the one of the textbooks."""
