"""The record of ``explain``: where one node stands."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.parts import BasisRecord, FactorRecord, HeldRecord, ProblemRecord


class ReasonRecord(Record):
    """One reason why a node is not ready."""

    kind: str
    nodes: list[str]
    text: str


class StepRecord(Record):
    """A node that another waits for, and how far that one is."""

    name: str
    state: str
    text: str


class ScaleRecord(Record):
    """What a factor's ratings are measured against, and the node it comes from."""

    factor: str
    text: str
    node: str | None


class ExplanationRecord(Record):
    """The answer of ``explain``."""

    schema_version: Literal[1]
    kind: Literal["explanation"]
    node: str
    title: str
    state: str
    """ready, held, skipped, running, completed, cancelled, in_error or the reason shown first."""
    rank: int | None
    of: int
    score: float | None
    behind: str | None
    behind_score: float | None
    repository: str | None
    warm: bool
    warm_agent: str | None
    minutes: float
    minutes_filled: bool
    assigned_to: str | None
    factors: list[FactorRecord]
    scales: list[ScaleRecord]
    held: HeldRecord | None
    free_again_when: list[str]
    """The tasks that keep it back: once all of them are finished, it is no longer held. Empty where that is not so."""
    paths: list[str]
    collides_with: list[StepRecord]
    """What touches the same files, where that is why it is held."""
    also: list[ReasonRecord]
    """All that apply; the first is the one that is shown."""
    waits_for: list[StepRecord]
    tasks_to_go: int
    minutes_with_one: float | None
    minutes_with_two: float | None
    minutes_to_go_filled: bool
    """Whether any of the minutes to go were filled in rather than given."""
    would_win_by: str
    frees: list[str]
    """What may begin once this node is finished."""
    frees_later: int
    """How many more wait for it, for those or for others as well."""
    basis: BasisRecord
    problems: list[ProblemRecord]
