"""History: the decisions log, git-sched's or metagit's, read line by line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.model.graph import full_repository
from git_sched.model.ids import is_id
from git_sched.model.problems import Problem
from git_sched.model.signals import History, HistoryRow
from git_sched.model.times import parse_time
from git_sched.workspace import files
from git_sched.workspace.observe.json_files import text
from git_sched.workspace.observe.log_lines import lines_from_end, number_lines, parse_line
from git_sched.workspace.places import look

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LOG = ".metagit/schedule/decisions.jsonl"

ROWS: Final = 500
"""The number of newest rows that every answer looks at, besides those that hold tasks."""


class Needed(NamedTuple):
    """What is needed of a log, for an answer on a ``basis`` at a time by the clock.

    Rows younger than ``after`` seconds may hold a task; ``None`` if none does. ``rows`` is how many others are needed,
    ``raw`` of how many the raw values are.
    """

    basis: str
    clock: int
    after: int | None
    rows: float
    raw: int

    def is_young(self, row: HistoryRow) -> bool:
        """Whether a row is young enough to hold a task; one that is later than the clock counts as now."""
        return self.after is not None and self.clock - min(row.at, self.clock) < self.after


class _Tail(NamedTuple):
    """The newest lines of one file: rows with their raw values, the oldest first, and the numbers of other lines."""

    rows: list[tuple[HistoryRow, dict[str, object]]]
    unknown: list[int]


def observe(
    places: Sequence[tuple[str, str]], needed: Needed
) -> tuple[History, tuple[dict[str, object], ...], tuple[Problem, ...]]:
    """Read the end of a log, which may be in more than one place: return the signal, its raw rows, and problems.

    A place is a folder and a path below it. Each is read from its end until as many rows in a row as are needed are
    too old to hold a task; rows of the same basis do not count, so that recording an answer does not change it. Lines
    are in the order in which they were appended, and their times are by several clocks: what would still hold a task
    is overlooked only if that many later lines say an earlier time.

    Each line that is not a recorded decision is a problem; a line that is there twice counts once. Where one place
    cannot be read the signal is unknown, but the rows of the other still say who has taken what.
    """
    found: list[tuple[HistoryRow, dict[str, object]]] = []
    problems: list[Problem] = []
    sources, unread = [], []
    for root, path in places:
        if look(root, path).state == "absent":
            continue
        tail = _read_tail(root, path, needed)
        if isinstance(tail, files.Refusal):
            unread.append(path)
            hint = "make it readable; until then nobody knows who has which task"
            problems.append(Problem("error", "signal-unreadable", tail.message, path, hint=hint))
            continue
        found += tail.rows
        problems += [unknown_line(path, number) for number in tail.unknown]
        sources += [path] if tail.rows else []
    found.sort(key=lambda entry: entry[0].at)
    kept = list(_without_repeats(found))
    history = History(tuple(row for row, _ in kept), source=" and ".join(sources)) if kept else History()
    if unread:
        history = history._replace(known=False, source=f"{' and '.join(unread)} cannot be read")
    return history, tuple(raw for _, raw in kept if raw), tuple(problems)


def _read_tail(root: str, path: str, needed: Needed) -> _Tail | files.Refusal:
    """Read as much of the end of a file as is needed."""
    descriptor = files.open_file(root, path)
    if isinstance(descriptor, files.Refusal):
        return descriptor
    rows: list[tuple[HistoryRow, dict[str, object]]] = []
    unknown, old = [], 0
    try:
        for position, line in lines_from_end(descriptor):
            if not line.strip():
                continue
            raw = parse_line(line)
            row = None if raw is None else read_row(raw)
            if row is None or raw is None:
                unknown.append(position)
            else:
                rows.append((row, raw if len(rows) < needed.raw else {}))
            if row is None or row.basis != needed.basis:
                old = 0 if row is not None and needed.is_young(row) else old + 1
            if old >= needed.rows:
                break
        return _Tail(rows[::-1], number_lines(descriptor, unknown[::-1]))
    except OSError as error:
        return files.Refusal("unreadable", f"{path} cannot be read: {os.strerror(error.errno or 0).lower()}", "")
    finally:
        os.close(descriptor)


def unknown_line(path: str, number: int) -> Problem:
    """Build the problem of a line that is not a recorded decision."""
    message = "this line is not a recorded decision; it is ignored"
    return Problem("warning", "history-line", message, path, number, 1, hint="delete the line")


def _without_repeats(
    found: Sequence[tuple[HistoryRow, dict[str, object]]],
) -> Iterator[tuple[HistoryRow, dict[str, object]]]:
    """Leave out rows that repeat another one, and recorded decisions that were dispatched as well.

    A task can be taken, given back, taken again and given back again in one second.
    """
    dispatched = {row.decision_id for row, _ in found if row.dispatched}
    seen_of: dict[tuple[str, str, str | None], set[tuple[str, int | None, bool]]] = {}
    releases_of: dict[tuple[str, str, str | None], set[tuple[str, int | None, bool]]] = {}
    for row, raw in found:
        key = (row.graph_id, row.node_id, row.agent_id)
        seen, releases = seen_of.setdefault(key, set()), releases_of.setdefault(key, set())
        is_hand_out = row.dispatched or row.released
        name = (row.decision_id, row.at if is_hand_out else None, row.released)
        if name in seen or (not is_hand_out and row.decision_id in dispatched):
            continue
        if row.released:
            seen.clear()
            releases.clear()
            releases.add(name)
        elif row.dispatched:
            seen -= releases
            releases.clear()
        seen.add(name)
        yield row, raw


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
