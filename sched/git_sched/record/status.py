"""The record of ``status``: what is ready, held, running and blocked."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Outcome, Record
from git_sched.record.basis import BasisRecord, ProblemRecord, PublishRecord, SignalsRecord
from git_sched.record.policy import MetagitPolicyRecord, NoPolicyRecord, OwnPolicyRecord
from git_sched.record.ranking import BlockedRecord, CountsRecord, HeldRecord, RankedRecord, RunningRecord, WaitingRecord
from git_sched.record.task import EstimatesRecord, TotalRecord


class SourceRecord(Record):
    """A task file, or a folder of them, that was read."""

    path: str
    """Its path, relative to the workspace."""
    format: str
    """The tracker that writes it."""
    graph_ids: list[str]
    """Ids of the graphs in it."""
    nodes: int
    """How many tasks it holds."""
    open: int
    """How many of them are still to do."""


class SelectionRecord(Record):
    """Which tasks are listed; an empty list selects all. Counts and totals are those of all tasks."""

    states: list[Literal["ready", "held", "running", "blocked"]]
    """The requested states; empty for ready, held and running, of which only the first tasks are listed."""
    labels: list[str]
    """Tasks with one of these labels."""
    assignees: list[str]
    """Tasks assigned to, or worked on by, one of these."""
    repositories: list[str]
    """Tasks of one of these repositories."""
    graph_ids: list[str]
    """Tasks of one of these graphs."""


class StatusRecord(Record):
    """The answer of ``status``."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["status"]
    """What kind of record this is."""
    outcome: Outcome
    """The outcome that ``next`` would have."""
    policy: OwnPolicyRecord | MetagitPolicyRecord | NoPolicyRecord
    """The policy in force; empty where its file is in error."""
    basis: BasisRecord
    """What the answer was computed from."""
    for_agents: list[str]
    """The agents that the answer is for; empty for anybody."""
    selection: SelectionRecord
    """Which tasks are listed."""
    qualified: bool
    """Whether ids are written as graph/node in texts, since more than one graph has open tasks."""
    sources: list[SourceRecord]
    """The task files that were read."""
    ready_count: int
    """How many tasks can start now, held ones included."""
    counts: CountsRecord
    """How many tasks are in which state."""
    blocked: dict[str, int]
    """Open tasks that are not ready, by the reason shown first."""
    ranking: list[RankedRecord]
    """The ready tasks that were selected, by rank; held ones among them."""
    held: list[HeldRecord]
    """The held tasks that were selected, by score."""
    running: list[RunningRecord]
    """The tasks in progress that were selected."""
    blocked_tasks: list[BlockedRecord]
    """The blocked tasks that were selected; empty unless they were requested."""
    running_by_agent: dict[str, int]
    """How many tasks each agent works on."""
    running_by_repository: dict[str, int]
    """How many tasks are in progress in each repository."""
    waiting: list[WaitingRecord]
    """Blocked tasks in groups with one cause."""
    estimates: EstimatesRecord
    """The unit of sizes, and how much of the open work is estimated."""
    longest_path: TotalRecord
    """The longest remaining path."""
    work_left: TotalRecord
    """All open tasks."""
    signals: SignalsRecord
    """The facts from outside the task files, as they were read."""
    merge_pressure: dict[str, int]
    """How many merges are queued or running, by repository."""
    recent_decisions: list[dict[str, object]]
    """The last ten rows of the log, newest first, as they are there."""
    looked_for: list[str]
    """The places in which task files are looked for."""
    problems: list[ProblemRecord]
    """What is wrong in task files, policy and signals."""
    publish: PublishRecord
    """What the policy allows in summaries, comments and pages."""
