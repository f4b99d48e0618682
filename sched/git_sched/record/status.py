"""The records of ``status`` and ``check``."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.parts import (
    BasisRecord,
    CountsRecord,
    HeldRecord,
    ProblemRecord,
    PublishRecord,
    RankedRecord,
    RunningRecord,
    SignalsRecord,
    WaitingRecord,
)
from git_sched.record.policy import MetagitPolicyRecord, NoPolicyRecord, OwnPolicyRecord


class SourceRecord(Record):
    """A task file, or folder of them, that was read."""

    path: str
    format: str
    graph_ids: list[str]
    nodes: int
    open: int


class StatusRecord(Record):
    """The answer of ``status``."""

    schema_version: Literal[1]
    kind: Literal["status"]
    outcome: Literal["decided", "nothing-ready", "stuck", "all-done", "empty", "refused"]
    policy: OwnPolicyRecord | MetagitPolicyRecord | NoPolicyRecord
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
    publish: PublishRecord


class CheckRecord(Record):
    """The answer of ``check``."""

    schema_version: Literal[1]
    kind: Literal["check"]
    graphs: int
    nodes: int
    policies: int
    problems: list[ProblemRecord]
    basis: BasisRecord
    publish: PublishRecord


class PresetsRecord(Record):
    """Which preset the weights start from."""

    in_force: str


class PolicyRecord(Record):
    """The answer of ``policy show``."""

    schema_version: Literal[1]
    kind: Literal["policy"]
    path: str
    """Empty where there is no policy file and the defaults hold, or where the file cannot be trusted."""
    policy: OwnPolicyRecord | MetagitPolicyRecord | NoPolicyRecord
    """What is in force, defaults included; empty where the file cannot be trusted."""
    presets: PresetsRecord
    problems: list[ProblemRecord]
    """Those of the policy file alone."""
