"""Finds the workspace of a worktree that metagit made for an agent: its task files are in the workspace alone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from git_sched.model.problems import WorldError
from git_sched.workspace import files
from git_sched.workspace.locate import has_tasks
from git_sched.workspace.observe.json_files import read_json, rows, text
from git_sched.workspace.observe.worktrees import METAGIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_sched.workspace.locate import Location


def find_home(location: Location) -> str | None:
    """Return the folder of the workspace whose list names this linked worktree, if the worktree has no task files.

    metagit keeps task files where git ignores them, and makes worktrees of any of its repositories below the workspace.

    Raises:
        WorldError: a list that may name it cannot be read.
    """
    git, top = location.git, location.top
    if git is None or top is None or location.from_commit or location.question.workspace is not None:
        return None
    if git.repository.git_dir == git.repository.common_dir or has_tasks(location.root or top):
        return None
    here = os.path.realpath(top)
    folders = dict.fromkeys((*_above(here), os.path.dirname(git.repository.common_dir)))
    return next((folder for folder in folders if _lists(folder, here)), None)


def _above(folder: str) -> Iterator[str]:
    while (above := os.path.dirname(folder)) != folder:
        yield above
        folder = above


def _lists(folder: str, worktree: str) -> bool:
    """Whether metagit's list in a folder has an active row for a worktree."""
    if not files.exists(folder, METAGIT):
        return False
    data = files.read(folder, METAGIT)
    if isinstance(data, files.Refusal) and data.code == "unreadable":
        message = f"the workspace of this worktree may be {folder}: {data.message}"
        raise WorldError(message, hint="make it readable, or name the workspace with --workspace")
    listed = rows(read_json(folder, METAGIT).value, "worktrees") or []
    paths = [text(row, "path") for row in listed if row.get("status") == "active"]
    return any(path and os.path.realpath(os.path.join(folder, path)) == worktree for path in paths)
