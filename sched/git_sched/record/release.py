"""The record of ``release``: which task was given back, and by whom."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record


class ReleaseRecord(Record):
    """The answer of ``release``."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["release"]
    """What kind of record this is."""
    graph_id: str
    """Id of its graph."""
    node_id: str
    """Id of the task in its graph."""
    title: str
    """Its title; empty where no file has the task any more."""
    agent_id: str | None
    """Who gave it back; ``null`` for an unnamed agent."""
    at: str
    """When it was given back, in UTC."""
    taken_at: str
    """When it had been taken, in UTC."""
    qualified: bool
    """Whether ids are written as graph/node in texts, since more than one graph has open tasks."""
