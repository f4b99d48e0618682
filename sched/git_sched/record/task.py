"""What every record has about a task, about totals over tasks, and about estimates."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record


class TaskRecord(Record):
    """A task as its file has it. Every row about a task has these keys."""

    graph_id: str
    """The graph it belongs to."""
    node_id: str
    """Its id in that graph."""
    title: str
    """Its title; empty where the file gives none."""
    repository: str | None
    """Full name of the repository it changes; ``null`` where none is named."""
    minutes: float | None
    """The minutes that its file gives, or that follow from its tokens; ``null`` without an estimate."""
    minutes_from: Literal["minutes", "tokens"] | None
    """Where ``minutes`` comes from: given as minutes, or tokens over the tokens per minute."""
    assigned_to: str | None
    """Id of the agent or person that the file assigns it to."""
    labels: list[str]
    """Its labels, as the file has them."""


class WhyRecord(Record):
    """A piece of a sentence that says why; the pieces are joined without anything between them."""

    text: str
    """Fixed words, or a name."""
    name: bool
    """Whether it is the name of a task, agent, repository or file, which Markdown quotes."""


class TotalRecord(Record):
    """Several tasks together, containers left out."""

    tasks: int
    """How many tasks."""
    estimated: int
    """How many of them have an estimate."""
    minutes: float | None
    """Their minutes together, missing ones filled in; ``null`` where the unit of the answer is the task."""


class EstimatesRecord(Record):
    """The unit of sizes, and how much of the open work is estimated."""

    unit: Literal["minute", "task"]
    """Minutes where at least half of the open tasks have an estimate, else tasks: one unit for the whole answer."""
    tasks: int
    """How many tasks are open, containers left out."""
    estimated: int
    """How many of them have an estimate."""
    minutes: float
    """The minutes of these estimates together, with nothing filled in."""
