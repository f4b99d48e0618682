"""The record of ``check``, for the files or folders that were named."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from git_sched.model.problems import RequestError
from git_sched.workspace import files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.operations.answer import Result
    from git_sched.workspace.locate import Location


def check_workspace(asked: Result, paths: Sequence[str]) -> record.CheckRecord:
    """Build the record of ``check``: the problems of some files or folders, or all where none is named."""
    from git_sched.decide.diagnose import find_unweighed_dues
    from git_sched.model.problems import sort_problems
    from git_sched.report.next import build_check, select_problems

    chosen = {_selected(asked.workspace.location, path) for path in paths}
    answer = asked.answer
    unweighed = find_unweighed_dues(answer.metrics.network, answer.metrics.policy) if answer.inputs.policy else ()
    return build_check(answer, select_problems(sort_problems((*answer.problems, *unweighed)), chosen))


def _selected(location: Location, named: str) -> str:
    """Give a path from the workspace, ``.`` for all of it; one that selects nothing ends the command."""
    full = os.path.realpath(os.path.join(location.question.start, named))
    if location.root is not None and full == os.path.realpath(location.root):
        return "."
    path = location.relative(named)
    if path is None:
        raise RequestError(f"{named} lies outside the workspace", hint="name files of the workspace, or -C another one")
    if location.from_commit or location.root is None:
        below = f"{location.prefix}{path}"
        found = any(entry.path == below or entry.path.startswith(f"{below}/") for entry in location.entries)
    else:
        found = files.exists(location.root, path)
    if not found:
        raise RequestError(f"{named} does not exist", hint="correct the name")
    return path
