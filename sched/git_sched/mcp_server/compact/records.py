"""The types of compact records, one for each kind of record that a tool returns."""

from __future__ import annotations

from typing import Any, Final, Literal, Required

from git_sched.mcp_server.compact.row_types import Change, Counts, Hold, Row, Side, Total
from git_sched.record.base import Outcome, Record


class Compact(Record, total=False):
    """What every compact record has."""

    full: Required[Literal[False]]
    """That this is not the whole record."""
    errors: int
    """How many problems are errors."""
    warnings: int
    """How many problems are warnings."""
    problems: list[Row]
    """What is wrong in the files and where, errors first."""
    left_out: Counts
    """How many rows of each list are not shown."""


class Decisions(Compact, total=False):
    """The compact answer of ``next``."""

    kind: Required[Literal["decision"]]
    outcome: Required[Outcome]
    """Whether tasks were picked, and if not, why not."""
    free_at: str
    """Where nothing is picked: when the first date or hold ends, and it is worth asking again."""
    now: str
    """The time that was used, where a date matters."""
    counts: Counts
    """How many tasks are in which state."""
    picks: list[Row]
    """The tasks to start, each with why it comes first and the place where it is written."""
    working_on: list[Row]
    """What the named agents have in progress."""
    causes: list[Row]
    """Where nothing is picked: what would free the most tasks once it changes, and where it is written."""
    cut: list[Row]
    """Where a cycle blocks everything: a dependency to drop."""
    next_in_line: list[Row]
    """The tasks that come after the picks."""
    held: list[Row]
    """Ready tasks that a gate keeps back."""
    skipped: list[Row]
    """Ready tasks that are skipped for merge pressure."""
    looked_for: list[str]
    """Where there are no tasks: the places in which task files are looked for."""


class Status(Compact, total=False):
    """The compact answer of ``status``."""

    kind: Required[Literal["status"]]
    outcome: Required[Outcome]
    """The outcome that ``next`` would have."""
    preset: str
    """The preset that the weights start from."""
    now: str
    """The time that was used, where a date matters."""
    counts: Counts
    """How many tasks are in which state."""
    blocked_by_reason: Counts
    """Open tasks that are not ready, by the reason shown first."""
    work_left: Total
    """All open tasks."""
    longest_path: Total
    """The longest remaining path."""
    running: list[Row]
    """Tasks in progress."""
    ready: list[Row]
    """Ready tasks by rank."""
    held: list[Row]
    """Ready tasks that a gate keeps back."""
    waiting: list[Row]
    """Blocked tasks in groups with one cause."""
    merge_queues: list[Row]
    """Repositories in which merges are queued."""
    recent: list[Row]
    """The last rows of the log, newest first."""
    sources: list[Row]
    """The task files that were read."""


class Explanation(Compact, total=False):
    """The compact answer of ``explain``."""

    kind: Required[Literal["explanation"]]
    id: Required[str]
    """The task: graph/id."""
    title: str
    """Its title, as others wrote it."""
    state: str
    """ready, held, skipped, running, completed, cancelled, in_error or the reason why it is not ready."""
    place: str
    """Where it is written: file:line."""
    repository: str
    """The repository it changes."""
    minutes: float
    """How long it takes."""
    assigned_to: str
    """Who its file assigns it to."""
    score: float
    """Its score."""
    rank: int
    """Its rank among the ready tasks."""
    of: int
    """How many these are."""
    behind: str
    """The task that ranks just before it."""
    behind_score: float
    """The score of that task."""
    held_by: Hold
    """What holds it."""
    would_come_first_if: Change
    """A single change that would bring it first."""
    to_go: Total
    """The unfinished tasks that have to be done before it."""
    minutes_with_one: float
    """Minutes until it can start, with one agent."""
    frees_later: int
    """How many tasks wait for it besides those in ``frees``."""
    reasons: list[Row]
    """Why it is not ready."""
    waits_for: list[Row]
    """The unfinished tasks it depends on directly."""
    collides_with: list[Row]
    """The tasks that change the same files."""
    free_again_when: list[str]
    """Where it is held: the tasks after whose end it is free."""
    factors: list[Row]
    """What its score is made of."""
    frees: list[str]
    """The tasks that can start once it is finished."""


class Forecast(Compact, total=False):
    """The compact answer of ``plan``."""

    kind: Required[Literal["forecast"]]
    outcome: Required[Outcome]
    """The outcome of ``next`` for these agents."""
    now: str
    """The time that was used, where a date matters."""
    unit: Literal["minute", "task"]
    """What sizes are counted in; where it is the task there are no times."""
    makespan_minutes: float
    """When the last task ends, in minutes from now."""
    longest_chain: Total
    """The longest remaining path: no number of agents ends earlier."""
    work: Total
    """All scheduled tasks."""
    counts: Counts
    """How many tasks the forecast is about."""
    agents: list[Row]
    """The agents that the forecast is for."""
    tasks: list[Row]
    """Tasks in the order in which they start."""
    critical: list[Row]
    """The last steps of the critical path, the earliest first."""
    cannot_start: list[Row]
    """Tasks that cannot start, and why."""


class Check(Compact, total=False):
    """The compact answer of ``check``."""

    kind: Required[Literal["check"]]
    graphs: int
    """Graphs that were read."""
    tasks: int
    """Tasks that were read."""
    policies: int
    """Policy files that were read."""
    not_read: list[str]
    """Requested paths that are left out on purpose."""


class PolicyInForce(Compact, total=False):
    """The compact answer of ``policy``."""

    kind: Required[Literal["policy"]]
    path: str
    """The policy file; left out where there is none and the defaults apply."""
    preset: str
    """The preset that the weights start from."""
    refused: bool
    """The file is in error, so that there is no policy."""
    weights: dict[str, float]
    """The weights; the other factors weigh 0."""
    settings: list[Row]
    """Every other setting that is not the default."""


class Comparison(Compact, total=False):
    """The compact answer of ``diff``."""

    kind: Required[Literal["comparison"]]
    base: str
    """The commit that is compared with."""
    requested: str
    """The base as it was requested."""
    revision: str
    """The commit that is compared; left out for the work tree."""
    missing: str
    """Where the base is missing: why, and what to do."""
    unread: list[str]
    """For each side what of it could not be read: nothing is known of its tasks."""
    now: str
    """The time that was used, where a date matters."""
    changed: bool
    """The change matters: tasks, files, errors, the policy or the first pick differ."""
    before: Side
    """The base."""
    after: Required[Side]
    """What is compared with it."""
    new_errors: int
    """Errors that the base does not have."""
    new_warnings: int
    """Warnings that the base does not have."""
    fixed_errors: int
    """Errors that are gone."""
    fixed_warnings: int
    """Warnings that are gone."""
    broken_files: list[Row]
    """Files that can no longer be read."""
    repaired_files: list[str]
    """Files that can be read again."""
    deleted_files: list[str]
    """Files with tasks that are gone."""
    next_before: list[Row]
    """The picks before the change."""
    next_after: list[Row]
    """The picks after it."""
    next_after_by_old_policy: list[Row]
    """Where the policy changes: the picks after it by the old policy."""
    finished: list[Row]
    """Tasks that it completes."""
    freed: list[Row]
    """Tasks that it makes ready."""
    reopened: list[Row]
    """Tasks that it opens again."""
    added: list[Row]
    """New tasks."""
    removed: list[Row]
    """Tasks that are gone."""
    cancelled: list[Row]
    """Tasks that it cancels."""
    newly_blocked: list[Row]
    """Tasks that it blocks."""
    begun: list[Row]
    """Tasks that it marks as in progress."""
    returned: list[Row]
    """Tasks that it puts back from in progress."""
    policy_changes: list[Row]
    """Keys of the policy that differ."""
    changed_files: list[str]
    """Files that differ."""


class Release(Compact, total=False):
    """The compact answer of ``release``."""

    kind: Required[Literal["release"]]
    id: Required[str]
    """The task that was given back: graph/id."""
    title: str
    """Its title, as others wrote it."""
    agent: str
    """Who gave it back."""
    at: Required[str]
    """When, in UTC."""


RECORDS: Final[dict[str, Any]] = {
    "decision": Decisions,
    "status": Status,
    "policy": PolicyInForce,
    "explanation": Explanation,
    "forecast": Forecast,
    "check": Check,
    "comparison": Comparison,
    "release": Release,
}
"""The type of the compact record, by kind of record."""
