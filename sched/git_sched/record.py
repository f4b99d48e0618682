"""The records: what git-sched says, as JSON of a frozen shape. Renderers are functions of these alone.

``schema_version`` is 1. Within it keys may be added, never removed or given another meaning.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class ProblemRecord(TypedDict):
    """Something wrong in the input."""

    severity: Literal["error", "warning"]
    code: str
    """Stable; each has a paragraph in the documentation."""
    message: str
    path: str
    """Relative to the workspace; empty where no file is to blame."""
    line: int | None
    column: int | None
    hint: str
    """What to do next."""


class InputRecord(TypedDict):
    """A file the answer was computed from."""

    path: str
    object_id: str
    """The id git gives to the file's bytes."""


class PolicyRef(TypedDict):
    """Which policy was in force."""

    path: str
    """Empty where there is no policy file and the defaults hold."""
    preset: str
    digest: str


class BasisRecord(TypedDict):
    """What the answer was computed from."""

    revision: str | None
    branch: str | None
    workspace: str
    """The workspace's path from the top level; empty for the top level itself."""
    inputs: list[InputRecord]
    dirty: list[str]
    """The inputs that differ from the revision."""
    policy: PolicyRef
    now: str | None
    now_source: str
    """commit, given, wall, SOURCE_DATE_EPOCH or unknown."""
    key: str
    """A digest of the basis."""


class RequestRecord(TypedDict):
    """What was asked for."""

    limit: int
    graph_ids: list[str]
    agents: list[str]
    lookahead: int


class WorktreeRecord(TypedDict):
    """A worktree that counts as warm."""

    repository: str
    agent_id: str | None


class WorktreesRecord(TypedDict):
    """The worktrees signal."""

    known: bool
    source: str
    worktrees: list[WorktreeRecord]


class MergeQueueRecord(TypedDict):
    """The merge-queue signal: queued and running merges by repository; others have none."""

    known: bool
    source: str
    depths: dict[str, int]


class HistoryRecord(TypedDict):
    """The history signal: how many recorded decisions there are."""

    known: bool
    source: str
    rows: int


class SignalsRecord(TypedDict):
    """The facts from outside the graph, each known or unknown."""

    worktrees: WorktreesRecord
    merge_queue: MergeQueueRecord
    history: HistoryRecord


class FactorRecord(TypedDict):
    """One row of a score: weight x rating = points; the score is the sum of the points."""

    factor: str
    weight: float
    rating: float
    points: float
    known: bool
    """False where the factor rests on a signal that is unknown; it then contributes nothing."""
    why: str


class MarginRecord(TypedDict):
    """The points by which one factor favours the pick over the runner-up."""

    factor: str
    points: float


class RunnerUpRecord(TypedDict):
    """The best node that was not picked before this one, and what decided between the two."""

    graph_id: str
    node_id: str
    score: float
    ahead: float
    margins: list[MarginRecord]
    """What favours the pick first, what favours the other last; empty where all factors rate alike."""
    decided_by: Literal["score", "tokens", "priority", "id"]


class DispatchHints(TypedDict):
    """What RFC-0012 hands on to whoever starts the work; names as the task file has them."""

    title: str
    project: str | None
    repository: str | None
    agent_id: str | None
    priority: int


class DecisionRecord(TypedDict):
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


class HeldRecord(TypedDict):
    """A ready node that a gate keeps back."""

    graph_id: str
    node_id: str
    title: str
    repository: str | None
    score: float
    gate: str
    limit: str
    value: float
    by: list[str]
    at_path: str
    until: str | None
    why: str


class RankedRecord(TypedDict):
    """A ready node in the ranking before the first pick."""

    graph_id: str
    node_id: str
    title: str
    repository: str | None
    score: float
    state: Literal["picked", "outranked", "held", "skipped"]
    factors: list[FactorRecord]
    note: str


class RunningRecord(TypedDict):
    """A node at work."""

    graph_id: str
    node_id: str
    repository: str | None
    agent_id: str | None


class AgentRecord(TypedDict):
    """What a named agent is at."""

    agent_id: str
    running: list[str]


class CountsRecord(TypedDict):
    """How many nodes are in which state. open = ready + running + blocked; in_error counts on top of these."""

    nodes: int
    open: int
    ready: int
    picked: int
    outranked: int
    held: int
    skipped: int
    running: int
    blocked: int
    completed: int
    cancelled: int
    in_error: int
    graphs: int


class RootRecord(TypedDict):
    """Something that, once changed, frees the most: a running or held node, or what has to be edited."""

    graph_id: str
    node_id: str
    state: str
    frees: int
    """How many open nodes wait for it, directly or not; 1001 stands for more than 1000."""
    text: str
    path: str
    line: int | None


class WaitingRecord(TypedDict):
    """Nodes that wait for the same things."""

    nodes: list[str]
    more: int
    """How many further nodes wait for the same."""
    why: str


class DecisionsRecord(TypedDict):
    """The answer of ``next``."""

    schema_version: Literal[1]
    kind: Literal["decision"]
    outcome: Literal["decided", "nothing-ready", "stuck", "all-done", "empty", "refused"]
    basis: BasisRecord
    request: RequestRecord
    signals: SignalsRecord
    decisions: list[DecisionRecord]
    skipped: list[DecisionRecord]
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
    longest_path_minutes: float
    work_left_minutes: float
    problems: list[ProblemRecord]


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


class ReasonRecord(TypedDict):
    """One reason why a node is not ready."""

    kind: str
    nodes: list[str]
    text: str


class StepRecord(TypedDict):
    """A node that another waits for, and how far that one is."""

    name: str
    state: str
    text: str


class ScaleRecord(TypedDict):
    """What a factor's ratings are measured against, and the node it comes from."""

    factor: str
    text: str
    node: str | None


class ExplanationRecord(TypedDict):
    """The answer of ``explain``."""

    schema_version: Literal[1]
    kind: Literal["explanation"]
    node: str
    title: str
    state: str
    """ready, held, running, completed, cancelled, in_error or the reason shown first."""
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
    reasons: list[ReasonRecord]
    """All that apply; the first is the one that is shown."""
    waits_for: list[StepRecord]
    tasks_to_go: int
    minutes_with_one: float | None
    minutes_with_two: float | None
    would_win_by: str
    frees: list[str]
    frees_later: int
    basis: BasisRecord
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
