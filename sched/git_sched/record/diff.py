"""The record of ``diff``: what a change to the task files or the policy finishes, frees, blocks and breaks."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Outcome, Record
from git_sched.record.basis import PolicyRef, ProblemRecord, PublishRecord, SignalsRecord
from git_sched.record.next import RunnerUpRecord
from git_sched.record.ranking import CountsRecord, FactorRecord
from git_sched.record.task import EstimatesRecord, TaskRecord, TotalRecord, WhyRecord


class PickRecord(TaskRecord):
    """A pick on one side."""

    decision_id: str
    """A digest of basis, request, signals, task and agent."""
    why: str
    """Why it is picked before all others, in one sentence."""
    why_parts: list[WhyRecord]
    """The same sentence in pieces, words and names apart."""
    agent_id: str | None
    """The agent it is picked for; ``null`` for an agent without a name."""
    score: float
    """The sum of its factors' points."""
    warm: bool
    """Whether that agent has its repository checked out, or works there."""
    finish: bool
    """Whether it is a container whose parts are all finished, so that it only needs closing."""
    factors: list[FactorRecord]
    """The rows that its score is the sum of."""
    runner_up: RunnerUpRecord | None
    """The task that it is compared with; ``null`` where nothing else was left for this agent."""


class PlaceRecord(Record):
    """A task in the order of what comes next."""

    graph_id: str
    """The graph it belongs to."""
    node_id: str
    """Its id in that graph."""
    title: str
    """Its title."""
    agent_id: str | None
    """The agent it is picked for; ``null`` for an agent without a name."""
    score: float
    """Its score."""


class SideRecord(Record):
    """The answer on one side of a comparison."""

    revision: str
    """The commit; empty for the work tree."""
    unread: list[ProblemRecord]
    """The first files and folders that could not be read at all on that side: their tasks are unknown, not gone."""
    outcome: Outcome
    """The outcome of ``next`` on that side."""
    policy: PolicyRef
    """The policy in force on that side."""
    decisions: list[PickRecord]
    """The picks, in the order in which they are made."""
    order: list[PlaceRecord]
    """What comes next, then, and so on: for named agents the picks, else the first pick and those it is ahead of."""
    counts: CountsRecord
    """How many tasks are in which state."""
    longest_path: TotalRecord
    """The longest remaining path."""
    longest_path_nodes: list[str]
    """Full names of the first tasks on it."""
    work_left: TotalRecord
    """All open tasks."""
    errors: int
    """How many problems are errors."""
    warnings: int
    """How many problems are warnings."""


class NamedTaskRecord(Record):
    """A task, by name and title."""

    name: str
    """Its full name."""
    title: str
    """Its title; empty where the file has none, or where the task is in error."""


class NamesRecord(Record):
    """Tasks: the first of them, and how many more there are."""

    tasks: list[NamedTaskRecord]
    """The first of them."""
    more: int
    """How many more there are."""


class BrokenFileRecord(Record):
    """A task file or policy that could be read before and cannot be read after."""

    path: str
    """The file, relative to the workspace."""
    tasks: int
    """How many tasks of it cannot be read; 0 for a policy."""
    problem: ProblemRecord
    """Why it cannot be read."""


class ChangesRecord(Record):
    """Tasks whose state differs between the sides; each is in one list. Tasks of a broken file are in none."""

    broken: list[BrokenFileRecord]
    """Files that could be read before and cannot be read after."""
    repaired: list[str]
    """Files that could not be read before and can be read after."""
    deleted: list[str]
    """Files with tasks before that are not there after."""
    added: NamesRecord
    """Tasks that are new."""
    removed: NamesRecord
    """Tasks that are gone."""
    finished: NamesRecord
    """Tasks that are completed after and were not before."""
    cancelled: NamesRecord
    """Cancelled, or open in a graph that is no longer active."""
    reopened: NamesRecord
    """Finished or cancelled before, open after."""
    begun: NamesRecord
    """Running after and not before."""
    returned: NamesRecord
    """Running before, ready after."""
    freed: NamesRecord
    """Blocked before, ready after."""
    newly_blocked: NamesRecord
    """Ready or running before, blocked or in error after."""


class PolicyChangeRecord(Record):
    """A key of the policy in force that differs."""

    key: str
    """The key, with dots between levels."""
    old: str | None
    """Its value before, as JSON; ``null`` where there is none."""
    new: str | None
    """Its value after, as JSON; ``null`` where there is none."""


class ComparedRecord(Record):
    """What is compared. Time and signals are the same on both sides, so that only the change makes a difference."""

    base: str | None
    """The commit of the base; ``null`` where it is not in this clone."""
    revision: str
    """The commit that is compared with it; empty for the work tree."""
    head: str
    """The commit that is proposed: the second parent where ``revision`` merges it into ``base``, else itself."""
    requested: str
    """The base as it was requested."""
    workspace: str
    """The workspace's path from the top level; empty for the top level itself."""
    now: str | None
    """The time that was used; ``null`` where no time was used."""
    now_source: str
    """Where that time comes from."""


class ComparisonRecord(Record):
    """The answer of ``diff``."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["comparison"]
    """What kind of record this is."""
    base: Literal["found", "missing"]
    """Whether the base is in this clone."""
    missing: str
    """Where the base is missing: why, and what to do."""
    basis: ComparedRecord
    """What is compared."""
    limit: int
    """How many picks are compared."""
    qualified: bool
    """Whether ids are written as graph/node in texts, since more than one graph has open tasks."""
    before: SideRecord | None
    """The answer for the base; ``null`` where the base is missing."""
    after: SideRecord
    """The answer for the revision that is compared with it."""
    after_by_base_policy: SideRecord | None
    """Where the policy changes: the answer for the same tasks by the base's policy."""
    estimates: EstimatesRecord
    """What sizes are counted in on both sides, and how much of the open work is estimated after the change."""
    changed: bool
    """Whether the change matters: tasks, files, errors, a key of the policy or the first pick differ."""
    changed_files: list[str]
    """The first input files that differ."""
    changed_files_more: int
    """How many more input files differ."""
    changes: ChangesRecord | None
    """Which tasks and files changed; ``null`` where the base is missing."""
    policy_changes: list[PolicyChangeRecord]
    """The first keys of the policy in force that differ."""
    policy_changes_more: int
    """How many more keys differ."""
    problems: list[ProblemRecord]
    """The first problems after the change: new ones first, errors before warnings."""
    new_errors: int
    """How many errors the base does not have."""
    new_warnings: int
    """How many warnings the base does not have."""
    fixed_errors: int
    """How many errors of the base are gone, those of broken files not counted."""
    fixed_warnings: int
    """How many warnings of the base are gone, those of broken files not counted."""
    signals: SignalsRecord
    """The facts from outside the task files, as they were read."""
    publish: PublishRecord
    """What the policy allows in summaries, comments and pages."""
