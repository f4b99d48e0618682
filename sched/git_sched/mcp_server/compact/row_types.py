"""The types of the rows and totals in compact records.

A key that would say nothing (null, false or empty, or a count of 0) is left out. Every task has its ``id``, which is
graph/id, and its ``title``. Texts are on one line, and long ones are cut.
"""

from __future__ import annotations

from typing import Any, Literal

from git_sched.record.base import Outcome, Record

Counts = dict[str, int]


class Row(Record, total=False):
    """A task, or something else that a list is about."""

    id: str
    """The task: graph/id."""
    title: str
    """Its title, as others wrote it."""
    why: str
    """Why it is where it is, in one sentence."""
    place: str
    """Where it is written: file:line."""
    agent: str
    """Whose task it is, or would be."""
    repository: str
    """The repository it changes."""
    minutes: float
    """How long it takes."""
    assigned_to: str
    """Who its file assigns it to."""
    score: float
    """Its score."""
    state: str
    """Its state."""
    finish: bool
    """All its parts are finished: only its own status is left to set."""
    decision_id: str
    """The id of the decision, which stays the same when the same is asked again."""
    priority: int
    """Its own priority."""
    project: str
    """The project that its file names."""
    commands: int
    """How many commands come with it; the whole record has them."""
    note: str
    """What speaks against it now."""
    gate: str
    """What holds it: limits, assigned_to, redispatch, collision, budget or merge_pressure."""
    until: str
    """When the hold ends by itself."""
    frees: int
    """How many tasks wait for it."""
    dependency: str
    """The dependency to drop, graph/id."""
    ids: list[str]
    """Tasks that wait for the same."""
    more: int
    """How many more do."""
    waits_for: list[str]
    """What they wait for."""
    kind: str
    """The reason, such as waits_for or cycle."""
    reason: str
    """The gate that holds it, or the reason why it is not ready."""
    factor: str
    """A factor of the score."""
    points: float
    """What it adds to the score."""
    unknown: bool
    """It depends on a signal that is unknown, and adds nothing."""
    lane: int
    """The number of an agent in the forecast."""
    tasks: int
    """How many tasks it takes, or holds."""
    busy_minutes: float
    """How long it works."""
    start: float
    """When it starts, in minutes from now."""
    end: float
    """When it ends, in minutes from now."""
    running: bool
    """It is in progress now."""
    critical: bool
    """It is on the critical path."""
    assumed: bool
    """Its length is assumed."""
    after: str
    """Why it starts no earlier."""
    skipped: bool
    """It is skipped for merge pressure."""
    dispatched: bool
    """It was dispatched: given to its agent to start."""
    released: bool
    """It was given back."""
    at: str
    """When."""
    merges: int
    """How many merges are queued."""
    path: str
    """A file."""
    format: str
    """The tracker that writes the file."""
    open: int
    """How many of its tasks are open."""
    severity: Literal["error", "warning"]
    """How serious a problem is."""
    code: str
    """The code of a problem."""
    message: str
    """What is wrong."""
    hint: str
    """What to do about it."""
    key: str
    """A key of the policy."""
    value: Any
    """Its value; the beginning of its JSON where it is long."""
    old: str
    """Its value before, as JSON."""
    new: str
    """Its value after, as JSON."""


class Total(Record, total=False):
    """Several tasks together."""

    tasks: int
    """How many."""
    minutes: float
    """How long they take."""


class Hold(Record, total=False):
    """What holds a task."""

    gate: str
    """The gate."""
    why: str
    """Why, in one sentence."""
    until: str
    """When the hold ends by itself."""


class Change(Record, total=False):
    """A change that would bring a task first."""

    change: Literal["checked_out", "merge_queue_empty"]
    """Somebody has its repository checked out, or no merges are queued there."""
    repository: str
    """The repository that changes."""
    points: float
    """What the task would gain."""


class Side(Record, total=False):
    """One side of a comparison."""

    outcome: Outcome
    """The outcome of next."""
    counts: Counts
    """How many tasks are in which state."""
    work_left: Total
    """All open tasks."""
    longest_path: Total
    """The longest remaining path."""
    errors: int
    """How many problems are errors."""
    warnings: int
    """How many are warnings."""
