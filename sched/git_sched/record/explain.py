"""The record of ``explain``: why a task is or is not next, and what would change that."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.basis import BasisRecord, ProblemRecord
from git_sched.record.ranking import FactorRecord, HeldRecord
from git_sched.record.task import EstimatesRecord, TaskRecord, TotalRecord


class ReasonRecord(Record):
    """One reason why a task is not ready."""

    kind: str
    """The reason, such as ``waits_for`` or ``cycle``."""
    nodes: list[str]
    """Full names of the tasks that the reason is about."""
    text: str
    """The reason in words."""


class StepRecord(Record):
    """A task that another waits for or collides with, and its state."""

    name: str
    """Its full name."""
    title: str
    """Its title."""
    state: str
    """ready, running, or the reason why it is not ready."""
    text: str
    """Its state in words."""


class ScaleRecord(Record):
    """The largest value that a factor's ratings are divided by, and the task that has it."""

    factor: str
    """Name of the factor."""
    text: str
    """The value, in words."""
    node: str | None
    """Full name of the ready task that has it."""


class ChangeRecord(Record):
    """A change that alone would bring the task first."""

    change: Literal["checked_out", "in_agent_pool", "merge_queue_empty"]
    """An agent has its repository checked out; or one that has belongs to the agent pool; or no merges are queued."""
    repository: str
    """The repository that changes."""
    points: float
    """The points that the task would gain."""


class ExplanationRecord(TaskRecord):
    """The answer of ``explain``."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["explanation"]
    """What kind of record this is."""
    node: str
    """Full name of the task."""
    for_agents: list[str]
    """The agents that it is explained for, in the order given; empty for anybody."""
    qualified: bool
    """Whether ids are written as graph/node in texts, since more than one graph has open tasks."""
    path: str
    """The file it is written in, relative to the workspace."""
    line: int | None
    """The line of that file where it begins, from 1; ``null`` where it is unknown."""
    state: str
    """ready, held, skipped, running, completed, cancelled, in_error or the reason shown first."""
    rank: int | None
    """Its rank among the ready tasks that are neither held nor skipped, from 1; ``null`` for all other tasks."""
    of: int
    """The number of these tasks."""
    score: float | None
    """Its score; ``null`` where it is not ready."""
    behind: str | None
    """Full name of the task that ranks just before it."""
    behind_score: float | None
    """The score of that task."""
    warm: bool
    """Whether whoever would get it has its repository checked out, or works there."""
    warm_agent: str | None
    """The agent whose worktree that is, where one is named."""
    factors: list[FactorRecord]
    """The rows that its score is the sum of; empty where it is not ready."""
    idle_factors: list[str]
    """Factors that rate every ready task 0, or depend on an unknown signal; texts leave their rows out."""
    scales: list[ScaleRecord]
    """The largest values that ratings are divided by."""
    held: HeldRecord | None
    """What keeps it back, where it is ready and held."""
    paths: list[str]
    """Patterns of the files it will change."""
    collides_with: list[StepRecord]
    """If held by a collision: the tasks that change the same files."""
    free_again_when: list[str]
    """If held: full names of the tasks after whose end it is free; empty where their end is not enough."""
    also: list[ReasonRecord]
    """All reasons why it is not ready; the first is the one that is shown."""
    waits_for: list[StepRecord]
    """The unfinished tasks it depends on directly, and its own unfinished parts."""
    to_go: TotalRecord
    """All unfinished tasks that have to be done before it."""
    minutes_with_one: float | None
    """Minutes until it can start, with one agent; ``null`` where that is unknown."""
    minutes_with_two: float | None
    """The same with two agents."""
    would_come_first_if: ChangeRecord | None
    """A single change that would bring it first; ``null`` where there is none."""
    frees: list[str]
    """Full names of the tasks that can start once it is finished."""
    frees_later: int
    """How many more wait for it, for those, or for others as well."""
    estimates: EstimatesRecord
    """The unit of sizes, and how much of the open work is estimated."""
    basis: BasisRecord
    """What the answer was computed from."""
    problems: list[ProblemRecord]
    """What is wrong with this task."""
