"""The record of ``next``: what was picked, and why."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.parts import (
    BasisRecord,
    CountsRecord,
    FactorRecord,
    HeldRecord,
    ProblemRecord,
    PublishRecord,
    RankedRecord,
    RequestRecord,
    RunningRecord,
    SignalsRecord,
    WaitingRecord,
)
from git_sched.record.view import ViewRecord


class MarginRecord(Record):
    """The points by which one factor favours the pick over the runner-up."""

    factor: str
    points: float


class RunnerUpRecord(Record):
    """The best node that was not picked before this one, and what decided between the two."""

    graph_id: str
    node_id: str
    score: float
    ahead: float
    margins: list[MarginRecord]
    """What favours the pick first, what favours the other last; empty where all factors rate alike."""
    decided_by: Literal["score", "tokens", "priority", "id"]


class DispatchHints(Record):
    """What RFC-0012 hands on to whoever starts the work; names as the task file has them."""

    title: str
    project: str | None
    repository: str | None
    agent_id: str | None
    priority: int


class DispatchDefaults(Record):
    """What the policy's ``dispatch`` block says of every plan; ``None`` where it says nothing."""

    template_id: str | None
    vendor: str | None
    scope: Literal["project", "user"] | None
    prompt_kind: str | None


class DecisionRecord(Record):
    """One node, picked or skipped, and why."""

    decision_id: str
    """A digest of basis, request, signals, node and agent: asking again gives the same one."""
    at: str | None
    graph_id: str
    node_id: str
    title: str
    score: float
    skipped: bool
    agent_id: str | None
    repository: str | None
    warm: bool
    """Whether whoever gets it is warm in its repository."""
    warm_agent: str | None
    minutes: float
    minutes_filled: bool
    """Whether the minutes were filled in rather than given."""
    finish: bool
    """Whether the node is a container whose parts are all finished."""
    assigned_to: str | None
    factors: list[FactorRecord]
    reasons: list[str]
    runner_up: RunnerUpRecord | None
    dispatch_hints: DispatchHints
    acl_commands: list[str]
    compile_command: str | None


class AgentRecord(Record):
    """What a named agent is at."""

    agent_id: str
    running: list[str]


class RootRecord(Record):
    """Something that, once changed, frees the most: a running or held node, or what has to be edited."""

    graph_id: str
    node_id: str
    state: str
    frees: int
    """How many open nodes wait for it, directly or not; 1001 stands for more than 1000."""
    freed: list[str]
    """The first few of those that wait for it directly."""
    text: str
    path: str
    line: int | None


class OutlookRecord(Record):
    """What looking ahead found and changed."""

    plans: int
    """Plans that were played through to the end, besides the plain one."""
    chosen: int
    """The number of the plan that won; 0 is the plain one."""
    gain: float
    """The share by which makespan and weighted completion, mixed half and half, are expected to fall."""
    instead_of: list[str]
    """The tasks the plain ranking would have picked and the winner does not."""


class DecisionsRecord(Record):
    """The answer of ``next``."""

    schema_version: Literal[1]
    kind: Literal["decision"]
    outcome: Literal["decided", "nothing-ready", "stuck", "all-done", "empty", "refused"]
    basis: BasisRecord
    request: RequestRecord
    signals: SignalsRecord
    decisions: list[DecisionRecord]
    skipped: list[DecisionRecord]
    outlook: OutlookRecord | None
    """What looking ahead changed; nothing where no plans were asked for."""
    dispatch: DispatchDefaults
    held: list[HeldRecord]
    """The first of them by score; ``counts`` has the number of all."""
    ranking: list[RankedRecord]
    """The best ready nodes before the first pick; ``counts`` has the number of all."""
    counts: CountsRecord
    blocked: dict[str, int]
    """Open nodes that are not ready, by the reason shown first."""
    waiting: list[WaitingRecord]
    running: list[RunningRecord]
    agents: list[AgentRecord]
    roots: list[RootRecord]
    """When nothing is picked: what would free the most."""
    free_at: str | None
    """When nothing is picked: the end of the first time gate, a deferral or a recent hand-out."""
    longest_path_minutes: float
    work_left_minutes: float
    looked_for: list[str]
    """The places in which task files are looked for."""
    problems: list[ProblemRecord]
    publish: PublishRecord
    view: ViewRecord
