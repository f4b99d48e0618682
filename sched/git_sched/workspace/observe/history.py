"""History: the decisions log, git-sched's or metagit's, read line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.graph import full_repository
from git_sched.model.ids import is_id
from git_sched.model.json_codec import load
from git_sched.model.problems import Problem
from git_sched.model.signals import History, HistoryRow
from git_sched.model.times import parse_time
from git_sched.workspace import files
from git_sched.workspace.observe.json_files import text, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

LOG = ".metagit/schedule/decisions.jsonl"


def observe(root: str, path: str) -> tuple[History, tuple[dict[str, object], ...], tuple[Problem, ...]]:
    """Read a log: return the signal, its raw rows, and a problem for each line that is not a recorded decision."""
    if not files.exists(root, path):
        return History(), (), ()
    data = files.read(root, path)
    if isinstance(data, files.Refusal):
        return History(known=False, source=f"{path} cannot be read"), (), (unreadable(path, data.message),)
    rows: dict[str, tuple[HistoryRow, dict[str, object]]] = {}
    problems: list[Problem] = []
    for number, row, raw in entries(data):
        if row is None:
            problems.append(
                Problem(
                    "warning",
                    "history-line",
                    "this line is not a recorded decision; it is ignored",
                    path,
                    number,
                    1,
                    hint="delete the line",
                )
            )
        elif row.decision_id not in rows or (row.dispatched and not rows[row.decision_id][0].dispatched):
            rows[row.decision_id] = (row, raw)
    kept = list(rows.values())
    kept.sort(key=lambda entry: entry[0].at)
    found = History(tuple(row for row, _ in kept), source=path) if kept else History()
    return found, tuple(raw for _, raw in kept), tuple(problems)


def entries(data: bytes) -> Iterator[tuple[int, HistoryRow | None, dict[str, object]]]:
    """Yield for each line of a log its number from 1, its row (``None`` if it is not a decision) and its raw value."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            raw = _line(line)
            yield number, read_row(raw) if raw is not None else None, raw or {}


def _line(line: bytes) -> dict[str, object] | None:
    try:
        value = load(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def read_row(raw: dict[str, object]) -> HistoryRow | None:
    """Read a row of a log; ``None`` if it is not a recorded decision."""
    decision_id, graph_id, node_id, at = (text(raw, key) for key in ("decision_id", "graph_id", "node_id", "at"))
    at = text(raw, "clock") or at
    seconds = parse_time(at) if at else 0
    if not decision_id or not graph_id or not node_id or not is_id(graph_id) or seconds is None:
        return None
    agent_id, basis = text(raw, "agent_id"), raw.get("basis_key")
    return HistoryRow(
        decision_id,
        graph_id,
        node_id,
        seconds,
        repository=_repository(raw),
        agent_id=agent_id,
        skipped=raw.get("skipped") is True,
        dispatched=raw.get("dispatched") is True,
        basis=basis if isinstance(basis, str) else "",
    )


def _repository(raw: dict[str, object]) -> str | None:
    if own := text(raw, "repository"):
        return own
    hints = raw.get("dispatch_hints")
    if not isinstance(hints, dict):
        return None
    return full_repository(text(hints, "project"), text(hints, "repository"))
