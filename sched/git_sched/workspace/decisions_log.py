"""The decisions log: where it is, and how it is locked and appended to, so that no two callers take one task."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.basis import digest
from git_sched.model.problems import WorldError
from git_sched.workspace import files, writing
from git_sched.workspace.locate import named_file
from git_sched.workspace.locks import PATIENCE, LockingError
from git_sched.workspace.observe.history import LOG
from git_sched.workspace.places import look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from git_sched.workspace.gather import Workspace
    from git_sched.workspace.locate import Location

EVENTS = ".metagit/events/scheduler.jsonl"

ELSEWHERE = "--decisions PATH keeps the log elsewhere"

LogPath = tuple[str, str]
"""A folder, and a path below it that is never followed through a link."""


class LogPlaces(NamedTuple):
    """Where the decisions log is.

    ``usual`` is its place in the workspace, or the file that the user named; ``None`` in a bare repository. ``private``
    is its place in the user's state folder, for a workspace in which git would show it; ``None`` where none is needed
    or the user has no home.
    """

    usual: LogPath | None
    private: LogPath | None

    @property
    def files(self) -> tuple[LogPath, ...]:
        """The places that are read as one log."""
        return tuple(place for place in (self.usual, self.private) if place is not None)


class LogTarget(NamedTuple):
    """Where lines are appended, and what to report of it. Without ``events`` git would show the event stream."""

    log: LogPath
    events: LogPath | None
    notes: tuple[str, ...] = ()


def find_log(location: Location, main: str | None) -> LogPlaces:
    """Find the places of the log: all linked worktrees share that of the main one, whose folder is ``main``."""
    question = location.question
    if question.decisions is not None:
        return LogPlaces(named_file(question.start, question.decisions), None)
    if location.git is None:
        return LogPlaces((location.root or question.start, LOG), None)
    state = _find_state(question.environment)
    name = digest(location.git.repository.common_dir, location.prefix)
    private = None if state is None else (os.path.join(state, "git-sched", name), os.path.basename(LOG))
    return LogPlaces(None if main is None else (main, location.prefix + LOG), private)


def _find_state(environment: Mapping[str, str]) -> str | None:
    """Return the user's state folder; ``None`` without a home, so that nothing is written to the root of the disk."""
    state, home = environment.get("XDG_STATE_HOME", ""), environment.get("HOME", "")
    if _is_folder_of_somebody(state):  # the XDG standard ignores a relative path
        return state
    return os.path.join(home, ".local", "state") if _is_folder_of_somebody(home) else None


def _is_folder_of_somebody(path: str) -> bool:
    return os.path.isabs(path) and bool(os.path.normpath(path).strip("/"))


@contextmanager
def open_log(workspace: Workspace, *, required: bool) -> Iterator[tuple[LogTarget, Callable[[bytes], None]]]:
    """Lock the log; yield where it is, and what appends lines to it in one write.

    Where the platform or the file system cannot lock it, that is an error only if the lock is ``required``.

    Raises:
        WorldError: the log cannot be written or locked, or another process keeps it locked.
    """
    target = _choose(workspace)
    root, path = target.log
    where = os.path.join(root, path)
    with ExitStack() as stack:
        with _explained(where):  # not around what is done while the log is open: its errors are of other files
            if target.log == workspace.log.private:
                writing.refuse_git_directory(root)
                os.makedirs(root, mode=0o700, exist_ok=True)
            locked = stack.enter_context(writing.open_locked(root, path, seconds=PATIENCE, required=required))

        def append(lines: bytes) -> None:
            with _explained(where):
                locked.append(lines)

        yield target, append


@contextmanager
def lock_places(places: LogPlaces) -> Iterator[tuple[tuple[str, writing.Locked], ...]]:
    """Lock those places of the log that exist, all at once; yield the full path of each, and the open file.

    Raises:
        WorldError: one cannot be written or locked, or another process keeps it locked.
    """
    found = []
    with ExitStack() as stack:
        for root, path in places.files:
            if look(root, path).state != "absent":
                where = os.path.join(root, path)
                with _explained(where):
                    opened = writing.open_locked(root, path, seconds=PATIENCE, required=True, limit=None)
                    found.append((where, stack.enter_context(opened)))
        yield tuple(found)


@contextmanager
def _explained(where: str) -> Iterator[None]:
    """Turn errors of opening, locking and writing the log into one sentence."""
    try:
        yield
    except TimeoutError:
        raise WorldError(f"{where} is locked by another process", hint="try again in a few seconds") from None
    except LockingError:
        raise WorldError(f"{where} cannot be locked, so a task could be given out twice", hint=ELSEWHERE) from None
    except OSError as error:
        raise WorldError(f"{where} cannot be written: {error.strerror or error}", hint=ELSEWHERE) from None


def append_events(target: LogTarget, lines: bytes) -> tuple[str, ...]:
    """Append lines, if there are any, to metagit's event stream; it is a copy, so a failure is only reported."""
    if target.events is None or not lines:
        return ()
    try:
        writing.append(*target.events, lines)
    except OSError as error:
        return (f"{os.path.join(*target.events)} cannot be written: {error.strerror or error}",)
    return ()


def _choose(workspace: Workspace) -> LogTarget:
    """Choose where to append: not where git tracks the log or would show it, since it must not end up in a commit.

    Raises:
        WorldError: the file that the user named is in a git directory, or git would show it; or git fails.
    """
    places = workspace.log
    if places.usual is None:
        return _in_private(workspace)
    root, path = places.usual
    events = (root, _events_beside(path))
    full = os.path.join(root, path)
    if files.in_git_directory(os.path.dirname(full)):
        raise WorldError(f"{full} is in a git directory, which is never written", hint="name another --decisions")
    for place in (path, events[1]):
        if files.is_link(root, os.path.dirname(place)):  # git asks nothing about what is behind a link
            linked = os.path.join(root, os.path.dirname(place))
            raise WorldError(f"{linked} is reached through a symbolic link, which is not followed", hint=ELSEWHERE)
    visible = _find_visible(workspace, root, [path, events[1]])
    if path in visible and places.private is None:
        raise WorldError(
            f"git would show {path}, so nothing was recorded",
            hint=f"add /{path} to .gitignore, or name a file elsewhere with --decisions",
        )
    if path in visible:
        target = _in_private(workspace)
        return target._replace(notes=(f"the log is {os.path.join(*target.log)}, since git would show {path}",))
    if events[1] in visible:
        return LogTarget(places.usual, None, (f"no events were written, since git would show {events[1]}",))
    return LogTarget(places.usual, events)


def _in_private(workspace: Workspace) -> LogTarget:
    if workspace.log.private is None:
        raise WorldError("there is no home folder to keep the log in, as HOME is not set", hint=ELSEWHERE)
    root, path = workspace.log.private
    return LogTarget((root, path), (root, _events_beside(path)))


def _events_beside(path: str) -> str:
    """Return the events file of a log: metagit's in a workspace, else one in the log's folder."""
    if path == LOG or path.endswith(f"/{LOG}"):
        return path.removesuffix(LOG) + EVENTS
    return os.path.join(os.path.dirname(path), os.path.basename(EVENTS))


def _find_visible(workspace: Workspace, root: str, paths: list[str]) -> set[str]:
    """Find those of the paths below a folder that git tracks or would show as untracked."""
    git = workspace.location.git
    tops = [top for top in (workspace.location.top, workspace.main_top) if top]
    above = [top for top in tops if _is_below(root, top)]
    if git is None or not above:
        return set()
    top = max(above, key=len)
    inside = {path: os.path.relpath(os.path.join(root, path), top) for path in paths}
    ignored = git.ignored(top, list(inside.values()))
    return {path for path, relative in inside.items() if relative not in ignored}


def _is_below(path: str, folder: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(folder) or os.path.realpath(path).startswith(
        os.path.realpath(folder) + os.sep
    )
