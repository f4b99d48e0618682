"""What a decision maker is asked and what it answers.

The shape is that of the shared evaluation lab (schedlab), so that one adapter serves both: all
values are plain JSON. Times are minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NotRequired, TypedDict

Status = Literal["done", "running", "ready", "blocked"]
"""``ready``: every dependency is done. ``blocked``: some are not."""


class TaskRow(TypedDict):
    """A task as a decision maker may see it: the plan, never the true duration."""

    id: str
    status: Status
    estimate: float | None
    """Minutes; None when nobody estimated."""
    priority: int
    """Higher is more urgent."""
    repository: str | None
    depends_on: list[str]
    """All dependencies, finished ones included."""
    created: int
    """Rank in the order of writing, oldest first."""


class AgentRow(TypedDict):
    """An agent, idle when its task is None."""

    id: int
    warm: str | None
    """The repository it worked in last, None before its first task."""
    task: str | None


class Request(TypedDict):
    """The moment of a decision."""

    max: int
    """How many picks can be used at once: the number of idle agents."""
    time: float
    warmup: float
    """Minutes an agent loses when it enters a repository it is not warm in."""
    repo_cap: int | None
    """Most tasks that may run at once in one repository; None: as many as there are agents."""
    history: dict[str, int]
    """Tasks given out so far, by repository."""
    agents: list[AgentRow]
    tasks: list[TaskRow]


class PickRow(TypedDict):
    """A pick that may say who is to do the task."""

    task: str
    agent: NotRequired[int | None]


Pick = str | PickRow
"""The id of a ready task, with or without an agent."""

Decide = Callable[[Request], Sequence[Pick]]
"""A decision maker. The best pick comes first; picks beyond ``max`` are not looked at."""
