"""The decisions log that CI keeps between runs in a folder of the workflow: untrusted input like any other."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.model.ids import is_object_id
from git_sched.report.verify import name_row
from git_sched.workspace import files, writing
from git_sched.workspace.observe.history import read_row
from git_sched.workspace.observe.log_lines import parse_line

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

NAME: Final = "decisions.jsonl"
LINES: Final = 500
BYTES: Final = 1 << 20


class Kept(NamedTuple):
    """A kept log: a trusted folder, and a path below it in which no part may be a link."""

    root: str
    path: str


def find_kept(history: str, workspace: str) -> Kept:
    """Return where a workflow keeps the log: in an absolute folder, one below the home, or in the checkout."""
    folder = os.path.expanduser(history)
    if os.path.isabs(folder):
        return Kept(folder, NAME)
    return Kept(os.path.realpath(workspace), os.path.join(folder, NAME))


def restore(kept_log: Kept, target: str, *, has_commit: Callable[[str], bool]) -> tuple[str, ...]:
    """Copy the valid lines of a kept log into a folder of this run; return notes about the others.

    A line is valid if it is a recorded decision whose commit this repository has.
    """
    if not files.exists(*kept_log):
        writing.replace(target, NAME, b"")
        return ("history: no earlier record was restored",)
    data = files.read(*kept_log)
    if isinstance(data, files.Refusal):
        writing.replace(target, NAME, b"")
        return (f"history: {data.message}",)
    kept, unknown, lost = [], 0, 0
    for line in newest(data).splitlines():
        revision = _revision(line)
        if revision is None:
            unknown += 1
        elif not has_commit(revision):
            lost += 1
        else:
            kept.append(line)
    writing.replace(target, NAME, _join(_without_lone_releases(kept)))
    notes = []
    if unknown:
        notes.append(f"history: {unknown} restored lines are not recorded decisions and are ignored")
    if lost:
        notes.append(
            f"history: {lost} restored lines name commits that are not in this repository and count for nothing; "
            "in a shallow clone fetch-depth: 0 brings them"
        )
    return tuple(notes)


def keep(source: str, kept_log: Kept) -> None:
    """Add the new lines of this run's log to those that the workflow keeps, as many as are kept.

    Restored lines whose commits this run does not have stay, since a later run may have them.
    """
    data = files.read(source, NAME)
    if isinstance(data, bytes):
        old = files.read(*kept_log) if files.exists(*kept_log) else b""
        lines = [] if isinstance(old, files.Refusal) else old.splitlines()
        restored = [line for line in lines if _revision(line) is not None]
        known = set(restored)
        os.makedirs(kept_log.root, exist_ok=True)
        writing.replace(*kept_log, newest(_join([*restored, *(n for n in data.splitlines() if n not in known)])))


def newest(data: bytes) -> bytes:
    """Return the last lines of a log, as many as are kept: a line that gives back a task that none takes is left out.

    Such a line releases nothing any more, and it could not be verified.
    """
    kept: list[bytes] = []
    size = 0
    for line in reversed([line for line in data[-2 * BYTES :].splitlines() if line.strip()][-LINES:]):
        size += len(line) + 1
        if size > BYTES:
            break
        kept.append(line)
    return _join(_without_lone_releases(kept[::-1]))


def _join(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _without_lone_releases(lines: Sequence[bytes]) -> list[bytes]:
    rows = [parse_line(line) or {} for line in lines]
    taken = {name_row(raw) for raw in rows if raw.get("dispatched") is True}
    return [line for line, raw in zip(lines, rows, strict=True) if _is_whole(raw, taken)]


def _is_whole(raw: Mapping[str, object], taken: Collection[bytes]) -> bool:
    releases = raw.get("releases")
    return raw.get("released") is not True or (isinstance(releases, dict) and name_row({**raw, **releases}) in taken)


def _revision(line: bytes) -> str | None:
    """Return the commit that a line was decided at, or ``None`` if it is not a recorded decision."""
    raw = parse_line(line)
    if raw is None or read_row(raw) is None:
        return None
    basis = raw.get("basis")
    revision = basis.get("revision") if isinstance(basis, dict) else None
    return revision if isinstance(revision, str) and is_object_id(revision) else None
