"""The record of ``next``: what was picked, and why."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Outcome, Record
from git_sched.record.basis import BasisRecord, ProblemRecord, PublishRecord, RequestRecord, SignalsRecord
from git_sched.record.ranking import CountsRecord, FactorRecord, HeldRecord, RankedRecord, RunningRecord, WaitingRecord
from git_sched.record.task import EstimatesRecord, TaskRecord, TotalRecord, WhyRecord


class MarginRecord(Record):
    """The points by which one factor favors the pick over the runner-up."""

    factor: str
    """Name of the factor."""
    points: float
    """Points of the pick less points of the runner-up; negative where it favors the runner-up."""


class RunnerUpRecord(Record):
    """The best task that was left for the same agent when this one was picked, and what decided between the two."""

    graph_id: str
    """The graph of the runner-up."""
    node_id: str
    """Its id in that graph."""
    title: str
    """Its title."""
    score: float
    """Its score for this agent."""
    ahead: float
    """Score of the pick less that score; negative where a look-ahead put the pick first."""
    margins: list[MarginRecord]
    """What favors the pick first, what favors the runner-up last; empty where all factors rate alike."""
    decided_by: Literal["look-ahead", "score", "tokens", "priority", "id"]
    """A look-ahead where the runner-up ranks higher; else the first of the others in which the two differ."""


class DispatchHints(Record):
    """What RFC-0012 passes on to whoever starts the work; names as the task file has them."""

    title: str
    """The task's title."""
    project: str | None
    """The ``project`` of the task file."""
    repository: str | None
    """The ``repository`` of the task file, as written there."""
    agent_id: str | None
    """The agent to do it: the one it is picked for, else its assignee."""
    priority: int
    """The task's own priority."""


class DispatchDefaults(Record):
    """The policy's ``dispatch`` block, which is the same in every dispatch plan; ``null`` where a key is absent."""

    template_id: str | None
    """The template that plans name."""
    vendor: str | None
    """The vendor that plans are written for."""
    scope: Literal["project", "user"] | None
    """Where the template is to be installed."""
    prompt_kind: str | None
    """The kind of prompt that plans ask for."""


class DecisionRecord(TaskRecord):
    """One task, picked or skipped, and why."""

    decision_id: str
    """A digest of basis, request, signals, task and agent; the same request on the same basis gives the same one."""
    at: str | None
    """The time that was used; ``null`` where no time was used."""
    why: str
    """Why it is picked before all others, in one sentence; empty for a skipped task."""
    why_parts: list[WhyRecord]
    """The same sentence in pieces, words and names apart."""
    path: str
    """The file it is written in, relative to the workspace."""
    line: int | None
    """The line of that file where it begins, from 1; ``null`` where it is unknown."""
    score: float
    """The sum of its factors' points."""
    skipped: bool
    """Whether it is skipped for merge pressure rather than picked."""
    agent_id: str | None
    """The agent it is picked for; ``null`` for an agent without a name."""
    warm: bool
    """Whether that agent has its repository checked out, or works there."""
    warm_agent: str | None
    """The agent whose worktree that is, where one is named."""
    finish: bool
    """Whether it is a container whose parts are all finished, so that it only needs closing."""
    factors: list[FactorRecord]
    """The rows that its score is the sum of."""
    reasons: list[str]
    """One line for each factor; under the preset rfc-0012 metagit's own strings."""
    runner_up: RunnerUpRecord | None
    """The task that it is compared with; ``null`` where nothing else was left for this agent."""
    dispatch_hints: DispatchHints
    """What RFC-0012 passes on to whoever starts the work."""
    acl_commands: list[str]
    """Commands of the task file, passed on unchanged. They are as powerful as code."""
    compile_command: str | None
    """metagit's command that prepares the context; ``null`` without project and repository."""


class AgentRecord(Record):
    """What a named agent works on."""

    agent_id: str
    """The agent, as it was named."""
    running: list[str]
    """Full names of the tasks in progress that are assigned to it."""


class RootRecord(Record):
    """Something that frees the most tasks once it changes: a running or held task, or one that has to be edited."""

    graph_id: str
    """The graph of the task."""
    node_id: str
    """Its id in that graph."""
    title: str
    """Its title."""
    state: str
    """running, held, or the reason why it is not ready."""
    frees: int
    """How many open tasks wait for it, directly or not; 1001 means more than 1000."""
    freed: list[str]
    """Full names of the first few that wait for it directly."""
    text: str
    """Why it waits, in words; empty for a running task."""
    path: str
    """The file that it is written in."""
    line: int | None
    """The line in that file, from 1; ``null`` where it is unknown."""


class CutRecord(Record):
    """A dependency of a cycle: dropping it frees what waits behind that cycle."""

    task: str
    """Full name of the task that has the dependency."""
    dependency: str
    """Full name of the task it depends on."""
    frees: int
    """How many tasks can become ready once it is dropped, and could not before."""


class OutlookRecord(Record):
    """The result of a look-ahead, and what it changed."""

    plans: int
    """Number of alternative plans that were simulated to the end, besides the plain one."""
    chosen: int
    """The number of the plan that won; 0 is the plain one."""
    gain: float
    """The share by which makespan and weighted completion, mixed half and half, are expected to fall."""
    instead_of: list[str]
    """Full names of the tasks that the plain ranking would have picked and the winner does not."""


class ViewNodeRecord(Record):
    """A task of the drawing."""

    graph_id: str
    """The graph it belongs to."""
    node_id: str
    """Its id in that graph."""
    title: str
    """Its title."""
    state: str
    """picked, held, or the state it is in."""
    minutes: float | None
    """The minutes that its file gives, or that follow from its tokens; ``null`` without an estimate."""


class ViewEdgeRecord(Record):
    """One task waits for another: ``end`` waits for ``start``; both count the drawing's tasks from 0."""

    start: int
    """The task that comes first."""
    end: int
    """The task that waits for it."""
    longest: bool
    """Whether the edge is part of the longest remaining path."""


class ViewRecord(Record):
    """A small part of the graph, to be drawn: what comes next, the longest path, and what waits for what."""

    nodes: list[ViewNodeRecord]
    """At most fifty tasks."""
    edges: list[ViewEdgeRecord]
    """What waits for what among them."""
    more: int
    """Tasks on the same paths that are left out."""
    longest_path: list[str]
    """Full names of the first tasks on the longest remaining path."""


class DecisionsRecord(Record):
    """The answer of ``next``."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["decision"]
    """What kind of record this is."""
    outcome: Outcome
    """Whether tasks were picked, and if not, why not."""
    basis: BasisRecord
    """What the answer was computed from."""
    request: RequestRecord
    """The request."""
    signals: SignalsRecord
    """The facts from outside the task files, as they were read."""
    qualified: bool
    """Whether ids are written as graph/node in texts, since more than one graph has open tasks."""
    decisions: list[DecisionRecord]
    """The picks, in the order in which they were made."""
    skipped: list[DecisionRecord]
    """Ready tasks that are skipped for merge pressure, by rank."""
    outlook: OutlookRecord | None
    """What a look-ahead changed; ``null`` where no alternative plans were requested."""
    dispatch: DispatchDefaults
    """The policy's ``dispatch`` block."""
    held: list[HeldRecord]
    """The first held tasks by score; ``counts`` has the number of all."""
    ranking: list[RankedRecord]
    """The best ready tasks before the first pick; ``counts`` has the number of all."""
    counts: CountsRecord
    """How many tasks are in which state."""
    blocked: dict[str, int]
    """Open tasks that are not ready, by the reason shown first."""
    waiting: list[WaitingRecord]
    """Blocked tasks in groups with one cause."""
    running: list[RunningRecord]
    """Tasks in progress."""
    agents: list[AgentRecord]
    """What each named agent works on."""
    roots: list[RootRecord]
    """When nothing is picked: what would free the most."""
    cut: CutRecord | None
    """Where nothing can ever become ready because of a cycle: a dependency to drop."""
    free_at: str | None
    """When nothing is picked: the end of the first time gate, a deferral or a recent dispatch."""
    estimates: EstimatesRecord
    """The unit of sizes, and how much of the open work is estimated."""
    longest_path: TotalRecord
    """The longest remaining path."""
    work_left: TotalRecord
    """All open tasks."""
    looked_for: list[str]
    """The places in which task files are looked for."""
    problems: list[ProblemRecord]
    """What is wrong in task files, policy and signals."""
    publish: PublishRecord
    """What the policy allows in summaries, comments and pages."""
    view: ViewRecord
    """A small part of the graph, to be drawn."""
