"""The record of a view: a small part of the graph, to be drawn."""

from __future__ import annotations

from git_sched.record.base import Record


class ViewNodeRecord(Record):
    """A node of the drawing."""

    graph_id: str
    node_id: str
    state: str
    """picked, held, or the state it is in."""
    minutes: float
    minutes_filled: bool


class ViewEdgeRecord(Record):
    """``end`` waits for ``start``; both count the view's nodes from 0."""

    start: int
    end: int
    longest: bool
    """Whether the edge is part of the longest remaining path."""


class ViewRecord(Record):
    """The picks, the best ready nodes and the longest path, each with what waits for it longest."""

    nodes: list[ViewNodeRecord]
    edges: list[ViewEdgeRecord]
    """In the order of the paths they were found on."""
    more: int
    """How many further nodes stand on these paths."""
    longest_path: list[str]
    """The first nodes of the longest remaining path."""
    longest_path_filled: bool
    """Whether any of its minutes were filled in rather than given; so of all the work that is left."""
    work_left_filled: bool
