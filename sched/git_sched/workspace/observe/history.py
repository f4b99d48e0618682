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
    from collections.abc import Iterator, Sequence

LOG = ".metagit/schedule/decisions.jsonl"


def observe(places: Sequence[tuple[str, str]]) -> tuple[History, tuple[dict[str, object], ...], tuple[Problem, ...]]:
    """Read a log, which may be in more than one place: return the signal, its raw rows, and problems.

    A place is a folder and a path below it. Each line that is not a recorded decision is a problem; a line that is
    there twice counts once. Where one place cannot be read the signal is unknown, but the rows of the other still say
    who has taken what.
    """
    found: list[tuple[HistoryRow, dict[str, object]]] = []
    problems: list[Problem] = []
    sources, unread = [], []
    for root, path in places:
        if not files.exists(root, path):
            continue
        data = files.read(root, path)
        if isinstance(data, files.Refusal):
            unread.append(path)
            problems.append(unreadable(path, data.message))
            continue
        read = list(entries(data))
        found += [(row, raw) for _, row, raw in read if row is not None]
        problems += [_foreign(path, number) for number, row, _ in read if row is None]
        sources += [path] if any(row is not None for _, row, _ in read) else []
    found.sort(key=lambda entry: entry[0].at)
    kept = list(_without_repeats(found))
    history = History(tuple(row for row, _ in kept), source=" and ".join(sources)) if kept else History()
    if unread:
        history = history._replace(known=False, source=f"{' and '.join(unread)} cannot be read")
    return history, tuple(raw for _, raw in kept), tuple(problems)


def _foreign(path: str, number: int) -> Problem:
    message = "this line is not a recorded decision; it is ignored"
    return Problem("warning", "history-line", message, path, number, 1, hint="delete the line")


def _without_repeats(
    found: Sequence[tuple[HistoryRow, dict[str, object]]],
) -> Iterator[tuple[HistoryRow, dict[str, object]]]:
    """Leave out rows that repeat another one, and recorded decisions that were dispatched as well.

    A task that was given back can be taken again in the same second.
    """
    dispatched = {row.decision_id for row, _ in found if row.dispatched}
    seen_of: dict[tuple[str, str, str | None], set[tuple[str, int | None]]] = {}
    for row, raw in found:
        seen = seen_of.setdefault((row.graph_id, row.node_id, row.agent_id), set())
        is_hand_out = row.dispatched or row.released
        name = (row.decision_id, row.at if is_hand_out else None)
        if name in seen or (not is_hand_out and row.decision_id in dispatched):
            continue
        if row.released:
            seen.clear()
        seen.add(name)
        yield row, raw


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
        released=raw.get("released") is True,
        basis=basis if isinstance(basis, str) else "",
    )


def _repository(raw: dict[str, object]) -> str | None:
    if own := text(raw, "repository"):
        return own
    hints = raw.get("dispatch_hints")
    if not isinstance(hints, dict):
        return None
    return full_repository(text(hints, "project"), text(hints, "repository"))
