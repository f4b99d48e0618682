"""Writes the decisions log: one line for each decision, appended in one write, never rewritten."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from git_sched.decide.factors.fairness import past_turns
from git_sched.decide.pick.gates import recent_dispatches
from git_sched.model.basis import digest
from git_sched.model.json_codec import dump, load
from git_sched.model.problems import WorldError
from git_sched.model.times import format_time
from git_sched.report.decision import date_decisions
from git_sched.workspace import files, writing
from git_sched.workspace.observe.history import LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from git_sched.decide.pipeline import Answer
    from git_sched.record import DecisionRecord, DecisionsRecord
    from git_sched.workspace.gather import Workspace

EVENTS = ".metagit/events/scheduler.jsonl"
LINE_LIMIT = 60_000
"""The largest number of bytes of a line; in a longer one lists of ids are cut, and the line says so."""

IDS = 40
"""The number of ids of one kind that a line keeps if it would be too long."""

TEXT = 200
"""Characters to which texts are cut if that is not enough; no id is longer."""


def append_decisions(workspace: Workspace, found: DecisionsRecord, answer: Answer, *, dispatched: bool) -> None:
    """Append picks and skipped tasks to the log and to metagit's events.

    A decision whose id is already in the log is not written again, unless it is now dispatched and was not before.

    Raises:
        WorldError: the log cannot be written, or git tracks it or would show it as untracked.
    """
    root, path = workspace.log
    events = _events_beside(path)
    found = date_decisions(found, answer)
    rows = [*found["decisions"], *found["skipped"]]
    _refuse_visible(workspace, root, (path, events))
    past = _past(answer)
    try:
        if workspace.location.question.decisions is None:
            os.makedirs(root, mode=0o700, exist_ok=True)  # the user's state folder, for a bare repository
        for row in rows:
            handed_out = dispatched and not row["skipped"]
            line = _line(row, found, dispatched=handed_out, past=past)
            writing.append_line(root, path, line, known=_known(*_marks(row["decision_id"], dispatched=handed_out)))
            event_id, event = _event(row)
            writing.append_line(root, events, event, known=_known(b'{"event_id":"%b"' % event_id.encode()))
    except OSError as error:
        where = os.path.join(root, path)
        raise WorldError(
            f"{where} cannot be written: {error.strerror or error}", hint="--decisions PATH keeps the log elsewhere"
        ) from None


def _events_beside(path: str) -> str:
    """Return the events file of a log: metagit's in a workspace, else one in the log's folder."""
    if path == LOG or path.endswith(f"/{LOG}"):
        return path.removesuffix(LOG) + EVENTS
    return os.path.join(os.path.dirname(path), "scheduler.jsonl")


def _marks(decision_id: str, *, dispatched: bool) -> tuple[bytes, ...]:
    head = b'{"decision_id":"%b","dispatched":' % decision_id.encode()
    return (head + b"true",) if dispatched else (head + b"true", head + b"false")


def _known(*marks: bytes) -> Callable[[bytes], bool]:
    """Build a predicate for logs: whether a complete line begins with one of the marks."""

    def known(written: bytes) -> bool:
        if not any(mark in written for mark in marks):
            return False
        return any(line.startswith(marks) and _is_whole(line) for line in written.split(b"\n"))

    return known


def _is_whole(line: bytes) -> bool:
    try:
        load(line)
    except ValueError:
        return False
    return True


def _line(row: DecisionRecord, found: DecisionsRecord, *, dispatched: bool, past: Mapping[str, object]) -> bytes:
    """Write a decision with everything that is needed to compute it again, cut if that would be too long."""
    for kept in (None, IDS, 0):
        line: dict[str, Any] = {
            "decision_id": row["decision_id"],
            "dispatched": dispatched,
            **row,
            "basis_key": found["basis"]["key"],
            "basis": _bounded_basis(found, kept),
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


def _bounded_basis(found: DecisionsRecord, kept: int | None) -> dict[str, Any]:
    basis = found["basis"]
    return {
        **basis,
        "inputs": basis["inputs"][:kept],
        "inputs_left_out": basis["inputs_left_out"] + len(basis["inputs"][len(basis["inputs"][:kept]) :]),
        "dirty": basis["dirty"][:kept],
        "dirty_left_out": basis["dirty_left_out"] + len(basis["dirty"][len(basis["dirty"][:kept]) :]),
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


def _bounded(signals: Mapping[str, Any], limit: int | None) -> dict[str, Any]:
    trees, queue = signals["worktrees"], signals["merge_queue"]
    rows, depths = trees["worktrees"], list(queue["depths"].items())
    return {
        "worktrees": {**trees, "worktrees": rows[:limit], "left_out": len(rows) - len(rows[:limit])},
        "merge_queue": {**queue, "depths": dict(depths[:limit]), "left_out": len(depths) - len(depths[:limit])},
        "history": signals["history"],
    }


def _past(answer: Answer) -> dict[str, object]:
    """Return the clock, and what an answer used of the log: recent dispatches, and the turns of repositories."""
    metrics = answer.metrics
    ready = {(node.graph_id, node.node_id) for node in map(metrics.node, metrics.ready)}
    holds = [row for node, rows in recent_dispatches(metrics).rows.items() if node in ready for row in rows]
    turns = past_turns(metrics) if metrics.policy.weighs("fairness") else []
    # Each pick may be the newest turn of a node that had one, and an older turn then counts again.
    turns = turns[-(metrics.policy.fairness_window + len(answer.choice.picks)) :]
    complete = metrics.signals.worktrees.complete
    return {
        "clock": format_time(metrics.clock),
        "worktrees_complete": None if complete is None else list(complete),
        "holds": [
            {"graph_id": row.graph_id, "node_id": row.node_id, "agent_id": row.agent_id, "at": format_time(row.at),
             "same_basis": row.basis == metrics.basis}
            for row in holds
        ],
        "turns": [{"graph_id": row.graph_id, "node_id": row.node_id, "repository": row.repository} for row in turns],
    }  # fmt: skip


def _event(row: DecisionRecord) -> tuple[str, bytes]:
    """Return the id of metagit's event for a decision, and its line."""
    kind = "ScheduleSkipped" if row["skipped"] else "ScheduleDecision"
    payload = {key: row[key] for key in ("decision_id", "graph_id", "node_id", "score", "skipped", "reasons")}
    event_id = digest(kind, row["decision_id"])
    event = {"event_id": event_id, "type": kind, "at": row["at"], "source": "scheduler", "payload": payload}
    data = dump(event)
    return event_id, data if len(data) < LINE_LIMIT else dump(_cut_all(event))


def _refuse_visible(workspace: Workspace, root: str, paths: tuple[str, ...]) -> None:
    """Check that git ignores the files to be written, so that a log does not end up in a commit.

    Raises:
        WorldError: git tracks one of them, or would show it as untracked.
    """
    full = [os.path.join(root, path) for path in paths]
    if files.in_git_directory(os.path.dirname(full[0])):
        raise WorldError(f"{full[0]} lies in a git directory, which is never written", hint="name another --decisions")
    top = _work_tree_of(workspace, root)
    git = workspace.location.git
    if git is None or top is None:
        return
    inside = [os.path.relpath(path, top) for path in full]
    ignored = git.ignored(top, inside)
    visible = [path for path in inside if path not in ignored]
    if visible:
        lines = " and ".join(f"/{path}" for path in visible)
        raise WorldError(
            f"git would show {visible[0]}, so nothing was recorded",
            hint=f"add {lines} to .gitignore (git sched init does), or move the log with --decisions",
        )


def _work_tree_of(workspace: Workspace, root: str) -> str | None:
    tops = [top for top in (workspace.location.top, workspace.main_top) if top]
    found = [top for top in tops if os.path.realpath(root) == os.path.realpath(top) or _below(root, top)]
    return max(found, key=len, default=None)


def _below(path: str, folder: str) -> bool:
    return os.path.realpath(path).startswith(os.path.realpath(folder) + os.sep)
