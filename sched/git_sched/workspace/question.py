"""The question, as one value: from the command line, the MCP server, the Action or a hook."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.problems import RequestError, WorldError
from git_sched.model.times import parse_time

if TYPE_CHECKING:
    from collections.abc import Mapping


class Question(NamedTuple):
    """What to read, and what is asked about it.

    ``start`` is the folder to search from, and paths are relative to it. ``graphs`` are task files to read as well;
    ``worktrees``, ``merge_queue`` and ``decisions`` are files to read these signals from. ``now`` is the time that is
    given, in seconds since 1970; else ``now_source`` says which one to take: ``wall`` the clock, ``commit`` the
    commit's, ``auto`` the clock for the work tree and the commit's for a revision. ``clock`` is that of this machine.

    With ``for_asker`` and without ``agents`` the answer is for whoever asks (see :mod:`~.asker`).

    ``limit`` is the number of picks; ``None`` is one for each of the ``agents``, or the operation's default.
    ``graph_ids`` restricts the answer to these graphs, ``assume_done`` names nodes to treat as completed, and
    ``lookahead`` is the number of alternative plans to try; ``None`` is the policy's. ``recent`` is the number of
    recorded decisions that are shown.
    """

    start: str
    workspace: str | None = None
    revision: str | None = None
    graphs: tuple[str, ...] = ()
    policy: str | None = None
    worktrees: str | None = None
    merge_queue: str | None = None
    decisions: str | None = None
    now: int | None = None
    now_source: str = "auto"
    clock: int | None = None
    environment: Mapping[str, str] = {}
    limit: int | None = None
    agents: tuple[str, ...] = ()
    for_asker: bool = False
    graph_ids: tuple[str, ...] = ()
    assume_done: tuple[str, ...] = ()
    lookahead: int | None = None
    recent: int = 0


def resolve_start(question: Question) -> Question:
    """Return the question with the full path of its folder.

    Raises:
        WorldError: the current folder no longer exists.
    """
    try:
        return question._replace(start=os.path.abspath(question.start))
    except FileNotFoundError:
        raise WorldError("the folder this was started in is gone", hint="cd to one that exists") from None


def find_clock(question: Question) -> int:
    """Return the time by which holds are measured, in seconds: the one given, else the clock, read only here."""
    given = question.now if question.clock is None else question.clock
    return int(time.time()) if given is None else given


def parse_now(text: str | None) -> tuple[int | None, str]:
    """Read ``--now``: a time, or which one to take (see :class:`Question`); ``None`` is ``auto``.

    Returns seconds since 1970, ``None`` where no time is named, and where the time comes from.

    Raises:
        RequestError: ``text`` is not a time.
    """
    if text is None or text in {"commit", "wall"}:
        return None, text or "auto"
    seconds = parse_time(text)
    if seconds is None:
        raise RequestError(
            f"--now {text} is not a time", hint="write 2026-11-03T09:30:00Z, commit, or wall for the clock"
        )
    return seconds, "given"
