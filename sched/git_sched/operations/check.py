"""The record of ``check``, for the files or folders that were named."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from git_sched.model.problems import RequestError
from git_sched.workspace import files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.operations.answer import Asked
    from git_sched.workspace.locate import Ground


def checked(asked: Asked, paths: Sequence[str]) -> record.CheckRecord:
    """Build the record of ``check``: the problems of some files or folders, or all where none is named."""
    from git_sched.report.next import check, problems_in

    chosen = {_selected(asked.gathered.ground, path) for path in paths}
    return check(asked.answer, problems_in(asked.answer.problems, chosen))


def _selected(ground: Ground, named: str) -> str:
    """Give a path from the workspace, ``.`` for all of it; one that selects nothing ends the command."""
    full = os.path.realpath(os.path.join(ground.question.start, named))
    if ground.root is not None and full == os.path.realpath(ground.root):
        return "."
    path = ground.relative(named)
    if path is None:
        raise RequestError(f"{named} lies outside the workspace", hint="name files of the workspace, or -C another one")
    if ground.from_commit or ground.root is None:
        below = f"{ground.prefix}{path}"
        found = any(entry.path == below or entry.path.startswith(f"{below}/") for entry in ground.entries)
    else:
        found = files.exists(ground.root, path)
    if not found:
        raise RequestError(f"{named} does not exist", hint="correct the name")
    return path
