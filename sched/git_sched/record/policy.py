"""The policy in force as a record: git-sched's own with every key, or metagit's with the keys that metagit prints."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.basis import ProblemRecord


class OwnPolicyRecord(Record):
    """git-sched's own policy, defaults included.

    It has every key of a policy file, and its schema is made from the table of these keys.
    """

    version: int


OwnPolicyRecord.__pydantic_config__ = {"extra": "allow"}  # type: ignore[attr-defined]  # pydantic's own


class MetagitPolicyRecord(Record):
    """metagit's own policy."""

    weights: dict[str, float]
    """What each factor weighs."""
    merge_queue_threshold: int
    """Number of merges queued for a repository from which on its tasks are under merge pressure."""
    merge_pressure_penalty: float
    """Points that a task under merge pressure loses."""
    skip_on_merge_pressure: bool
    """Whether tasks under merge pressure are skipped rather than ranked lower."""
    graph_overrides: dict[str, dict[str, float | None]]
    """Weights for the tasks of one graph, by its id; ``null`` for a factor that it does not override."""


class NoPolicyRecord(Record):
    """No policy: its file is in error."""


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
    """The policy file; empty where there is none and the defaults apply, or where the file is in error."""
    policy: OwnPolicyRecord | MetagitPolicyRecord | NoPolicyRecord
    """The policy in force, defaults included; empty where the file is in error."""
    presets: PresetsRecord
    """Which preset the weights start from."""
    problems: list[ProblemRecord]
    """The problems of the policy file."""
