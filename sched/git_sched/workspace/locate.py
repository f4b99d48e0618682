"""Finds the location that a command works on: the repository, the commit, and the folder that is the workspace."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from git_sched.formats.base import below_any_folder
from git_sched.formats.places import EVERY_PLACE
from git_sched.model.problems import RequestError
from git_sched.workspace import files, git, places
from git_sched.workspace.commits import head_commit, read_commit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_sched.model.basis import Commit
    from git_sched.workspace.question import Question

MARKER = ".metagit"
"""The folder that makes its parent a workspace, as the files of a known tracker do."""

INNER = frozenset({MARKER, *(place.partition("/")[0] for place in EVERY_PLACE if place.startswith("."))})
"""The folders that trackers keep their files in."""


class Location(NamedTuple):
    """What a command works on.

    ``top`` is the work tree's folder, ``None`` in a bare repository; ``prefix`` the workspace's path from there with
    a slash at the end, or empty; ``root`` the workspace's folder. ``entries`` are the files of the commit that is
    read, or of HEAD. ``from_commit`` is true if the work tree is not read; else ``checkout`` is the work tree, or
    outside of git the workspace's folder.
    """

    question: Question
    git: git.Git | None
    commit: Commit | None
    entries: tuple[git.TreeEntry, ...]
    top: str | None
    prefix: str
    root: str | None
    from_commit: bool
    checkout: places.Checkout | None = None

    def look(self, path: str) -> places.Place:
        """Look at a path relative to the workspace in the work tree, which there must be."""
        if self.checkout is None:
            raise ValueError("there is no work tree")
        return self.checkout.look(self.prefix + path)

    def relative(self, named: str) -> str | None:
        """Return a path from the command line relative to the workspace, or ``None`` if it is outside."""
        if self.root is None:
            return files.inside(named)
        full = os.path.normpath(os.path.join(os.path.realpath(self.question.start), named))
        return files.inside(os.path.relpath(full, os.path.realpath(self.root)))


def locate(question: Question, found: git.Git | None, *, home: str | None = None) -> Location:
    """Find commit and workspace. A bare repository is read at HEAD; outside of git only files on disk are read.

    The workspace is looked for from ``home``, the folder of ``found``, or else from where the question starts.

    Raises:
        RequestError: a folder that was named is not one, or a revision was named outside of git.
        WorldError: a folder that was named cannot be looked at.
        MissingRevisionError: this clone does not have the revision.
    """
    top = found.repository.top if found else None
    rev = "HEAD" if question.revision is None and found is not None and top is None else question.revision
    if found is None and rev is not None:
        raise RequestError(f"--rev {rev} needs a git repository, and this is not one")
    commit = None
    if found is not None:
        commit = head_commit(found) if rev is None else read_commit(found, rev)
    entries = found.tree(commit.object_id) if found and commit else ()
    start = os.path.realpath(home or question.start)
    location = Location(question, found, commit, entries, top, "", None, from_commit=rev is not None)
    if found is None:
        root = _outside_git(question, start)
        return location._replace(root=root, checkout=places.Checkout(root, git=None, entries=()))
    if top is None:
        return location
    if not location.from_commit:
        location = location._replace(checkout=places.Checkout(top, git=found, entries=entries))
    prefix = _named(location, start, top) if question.workspace is not None else _nearest(location, start, top)
    return location._replace(prefix=prefix, root=os.path.join(top, prefix))


def _named(location: Location, start: str, top: str) -> str:
    named = os.path.realpath(os.path.join(start, location.question.workspace or ""))
    inner = os.path.relpath(named, os.path.realpath(top))
    prefix = "" if inner == "." else f"{inner}/"
    if inner.split(os.sep)[0] != ".." and (places.is_folder(named) or _is_committed(location, prefix)):
        return prefix
    raise RequestError(f"--workspace {location.question.workspace} is not a folder of this repository")


def _is_committed(location: Location, prefix: str) -> bool:
    """Whether a folder that the work tree lacks has files in the commit that is read, or that git keeps out of it."""
    if location.checkout is not None:
        return location.checkout.keeps_out(prefix)
    return any(entry.path.startswith(prefix) for entry in location.entries)


def _nearest(location: Location, start: str, top: str) -> str:
    """Return the prefix of the nearest folder, from the start up to the top level, with files of a known tracker."""
    inner = os.path.relpath(start, os.path.realpath(top))
    parts = [] if inner == "." or inner.split(os.sep)[0] == ".." else inner.split(os.sep)
    for n in range(len(parts), 0, -1):
        if parts[n - 1] in INNER:  # a tracker's own folder is not a workspace, even if it looks like an older layout
            continue
        prefix = "".join(f"{part}/" for part in parts[:n])
        if location.from_commit:
            found = any(_list_marks(location, prefix))
        else:
            found = is_workspace(os.path.join(top, prefix)) or _has_kept_out_tasks(location, prefix)
        if found:
            return prefix
    return ""


def _list_marks(location: Location, prefix: str) -> Iterator[str]:
    """Yield the files of a commit, below a folder, that make it a workspace."""
    yield from (entry.path for entry in location.entries if entry.path.startswith(f"{prefix}{MARKER}/"))
    yield from (prefix + path for path in list_committed_tasks(location, prefix))


def list_committed_tasks(location: Location, prefix: str) -> Iterator[str]:
    """Return the files of a commit that are in a tracker's place below a folder, by their paths from there."""
    pattern = below_any_folder(EVERY_PLACE, at_root=True)
    below = (entry.path.removeprefix(prefix) for entry in location.entries if entry.path.startswith(prefix))
    return (path for path in below if pattern.fullmatch(path))


def _has_kept_out_tasks(location: Location, prefix: str) -> bool:
    checkout = location.checkout
    return checkout is not None and any(path in checkout.kept_out for path in _list_marks(location, prefix))


def is_workspace(folder: str) -> bool:
    """Return whether a folder may be a workspace: it has, or may have, files of a tracker, or a place for a policy."""
    return has_tasks(folder) or files.exists(folder, MARKER)


def has_tasks(folder: str) -> bool:
    """Return whether a folder has files of a tracker, or a place for them that cannot be looked into."""
    found = places.expand_all(folder, EVERY_PLACE)
    return bool(found.paths) or any(not block.is_link or block.at.startswith(".") for block in found.blocked)


def _outside_git(question: Question, start: str) -> str:
    """Return the workspace outside of git: the folder that was named, the nearest with task files, or ``start``."""
    if question.workspace is not None:
        named = os.path.realpath(os.path.join(start, question.workspace))
        if not places.is_folder(named):
            raise RequestError(f"--workspace {question.workspace} is not a folder")
        return named
    if not places.is_folder(start):
        raise RequestError(f"{question.start} is not a folder")
    folder = start
    while os.path.basename(folder) in INNER or not is_workspace(folder):
        above = os.path.dirname(folder)
        if above == folder:
            return start
        folder = above
    return folder


def named_file(start: str, named: str) -> tuple[str, str]:
    """Split a path from the command line into a folder and a name in it."""
    full = os.path.join(start, named)
    return os.path.realpath(os.path.dirname(full)), os.path.basename(full) or "."
