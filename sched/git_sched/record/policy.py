"""The policy in force as a record: git-sched's own with every key, or metagit's with the keys that metagit prints."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.basis import ProblemRecord


class OwnPolicyRecord(Record):
    """git-sched's own policy, defaults included.

    It has every key of a policy file; the tables of these keys say what each holds, and schemas take them from there.
    """

    version: int


OwnPolicyRecord.__pydantic_config__ = {"extra": "allow"}  # type: ignore[attr-defined]  # pydantic's own


class MetagitPolicyRecord(Record):
    """metagit's own policy."""

    weights: dict[str, float]
    """What each factor weighs."""
    merge_queue_threshold: int
    """So many queued merges of a repository are pressure."""
    merge_pressure_penalty: float
    """Points that pressure costs."""
    skip_on_merge_pressure: bool
    """Whether tasks under pressure are skipped rather than ranked lower."""
    graph_overrides: dict[str, dict[str, float | None]]
    """Weights for the tasks of one graph, by its id; nothing for a factor that it leaves alone."""


class NoPolicyRecord(Record):
    """No policy: its file cannot be trusted."""


class PresetsRecord(Record):
    """Which preset the weights start from."""

    in_force: str
    """The preset."""


class PolicyRecord(Record):
    """The answer of ``policy show``."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["policy"]
    """What kind of record this is."""
    path: str
    """Empty where there is no policy file and the defaults hold, or where the file cannot be trusted."""
    policy: OwnPolicyRecord | MetagitPolicyRecord | NoPolicyRecord
    """What is in force, defaults included; empty where the file cannot be trusted."""
    presets: PresetsRecord
    """Which preset the weights start from."""
    problems: list[ProblemRecord]
    """Those of the policy file alone."""
