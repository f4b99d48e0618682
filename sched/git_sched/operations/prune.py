"""The size of the decisions log, and its old lines, which ``log --prune`` removes."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.model.problems import RefusedError, WorldError
from git_sched.model.times import parse_time
from git_sched.operations.read import read_files
from git_sched.report.verify import name_row
from git_sched.workspace import files, places
from git_sched.workspace.aside import open_aside
from git_sched.workspace.decisions_log import lock_places
from git_sched.workspace.observe.history import Needed, read_row
from git_sched.workspace.observe.log_lines import lines_in_order, parse_line
from git_sched.workspace.question import find_clock

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from git_sched.workspace.question import Question
    from git_sched.workspace.writing import Locked

DAY: Final = 86_400
"""Seconds of a day."""


class Measured(NamedTuple):
    """How large a file of the log is, and how many lines were removed from it."""

    path: str
    lines: int
    size: int
    removed: int = 0


class _Rule(NamedTuple):
    """Which lines stay: those later than ``since``, and those that hold a task."""

    since: int
    needed: Needed

    def is_recent(self, raw: dict[str, object]) -> bool:
        """Whether a line is too young to go, or has no date."""
        at = _date(raw)
        row = read_row(raw)
        return at is None or at >= self.since or (row is not None and self.needed.is_young(row))


class _Sorted(NamedTuple):
    """The lines of a file: for each whether it stays (1) or goes (0), and the tasks of the latter by number from 0."""

    stays: bytearray
    tasks: list[tuple[int, bytes]]


def measure_log(question: Question) -> tuple[Measured, ...]:
    """Return the size of each file of the log.

    Raises:
        WorldError: one cannot be read.
    """
    found = []
    for root, path in read_files(question).log.files:
        if places.look(root, path).state != "absent":
            descriptor = files.open_file(root, path, limit=None)
            if isinstance(descriptor, files.Refusal):
                raise WorldError(descriptor.message, hint=descriptor.hint)
            try:
                lines = sum(1 for _ in lines_in_order(descriptor))
                found.append(Measured(os.path.join(root, path), lines, os.fstat(descriptor).st_size))
            finally:
                os.close(descriptor)
    return tuple(found)


def prune_log(question: Question, *, days: int) -> tuple[Measured, ...]:
    """Remove the lines of the log that are older than some days; return how large each of its files is then.

    Lines that still hold a task stay, a task's line and the one that gives it back stay or go together, and a line
    without a date stays. Nobody else writes meanwhile, and each file is replaced in one step.

    Raises:
        RefusedError: the policy is in error, so it is unknown which tasks are held.
        WorldError: the log cannot be read, written or locked.
    """
    workspace = read_files(question)
    policy = workspace.inputs.policy
    if policy is None:
        raise RefusedError("the policy cannot be trusted, so it is unknown what is still held", hint="git sched check")
    with lock_places(workspace.log) as opened:
        clock = find_clock(question)
        needed = Needed(workspace.inputs.basis.key, clock, policy.redispatch_after, rows=0, raw=0)
        rule, wanted = _Rule(clock - days * DAY, needed), set[bytes]()
        found = [_sort_lines(locked, rule, wanted) for _, locked in opened]
        return tuple(
            _prune_file(where, locked, lines, wanted) for (where, locked), lines in zip(opened, found, strict=True)
        )


def _sort_lines(locked: Locked, rule: _Rule, wanted: set[bytes]) -> _Sorted:
    """Sort the lines of a file by whether they stay; add the tasks of those that do to the ``wanted`` ones."""
    found = _Sorted(bytearray(), [])
    for number, line in enumerate(lines_in_order(locked.descriptor)):
        raw = parse_line(line)
        stays = raw is None or rule.is_recent(raw)  # what is no object may be anything
        found.stays.append(stays)
        name = None if raw is None else _name_task(raw)
        if name is not None and stays:
            wanted.add(name)
        elif name is not None:
            found.tasks.append((number, name))
    return found


def _prune_file(where: str, locked: Locked, lines: _Sorted, wanted: Collection[bytes]) -> Measured:
    """Write a file anew without the lines that go; those of a wanted task stay as well."""
    for number, name in lines.tasks:
        lines.stays[number] |= name in wanted
    kept = sum(lines.stays)
    if kept == len(lines.stays):
        return Measured(where, kept, os.fstat(locked.descriptor).st_size)
    with ExitStack() as stack:
        try:
            part = stack.enter_context(open_aside(locked.folder, locked.name))
            for number, line in enumerate(lines_in_order(locked.descriptor)):
                if number >= len(lines.stays) or lines.stays[number]:  # somebody may append without the lock
                    part.write(line)
            size = os.fstat(part.descriptor).st_size
            part.place()
        except OSError as error:
            raise WorldError(f"{where} cannot be written: {error.strerror or error}") from None
    return Measured(where, kept, size, len(lines.stays) - kept)


def _date(raw: Mapping[str, object]) -> int | None:
    at = raw.get("clock") or raw.get("at")
    return parse_time(at) if isinstance(at, str) else None


def _name_task(raw: dict[str, object]) -> bytes | None:
    """Return what names the taking of a task in the line by which it was taken or given back; ``None`` for others."""
    row = read_row(raw)
    if row is None or not (row.dispatched or row.released):
        return None
    releases = raw.get("releases")
    return name_row({**raw, **releases} if row.released and isinstance(releases, dict) else raw)
