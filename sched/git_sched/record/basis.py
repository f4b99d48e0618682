"""What every record has about its origin: basis, request, signals, problems, and what can be published."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record


class ProblemRecord(Record):
    """Something wrong in the input."""

    severity: Literal["error", "warning"]
    """An error keeps a task, a file or the policy from being used; a warning does not."""
    code: str
    """The code of the problem, which stays the same between versions; each has a paragraph in the documentation."""
    message: str
    """What is wrong, in one sentence."""
    path: str
    """The file, relative to the workspace; empty where no file is the cause."""
    line: int | None
    """Its line, from 1; ``null`` where no line is the cause."""
    column: int | None
    """Its column, from 1; ``null`` where no column is the cause."""
    hint: str
    """What to do next."""


class InputRecord(Record):
    """A file the answer was computed from."""

    path: str
    """Its path, relative to the workspace."""
    object_id: str
    """The id git gives to the file's bytes."""


class PolicyRef(Record):
    """Which policy was in force."""

    path: str
    """The policy file; empty where there is none and the defaults apply."""
    preset: str
    """The preset that its weights start from."""
    digest: str
    """A digest of its content; empty where the defaults apply."""


class BasisRecord(Record):
    """What the answer was computed from."""

    revision: str | None
    """The commit that was read, or that the work tree is compared with; ``null`` without one."""
    workspace: str
    """The workspace's path from the top level; empty for the top level itself."""
    inputs: list[InputRecord]
    """The first thousand by path; ``key`` is a digest of all."""
    inputs_left_out: int
    """How many more files the answer was computed from."""
    dirty: list[str]
    """The inputs that differ from the revision, the first thousand by path."""
    dirty_left_out: int
    """How many more inputs differ from the revision."""
    policy: PolicyRef
    """The policy in force."""
    now: str | None
    """The time that was used, ISO 8601 in UTC; ``null`` where no time was used."""
    now_source: str
    """Where that time comes from: ``commit``, ``given``, ``wall`` for the clock, or ``unused``."""
    key: str
    """A digest of revision, inputs, dirty paths and policy."""


class RequestRecord(Record):
    """The request."""

    limit: int
    """The number of tasks requested."""
    graph_ids: list[str]
    """The graphs whose tasks can be picked; empty for all."""
    agents: list[str]
    """The agents that were named, in the order given."""
    lookahead: int
    """Number of alternative plans that were simulated besides the plain one."""
    graphs: list[str]
    """Task files named with ``--graph``, besides those that were found."""
    assumed_done: list[str]
    """Nodes that were taken as completed, for a what-if."""


class PublishRecord(Record):
    """What the policy allows in summaries, comments and pages; ids are always allowed."""

    titles: bool
    """Whether titles are shown."""
    repositories: Literal["all", "own"]
    """Which repositories are named."""
    own: str | None
    """The workspace's own repository, where only this one is named."""


class WorktreeRecord(Record):
    """A worktree in which an agent has a repository checked out."""

    repository: str
    """Full name of the repository."""
    agent_id: str | None
    """Whose worktree it is; ``null`` where its row, folder or branch names no agent."""


class WorktreesRecord(Record):
    """The worktrees signal."""

    known: bool
    """Whether any source lists worktrees."""
    source: str
    """Where it was read, or why nothing is known."""
    worktrees: list[WorktreeRecord]
    """The worktrees that were found; of those that the policy's agent pool leaves out, ``source`` has the number."""


class MergeQueueRecord(Record):
    """The merge-queue signal: queued and running merges by repository; others have none."""

    known: bool
    """Whether any source has the depth of merge queues."""
    source: str
    """Where it was read, or why nothing is known."""
    depths: dict[str, int]
    """Queued and running merges by repository."""


class HistoryRecord(Record):
    """The history signal: how many recorded decisions were read from the end of the log."""

    known: bool
    """Whether a log was read."""
    source: str
    """Where it was read, or why nothing is known."""
    rows: int
    """How many recorded decisions count."""


class SignalsRecord(Record):
    """The facts from outside the graph, each known or unknown."""

    worktrees: WorktreesRecord
    """Who has which repository checked out."""
    merge_queue: MergeQueueRecord
    """How many merges are queued in each repository."""
    history: HistoryRecord
    """The recorded decisions."""
