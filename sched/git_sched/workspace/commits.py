"""Finds commits: the one that a revision names, that of HEAD, and the one at which two diverged."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from git_sched.model.basis import Commit
from git_sched.model.problems import MissingRevisionError, WorldError
from git_sched.model.times import LATEST
from git_sched.workspace import places
from git_sched.workspace.git_batch import Absent
from git_sched.workspace.git_output import FAILED, read_id

if TYPE_CHECKING:
    from git_sched.workspace.git import Git

_LONGEST_NAME = 4096
"""Bytes of a HEAD that are read: the longest path of a file."""

_PARENT = re.compile(rb"^parent ([0-9a-f]+)$", re.MULTILINE)
_COMMITTER = re.compile(rb"^committer .*> (\d{1,20})", re.MULTILINE)


def read_commit(git: Git, revision: str) -> Commit:
    """Find the commit that a revision names, with its committer date.

    Raises:
        MissingRevisionError: this clone does not have it.
    """
    found = find_commit(git, revision)
    if found is None:
        hint = "git log --oneline lists commits, git branch --all branches"
        if head_commit(git) is None:
            hint = "this repository has no commits yet"
        elif os.path.exists(os.path.join(git.repository.common_dir, "shallow")):
            hint = "this clone is shallow: git fetch --unshallow gets the rest"
        raise MissingRevisionError(f"there is no revision {revision} here", hint=hint)
    return found


def head_commit(git: Git) -> Commit | None:
    """Find the commit of HEAD, or ``None`` if the repository has no commits yet.

    Raises:
        WorldError: HEAD points to a commit that this clone does not have, or its branch is damaged.
    """
    found = _find(git, "HEAD")
    if not isinstance(found, Absent):
        return found
    if git("rev-parse", "--verify", "--quiet", "HEAD", allowed=(0, 1))[0] == 0:
        raise WorldError(f"HEAD names a commit that is not here: {found.reason}", hint=FAILED)
    if (damaged := _damaged_branch(git)) is not None:
        raise WorldError(f"{damaged} is damaged: it names no commit", hint=FAILED)
    return None


def _damaged_branch(git: Git) -> str | None:
    """Return the branch of HEAD if it has a file, though git finds no commit: git says the same of a new branch."""
    with suppress(OSError), open(os.path.join(git.repository.git_dir, "HEAD"), "rb") as head:
        kind, _, name = os.fsdecode(head.read(_LONGEST_NAME)).strip().partition(" ")
        if kind == "ref:" and places.look(git.repository.common_dir, name).state == "there":
            return name.removeprefix("refs/heads/")
    return None


def find_commit(git: Git, revision: str) -> Commit | None:
    """Find the commit that a revision names, or ``None`` if this clone has none of that name."""
    found = _find(git, revision)
    return None if isinstance(found, Absent) else found


def _find(git: Git, revision: str) -> Commit | Absent:
    found = git.read(f"{revision}^{{commit}}")
    if isinstance(found, Absent):
        return found
    # Old tools wrote broken dates and zones, and git accepts numbers beyond any calendar.
    head = found.data.partition(b"\n\n")[0]
    match = _COMMITTER.search(head)
    parents = tuple(parent.decode() for parent in _PARENT.findall(head))
    return Commit(found.object_id, min(int(match[1]), LATEST) if match else 0, parents)


def merge_base(git: Git, one: str, other: str) -> str | None:
    """Return the commit at which two revisions diverged, or ``None`` if this clone lacks it or one of them."""
    code, out = git("merge-base", "--end-of-options", one, other, allowed=(0, 1, 128))
    return read_id(out, verb="merge-base") if code == 0 else None
