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
    from collections.abc import Iterator, Mapping

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
    """Which lines stay: those later than ``since``, those that hold a task, and those that ``wanted`` names."""

    since: int
    needed: Needed
    wanted: frozenset[bytes] = frozenset()

    def is_recent(self, raw: dict[str, object]) -> bool:
        """Whether a line is too young to go, or has no date."""
        at = _date(raw)
        row = read_row(raw)
        return at is None or at >= self.since or (row is not None and self.needed.is_young(row))

    def keeps(self, raw: dict[str, object] | None) -> bool:
        """Whether a line stays; one that is no object may be anything, and does."""
        return raw is None or self.is_recent(raw) or _name_task(raw) in self.wanted


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
        rule = _Rule(clock - days * DAY, needed)
        rule = rule._replace(wanted=frozenset(_find_wanted(rule, [locked for _, locked in opened])))
        return tuple(_prune_file(where, locked, rule) for where, locked in opened)


def _find_wanted(rule: _Rule, opened: list[Locked]) -> Iterator[bytes]:
    """Find the tasks whose lines stay since one of them is recent, in whichever file the other is."""
    for locked in opened:
        for line in lines_in_order(locked.descriptor):
            raw = parse_line(line)
            if raw is not None and rule.is_recent(raw) and (name := _name_task(raw)) is not None:
                yield name


def _prune_file(where: str, locked: Locked, rule: _Rule) -> Measured:
    lines = [0, 0]  # that go, that stay
    for line in lines_in_order(locked.descriptor):
        lines[rule.keeps(parse_line(line))] += 1
    if not lines[0]:
        return Measured(where, lines[1], os.fstat(locked.descriptor).st_size)
    with ExitStack() as stack:
        try:
            part = stack.enter_context(open_aside(locked.folder, locked.name))
            for line in lines_in_order(locked.descriptor):
                if rule.keeps(parse_line(line)):
                    part.write(line)
            size = os.fstat(part.descriptor).st_size
            part.place()
        except OSError as error:
            raise WorldError(f"{where} cannot be written: {error.strerror or error}") from None
    return Measured(where, lines[1], size, lines[0])


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
