"""The records of ``status`` and ``check``."""

from __future__ import annotations

from typing import Literal, TypedDict

from git_sched.record.parts import (
    BasisRecord,
    CountsRecord,
    HeldRecord,
    ProblemRecord,
    RankedRecord,
    RunningRecord,
    SignalsRecord,
    WaitingRecord,
)


class SourceRecord(TypedDict):
    """A task file, or folder of them, that was read."""

    path: str
    format: str
    graph_ids: list[str]
    nodes: int
    open: int


class StatusRecord(TypedDict):
    """The answer of ``status``."""

    schema_version: Literal[1]
    kind: Literal["status"]
    outcome: str
    policy: dict[str, object]
    basis: BasisRecord
    sources: list[SourceRecord]
    ready_count: int
    counts: CountsRecord
    blocked: dict[str, int]
    ranking: list[RankedRecord]
    held: list[HeldRecord]
    running: list[RunningRecord]
    running_by_agent: dict[str, int]
    running_by_repository: dict[str, int]
    waiting: list[WaitingRecord]
    signals: SignalsRecord
    merge_pressure: dict[str, int]
    recent_decisions: list[dict[str, object]]
    """The last ten, newest first, as they stand in the log."""
    problems: list[ProblemRecord]


class CheckRecord(TypedDict):
    """The answer of ``check``."""

    schema_version: Literal[1]
    kind: Literal["check"]
    graphs: int
    nodes: int
    policies: int
    problems: list[ProblemRecord]
    basis: BasisRecord
