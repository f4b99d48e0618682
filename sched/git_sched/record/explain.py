"""The record of ``explain``: where one task is, and what would change that."""

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
    """Full names of the tasks it speaks of."""
    text: str
    """The reason in words."""


class StepRecord(Record):
    """A task that another waits for or collides with, and how far that one is."""

    name: str
    """Its full name."""
    title: str
    """Its title."""
    state: str
    """ready, running, or the reason why it is not ready."""
    text: str
    """How far it is, in words."""


class ScaleRecord(Record):
    """What a factor's ratings are measured against, and the task it comes from."""

    factor: str
    """Name of the factor."""
    text: str
    """The measure, in words."""
    node: str | None
    """Full name of the ready task that has it."""


class ChangeRecord(Record):
    """A change that alone would bring the task first."""

    change: Literal["checked_out", "merge_queue_empty"]
    """Somebody has its repository checked out; or no merges are queued there."""
    repository: str
    """The repository that changes."""
    points: float
    """What the task would gain."""


class ExplanationRecord(TaskRecord):
    """The answer of ``explain``."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["explanation"]
    """What kind of record this is."""
    node: str
    """Full name of the task."""
    qualified: bool
    """Whether ids are written as graph/node in texts, since more than one graph has open tasks."""
    path: str
    """The file it is written in, relative to the workspace."""
    line: int | None
    """The line of that file where it begins, from 1; ``null`` where that cannot be told."""
    state: str
    """ready, held, skipped, running, completed, cancelled, in_error or the reason shown first."""
    rank: int | None
    """Its place among the ready tasks that are neither held nor skipped, from 1; ``null`` where it is none of them."""
    of: int
    """How many those are."""
    score: float | None
    """What it scores; ``null`` where it is not ready."""
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
    """Factors that rate every ready task 0, or depend on what nobody knows; texts leave their rows out."""
    scales: list[ScaleRecord]
    """What ratings are measured against."""
    held: HeldRecord | None
    """What keeps it back, where it is ready and held."""
    paths: list[str]
    """Patterns of the files it will change."""
    collides_with: list[StepRecord]
    """Where it is held by a collision: the tasks that change the same files."""
    free_again_when: list[str]
    """Where it is held: full names of the tasks that must all end before it is free; empty where that is not enough."""
    also: list[ReasonRecord]
    """All reasons why it is not ready; the first is the one that is shown."""
    waits_for: list[StepRecord]
    """The unfinished tasks it depends on directly, and its own unfinished parts."""
    to_go: TotalRecord
    """All unfinished tasks that have to be done before it."""
    minutes_with_one: float | None
    """Minutes until it may start with one agent; ``null`` where that cannot be told."""
    minutes_with_two: float | None
    """The same with two agents."""
    would_come_first_if: ChangeRecord | None
    """A single change that would bring it first; ``null`` where no simple one would."""
    frees: list[str]
    """Full names of the tasks that may start once it is finished."""
    frees_later: int
    """How many more wait for it, for those, or for others as well."""
    estimates: EstimatesRecord
    """What sizes are counted in, and how much of the open work somebody estimated."""
    basis: BasisRecord
    """What the answer was computed from."""
    problems: list[ProblemRecord]
    """What is wrong with this task."""
