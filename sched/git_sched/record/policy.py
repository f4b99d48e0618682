"""The policy in force as a record: git-sched's own with every key, or metagit's with the keys that metagit prints."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.basis import ProblemRecord


class LimitsRecord(Record):
    """How many tasks may be running or picked at once; nothing where there is no limit."""

    total: int | None
    per_graph: int | None
    per_repository: int | None
    per_agent: int | None
    tokens: int | None
    """Bounds the sum of the effective tokens."""


class PolicySourceRecord(Record):
    """A task file that the policy names; without a format it is found out."""

    path: str
    format: str | None


class PolicyPublishRecord(Record):
    """What may leave a private repository; ids always may."""

    titles: bool
    repositories: Literal["all", "own"]


class OwnPolicyRecord(Record):
    """git-sched's own policy, defaults included."""

    version: int
    preset: str
    weights: dict[str, float]
    graph_overrides: dict[str, dict[str, float]]
    """Weights for the tasks of one graph, by its id."""
    agent_pool: list[str]
    """Whose worktrees count as warm; empty means any agent's."""
    limits: LimitsRecord
    merge_queue_threshold: int
    merge_pressure_penalty: float
    skip_on_merge_pressure: bool
    on_cancelled: Literal["block", "satisfy"]
    """What a cancelled dependency means."""
    redispatch_after_seconds: int | None
    """How long a hand-out holds a task; nothing where it does not."""
    fairness_window: int
    tokens_per_minute: float
    lookahead: int
    lookahead_agents: int | None
    cold_start_minutes: float | None
    repository: str | None
    sources: list[PolicySourceRecord]
    exclude: list[str]
    dispatch: dict[str, str]
    publish: PolicyPublishRecord


class MetagitPolicyRecord(Record):
    """metagit's own policy."""

    weights: dict[str, float]
    merge_queue_threshold: int
    merge_pressure_penalty: float
    skip_on_merge_pressure: bool
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
