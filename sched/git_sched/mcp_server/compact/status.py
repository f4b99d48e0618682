"""The compact record of ``status``: how many tasks are in which state, and the first ready, held and running ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from git_sched.mcp_server.compact.fit import Part, build, row
from git_sched.mcp_server.compact.rows import counts, held, problems, severities, task, total

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched import record
    from git_sched.mcp_server.compact.fit import Row

READY: Final = 8
"""Number of ready tasks that are shown."""

MOST: Final = 5
"""Number of rows that are shown of every other list."""


def compact_status(found: record.StatusRecord) -> Row:
    """Return the compact record of ``status``."""
    tally, ready = found["counts"], [one for one in found["ranking"] if one["state"] != "held"]
    whole = not any(found["selection"].values())
    head = {
        "outcome": found["outcome"],
        "preset": found["basis"]["policy"]["preset"],
        "now": found["basis"]["now"],
        "counts": counts(tally),
        "blocked_by_reason": found["blocked"],
        "work_left": total(found["work_left"]),
        "longest_path": total(found["longest_path"]),
        **severities(found["problems"]),
    }
    running = [task(one, agent=one["agent_id"]) for one in found["running"]]
    pressure = [row(repository=name, merges=depth) for name, depth in found["merge_pressure"].items() if depth]
    parts = (
        Part("running", running, MOST),
        Part("ready", [_ready(one) for one in ready], READY, tally["ready"] - tally["held"] if whole else 0),
        Part("held", [held(one) for one in found["held"]], MOST, tally["held"] if whole else 0),
        Part("waiting", [_waiting(one) for one in found["waiting"]], MOST),
        Part("merge_queues", pressure, MOST),
        Part("recent", [_recent(one) for one in found["recent_decisions"]], MOST),
        Part("sources", [_source(one) for one in found["sources"]], MOST),
        problems(found["problems"]),
    )
    return build("status", head, parts)


def _ready(found: record.RankedRecord) -> Row:
    return task(found, score=found["score"], skipped=found["state"] == "skipped", note=found["note"])


def _waiting(found: record.WaitingRecord) -> Row:
    more = found["more"] + len(found["nodes"][MOST:])
    return row(ids=found["nodes"][:MOST], more=more or None, why=found["why"], waits_for=found["waits_for"][:MOST])


def _source(found: record.SourceRecord) -> Row:
    return row(path=found["path"], format=found["format"], tasks=found["nodes"], open=found["open"])


def _recent(found: Mapping[str, Any]) -> Row:
    """Return a row of the log, which anybody may have written."""
    facts = {key: found[key] for key in ("decision_id", "at") if isinstance(found.get(key), str)}
    hints = found.get("dispatch_hints")
    agent = found.get("agent_id") or (hints.get("agent_id") if isinstance(hints, dict) else None)
    marks = {key: found.get(key) is True for key in ("dispatched", "skipped", "released")}
    name = f"{found.get('graph_id')}/{found.get('node_id')}"
    return row(id=name, agent=agent if isinstance(agent, str) else None, **facts, **marks)
