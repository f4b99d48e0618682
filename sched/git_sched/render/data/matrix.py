"""The picks as a job matrix: one row each, of ids, numbers and safe words alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from git_sched.model.ids import is_id

if TYPE_CHECKING:
    from git_sched import record

ROWS: Final = 256
"""Jobs that GitHub makes of one matrix at most."""

EMPTY: Final = '{"include":[]}'
"""A matrix without rows. A job with it fails: every fan-out asks ``has-work`` first."""


def render(found: record.DecisionsRecord | record.ComparisonRecord) -> str:
    """Render a record as the matrix of its picks on one line; of a comparison those after the change."""
    return f"{matrix(picks(found))}\n"


def picks(found: record.DecisionsRecord | record.ComparisonRecord) -> list[record.PickRecord]:
    """Give the picks of a record with safe ids; what could not be an id names no task."""
    rows = found["decisions"] if found["kind"] == "decision" else found["after"]["decisions"]
    return [_safe(row) for row in rows if is_id(row["graph_id"]) and is_id(row["node_id"])]


def _safe(row: record.DecisionRecord | record.PickRecord) -> record.PickRecord:
    agent_id = row["agent_id"]
    return {
        "decision_id": row["decision_id"],
        "graph_id": row["graph_id"],
        "node_id": row["node_id"],
        "title": row["title"],
        "repository": safe_repository(row["repository"]),
        "agent_id": agent_id if agent_id is not None and is_id(agent_id) else None,
        "score": row["score"],
        "warm": row["warm"],
        "minutes": row["minutes"],
        "minutes_filled": row["minutes_filled"],
        "finish": row["finish"],
        "factors": row["factors"],
        "runner_up": row["runner_up"],
    }


def safe_repository(name: str | None) -> str | None:
    """Give a repository whose every part could be an id, else nothing."""
    return name if name and all(is_id(part) for part in name.split("/")) else None


def matrix(rows: list[record.PickRecord]) -> str:
    """Write the matrix as JSON on one line."""
    include = [
        {
            "task": f"{row['graph_id']}/{row['node_id']}",
            "graph": row["graph_id"],
            "node": row["node_id"],
            "repository": row["repository"] or "",
            "agent": row["agent_id"] or "",
            "minutes": round(row["minutes"], 3),
            "score": row["score"],
        }
        for row in rows[:ROWS]
    ]
    return json.dumps({"include": include}, separators=(",", ":"))
