"""Builds the record of ``release``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.times import format_time

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.signals import HistoryRow


def build_release(row: HistoryRow, answer: Answer) -> record.ReleaseRecord:
    """Build the record of a task that was given back; ``row`` is the line of the log by which it had been taken."""
    metrics = answer.metrics
    node = metrics.network.number_of.get((row.graph_id, row.node_id))
    return {
        "schema_version": 1,
        "kind": "release",
        "graph_id": row.graph_id,
        "node_id": row.node_id,
        "title": "" if node is None else metrics.node(node).title,
        "agent_id": row.agent_id,
        "at": format_time(find_release_time(row, answer)),
        "taken_at": format_time(row.at),
        "qualified": metrics.qualified,
    }


def find_release_time(row: HistoryRow, answer: Answer) -> int:
    """Return the second at which a task is given back: now by the clock, but not before it was taken."""
    return max(answer.metrics.clock, row.at)
