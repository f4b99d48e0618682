"""Renders the picks as a job matrix: one row each, with ids, numbers and fixed words only."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, cast

from git_sched.model.ids import is_id
from git_sched.record.diff import PickRecord

if TYPE_CHECKING:
    from git_sched import record

ROWS: Final = 256
"""The largest number of jobs that GitHub makes from one matrix."""

EMPTY: Final = '{"include":[]}'
"""A matrix without rows. A job with it fails, so every job must check ``has-work`` first."""


def render(found: record.DecisionsRecord | record.ComparisonRecord) -> str:
    """Render the picks of a record as a matrix on one line; of a comparison, the picks after the change."""
    return f"{matrix(picks(found))}\n"


def picks(found: record.DecisionsRecord | record.ComparisonRecord) -> list[record.PickRecord]:
    """Return the picks of a record whose ids are valid."""
    rows = found["decisions"] if found["kind"] == "decision" else found["after"]["decisions"]
    return [_safe(row) for row in rows if is_id(row["graph_id"]) and is_id(row["node_id"])]


def _safe(row: record.DecisionRecord | record.PickRecord) -> record.PickRecord:
    agent_id = row["agent_id"]
    kept = {key: value for key, value in row.items() if key in PickRecord.__annotations__}
    safe = {
        "repository": safe_repository(row["repository"]),
        "agent_id": agent_id if agent_id is not None and is_id(agent_id) else None,
    }
    return cast("record.PickRecord", {**kept, **safe})


def describe_cut(found: record.DecisionsRecord | record.ComparisonRecord) -> str:
    """Say how many picks the matrix leaves out; empty where it has all."""
    number = len(picks(found))
    return f"the matrix has {ROWS} of {number} picks: GitHub runs no more jobs" if number > ROWS else ""


def safe_repository(name: str | None) -> str | None:
    """Return a repository's name if each of its parts is a valid id, else ``None``."""
    return name if name and all(is_id(part) for part in name.split("/")) else None


def matrix(rows: list[record.PickRecord]) -> str:
    """Write the matrix as JSON on one line."""
    return json.dumps({"include": [_row(row) for row in rows[:ROWS]]}, separators=(",", ":"))


def _row(row: record.PickRecord) -> dict[str, str | float]:
    """Build a row; without an estimate it has no minutes."""
    minutes: dict[str, float] = {} if row["minutes"] is None else {"minutes": round(row["minutes"], 3)}
    return {
        "task": f"{row['graph_id']}/{row['node_id']}",
        "graph": row["graph_id"],
        "node": row["node_id"],
        "repository": row["repository"] or "",
        "agent": row["agent_id"] or "",
        **minutes,
        "score": row["score"],
    }
