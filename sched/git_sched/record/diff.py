"""The record of ``diff``: what a change of the task files or the policy does to the answer."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.next import RunnerUpRecord
from git_sched.record.parts import CountsRecord, FactorRecord, PolicyRef, ProblemRecord, PublishRecord, SignalsRecord


class PickRecord(Record):
    """A pick on one side."""

    decision_id: str
    graph_id: str
    node_id: str
    title: str
    repository: str | None
    agent_id: str | None
    score: float
    warm: bool
    minutes: float
    minutes_filled: bool
    finish: bool
    factors: list[FactorRecord]
    runner_up: RunnerUpRecord | None


class PlaceRecord(Record):
    """A node in the order of what comes next."""

    graph_id: str
    node_id: str
    agent_id: str | None
    score: float


class SideRecord(Record):
    """The answer on one side of a comparison."""

    revision: str
    outcome: Literal["decided", "nothing-ready", "stuck", "all-done", "empty", "refused"]
    policy: PolicyRef
    decisions: list[PickRecord]
    order: list[PlaceRecord]
    """What comes next, then, and so on: for named agents the picks, else the first pick and those it is ahead of."""
    counts: CountsRecord
    longest_path_minutes: float
    longest_path_filled: bool
    longest_path: list[str]
    """The first nodes of the longest remaining path."""
    work_left_minutes: float
    work_left_filled: bool
    errors: int
    warnings: int


class NamesRecord(Record):
    """Names of nodes: the first of them, and how many more there are."""

    names: list[str]
    more: int


class ChangesRecord(Record):
    """Nodes whose state differs between the sides; each stands in one list."""

    added: NamesRecord
    removed: NamesRecord
    finished: NamesRecord
    cancelled: NamesRecord
    """Cancelled, or open in a graph that is no longer active."""
    reopened: NamesRecord
    begun: NamesRecord
    returned: NamesRecord
    """Running before, ready after."""
    freed: NamesRecord
    """Blocked before, ready after."""
    newly_blocked: NamesRecord
    """Ready or running before, blocked or in error after."""


class PolicyChangeRecord(Record):
    """A key of the policy in force that differs: its values as JSON, ``None`` where a side has none."""

    key: str
    old: str | None
    new: str | None


class ComparedRecord(Record):
    """What is compared. ``now`` and the signals are the same on both sides, so that the change alone shows."""

    base: str | None
    """The commit of the base; ``None`` where it is not here."""
    revision: str
    """The commit that is compared with it."""
    head: str
    """The commit that is proposed: the second parent where ``revision`` merges it into ``base``, else itself."""
    asked: str
    """The base as it was asked for."""
    workspace: str
    now: str | None
    now_source: str


class ComparisonRecord(Record):
    """The answer of ``diff``."""

    schema_version: Literal[1]
    kind: Literal["comparison"]
    base: Literal["found", "missing"]
    missing: str
    """Where the base is missing: one sentence with the ``fetch-depth`` to set."""
    basis: ComparedRecord
    limit: int
    before: SideRecord | None
    after: SideRecord
    after_by_base_policy: SideRecord | None
    """Where the policy changes: the answer for the same tasks by the base's policy."""
    changed: bool
    """Whether any input file, the policy or a pick differs."""
    changed_files: list[str]
    """The first input files that differ."""
    changed_files_more: int
    changes: ChangesRecord | None
    policy_changes: list[PolicyChangeRecord]
    policy_changes_more: int
    problems: list[ProblemRecord]
    """The first of those after the change: those that are new first, errors before warnings."""
    new_problems: int
    """How many of all problems the base does not have."""
    mended_problems: int
    signals: SignalsRecord
    publish: PublishRecord
