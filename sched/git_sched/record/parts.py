"""What all records share: problems, basis, request, signals."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record


class ProblemRecord(Record):
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


class InputRecord(Record):
    """A file the answer was computed from."""

    path: str
    object_id: str
    """The id git gives to the file's bytes."""


class PolicyRef(Record):
    """Which policy was in force."""

    path: str
    """Empty where there is no policy file and the defaults hold."""
    preset: str
    digest: str


class BasisRecord(Record):
    """What the answer was computed from."""

    revision: str | None
    workspace: str
    """The workspace's path from the top level; empty for the top level itself."""
    inputs: list[InputRecord]
    """The first thousand by path; ``key`` is a digest of all."""
    inputs_left_out: int
    dirty: list[str]
    """The inputs that differ from the revision, the first thousand by path."""
    dirty_left_out: int
    policy: PolicyRef
    now: str | None
    now_source: str
    """commit, given or wall; unused where nothing follows from the time."""
    key: str
    """A digest of the basis."""


class RequestRecord(Record):
    """What was asked for."""

    limit: int
    graph_ids: list[str]
    agents: list[str]
    lookahead: int
    """Plans that were played through besides the plain one."""
    graphs: list[str]
    """Task files named outright, besides those that were found."""
    assumed_done: list[str]
    """Nodes that were taken as completed, for a what-if."""


class PublishRecord(Record):
    """What the policy lets out of a private repository into summaries and comments; ids always may leave."""

    titles: bool
    repositories: Literal["all", "own"]
    own: str | None
    """The workspace's own repository, where only this one may be named."""


class WorktreeRecord(Record):
    """A worktree that counts as warm."""

    repository: str
    agent_id: str | None


class WorktreesRecord(Record):
    """The worktrees signal."""

    known: bool
    source: str
    worktrees: list[WorktreeRecord]


class MergeQueueRecord(Record):
    """The merge-queue signal: queued and running merges by repository; others have none."""

    known: bool
    source: str
    depths: dict[str, int]


class HistoryRecord(Record):
    """The history signal: how many recorded decisions there are."""

    known: bool
    source: str
    rows: int


class SignalsRecord(Record):
    """The facts from outside the graph, each known or unknown."""

    worktrees: WorktreesRecord
    merge_queue: MergeQueueRecord
    history: HistoryRecord


class FactorRecord(Record):
    """One row of a score: weight x rating = points; the score is the sum of the points."""

    factor: str
    weight: float
    rating: float
    points: float
    known: bool
    """False where the factor rests on a signal that is unknown; it then contributes nothing."""
    why: str


class CountsRecord(Record):
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


class RunningRecord(Record):
    """A node at work."""

    graph_id: str
    node_id: str
    repository: str | None
    agent_id: str | None


class WaitingRecord(Record):
    """Nodes that wait for the same things."""

    nodes: list[str]
    more: int
    """How many further nodes wait for the same."""
    why: str
    kind: str
    """The reason they share; empty for those that wait for nodes which wait themselves."""


class HeldRecord(Record):
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


class RankedRecord(Record):
    """A ready node in the ranking before the first pick."""

    graph_id: str
    node_id: str
    title: str
    repository: str | None
    score: float
    state: Literal["picked", "outranked", "held", "skipped"]
    factors: list[FactorRecord]
    note: str
