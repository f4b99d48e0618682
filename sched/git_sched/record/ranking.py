"""The rows and counts of an answer: what is ready, held, running and blocked."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.task import TaskRecord


class FactorRecord(Record):
    """One row of a score: weight x rating = points; the score is the sum of the points."""

    factor: str
    """Name of the factor, or ``merge_pressure`` for the penalty of a long merge queue."""
    weight: float
    """The factor's weight for this task's graph; for ``merge_pressure`` the penalty."""
    rating: float
    """How strongly the factor favors the task, 0 to 1; for ``priority`` the integer, for ``merge_pressure`` -1."""
    points: float
    """Weight x rating, rounded half to even at six decimals."""
    known: bool
    """False where the factor depends on a signal that is unknown; it then adds nothing."""
    why: str
    """Where the rating comes from, in one phrase."""


class CountsRecord(Record):
    """How many tasks are in which state. open = ready + running + blocked; ``in_error`` comes on top of these."""

    nodes: int
    """Tasks that were read, those in error included."""
    open: int
    """Tasks still to do."""
    ready: int
    """Tasks that can start now, held ones included."""
    picked: int
    """Ready tasks that this answer picks."""
    lower_ranked: int
    """Ready tasks that could have been picked and rank below the picks."""
    held: int
    """Ready tasks that a gate keeps back."""
    skipped: int
    """Ready tasks that are skipped for merge pressure."""
    running: int
    """Tasks in progress."""
    blocked: int
    """Open tasks that are neither ready nor running."""
    completed: int
    """Tasks that are completed."""
    cancelled: int
    """Tasks that are cancelled."""
    in_error: int
    """Tasks that cannot be used until their file is fixed."""
    graphs: int
    """Graphs that were read."""


class RunningRecord(TaskRecord):
    """A task in progress."""

    agent_id: str | None
    """The agent that works on it; ``null`` where none is named."""


class BlockedRecord(TaskRecord):
    """An open task that cannot start yet."""

    state: str
    """The first reason that applies, such as ``waits_for`` or ``unknown_dependency``."""
    why: str
    """That reason in words."""


class WaitingRecord(Record):
    """Blocked tasks that wait for the same things."""

    nodes: list[str]
    """Full names of the first few."""
    titles: list[str]
    """Their titles, in the same order."""
    more: int
    """How many further tasks wait for the same."""
    why: str
    """What they wait for, in words."""
    waits_for: list[str]
    """Full names of the first few tasks that they wait for directly."""
    kind: str
    """The reason they share; empty for those that wait for tasks which wait themselves."""


class HeldRecord(TaskRecord):
    """A ready task that a gate keeps back."""

    score: float
    """Its score."""
    gate: str
    """The gate: limits, assigned_to, redispatch, collision, budget or merge_pressure."""
    limit: str
    """Name of the policy's setting, where the gate is one."""
    value: float
    """Value of that setting; 0 where there is none."""
    by: list[str]
    """Names of the tasks, agents or repositories that fill the gate."""
    at_path: str
    """For a collision: a file that both would change."""
    until: str | None
    """When the hold ends by itself; ``null`` where it does not."""
    why: str
    """Why it is held, in one phrase."""


class RankedRecord(TaskRecord):
    """A ready task in the ranking before the first pick."""

    score: float
    """The sum of its factors' points."""
    state: Literal["picked", "lower-ranked", "held", "skipped"]
    """Whether this answer picks it, and if not, why not."""
    factors: list[FactorRecord]
    """The rows that its score is the sum of."""
    note: str
    """What speaks against it now, such as a long merge queue; empty where nothing does."""
