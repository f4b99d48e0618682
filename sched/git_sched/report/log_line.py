"""Builds the lines of the decisions log: a decision with everything that is needed to compute it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from git_sched.decide.factors.fairness import turns_used
from git_sched.decide.pick.holds import find_holds
from git_sched.model.basis import digest
from git_sched.model.json_codec import dump
from git_sched.model.phrases import UNNAMED
from git_sched.model.times import format_time
from git_sched.report.basis import build_basis
from git_sched.report.release import find_release_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched.decide.pipeline import Answer
    from git_sched.model.signals import HistoryRow
    from git_sched.record import BasisRecord, DecisionRecord, DecisionsRecord

LINE_LIMIT = 60_000
"""The largest number of bytes of a line; in a longer one lists of ids are cut, and the line says so."""

IDS = 40
"""The number of ids of one kind that a line keeps if it would be too long."""

TEXT = 200
"""Characters to which texts are cut if that is not enough; no id is longer."""


def build_line(row: DecisionRecord, found: DecisionsRecord, *, kind: str, past: Mapping[str, object]) -> bytes:
    """Build the line of a decision, cut if it would be too long.

    ``kind`` is recorded, dispatched or taken: a task that somebody chose is dispatched as well. ``past`` is what
    :func:`build_past` returns.
    """
    for kept in (None, IDS, 0):
        line: dict[str, Any] = {
            "decision_id": row["decision_id"],
            "dispatched": kind != "recorded",
            "taken": kind == "taken",
            **row,
            "basis_key": found["basis"]["key"],
            "basis": _bounded_basis(found["basis"], kept),
            "request": found["request"],
            "signals": _bounded(found["signals"], IDS if kept == 0 else kept),
            "counts": found["counts"],
            "blocked": found["blocked"],
            **past,
        }
        data = dump(line)
        if len(data) < LINE_LIMIT:
            return data
    return dump({**_cut_all(line), "texts_cut_at": TEXT, "lists_cut_at": IDS})


def build_release_line(row: HistoryRow, answer: Answer, *, printed: bool = True) -> bytes:
    """Build the line by which an agent gives a task back, with the keys of metagit's decisions.

    An answer that was not ``printed`` is given back on no basis: the agent can have the task again at once.
    """
    at, who = format_time(find_release_time(row, answer)), row.agent_id or UNNAMED
    releases = {"decision_id": row.decision_id, "clock": format_time(row.at)}
    line: dict[str, object] = {
        "decision_id": digest("release", *releases.values(), at),
        "dispatched": False,
        "released": True,
        "at": at,
        "clock": at,
        "graph_id": row.graph_id,
        "node_id": row.node_id,
        "agent_id": row.agent_id,
        "repository": row.repository,
        "score": 0.0,
        "reasons": [f"given back by {who}" if printed else f"given back, as {who} was not told of it"],
        "skipped": True,
        "dispatch_hints": {},
        "acl_commands": [],
        "compile_command": None,
        "basis_key": answer.inputs.basis.key if printed else None,
        "basis": _bounded_basis(build_basis(answer.inputs.basis, preset=answer.metrics.policy.preset), IDS),
        "releases": releases,
    }
    return dump(line)


def build_event(row: Mapping[str, Any]) -> bytes:
    """Build the line of metagit's event stream for a line of the log, given as a record with ``at`` and ``clock``."""
    kind = "ScheduleSkipped" if row["skipped"] else "ScheduleDecision"
    payload = {key: row[key] for key in ("decision_id", "graph_id", "node_id", "score", "skipped", "reasons")}
    event_id = digest(kind, row["decision_id"], row["clock"])
    event = {"event_id": event_id, "type": kind, "at": row["at"], "source": "scheduler", "payload": payload}
    data = dump(event)
    return data if len(data) < LINE_LIMIT else dump(_cut_all(event))


def build_past(answer: Answer) -> dict[str, object]:
    """Return the clock, and what an answer used of the log: who has taken what, and the turns of repositories."""
    metrics = answer.metrics
    held = find_holds(metrics)
    number_of, is_open = metrics.network.number_of, metrics.network.is_open
    holds = [
        row
        for listed in (held.taken, held.returned)
        for name, rows in listed.items()
        if name in number_of and is_open[number_of[name]]
        for row in rows
    ]
    turns = turns_used(metrics, len(answer.choice.picks)) if metrics.policy.weighs("fairness") else []
    complete = metrics.signals.worktrees.complete
    return {
        "clock": format_time(metrics.clock),
        "worktrees_complete": None if complete is None else list(complete),
        "holds": [
            {"graph_id": row.graph_id, "node_id": row.node_id, "agent_id": row.agent_id, "at": format_time(row.at),
             "same_basis": row.basis == metrics.basis, "released": row.released}
            for row in holds
        ],
        "turns": [{"graph_id": row.graph_id, "node_id": row.node_id, "repository": row.repository} for row in turns],
    }  # fmt: skip


def _bounded_basis(basis: BasisRecord, limit: int | None) -> dict[str, Any]:
    inputs, dirty = basis["inputs"][:limit], basis["dirty"][:limit]
    return {
        **basis,
        "inputs": inputs,
        "inputs_left_out": basis["inputs_left_out"] + len(basis["inputs"]) - len(inputs),
        "dirty": dirty,
        "dirty_left_out": basis["dirty_left_out"] + len(basis["dirty"]) - len(dirty),
    }


def _bounded(signals: Mapping[str, Any], limit: int | None) -> dict[str, Any]:
    trees, queue = signals["worktrees"], signals["merge_queue"]
    rows, depths = trees["worktrees"], list(queue["depths"].items())
    return {
        "worktrees": {**trees, "worktrees": rows[:limit], "left_out": len(rows) - len(rows[:limit])},
        "merge_queue": {**queue, "depths": dict(depths[:limit]), "left_out": len(depths) - len(depths[:limit])},
        "history": signals["history"],
    }


def _cut_all(record: Mapping[str, object]) -> dict[str, object]:
    """Cut every text and list in a record."""
    return {key[:TEXT]: _cut(value) for key, value in record.items()}


def _cut(value: object) -> object:
    match value:
        case str():
            return value[:TEXT]
        case list():
            return [_cut(item) for item in value[:IDS]]
        case dict():
            return _cut_all(value)
        case _:
            return value
