"""Finds the problems of a workspace, or of some of its files and folders, for ``check``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from git_sched.formats.base import below_any_folder
from git_sched.formats.places import EVERY_PLACE
from git_sched.model.problems import RequestError, WorldError, sort_problems
from git_sched.workspace import places
from git_sched.workspace.discover import is_excluded
from git_sched.workspace.locate import INNER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from git_sched import record
    from git_sched.model.policy import Policy
    from git_sched.operations.answer import Result
    from git_sched.workspace.locate import Location

HOMES: Final = frozenset(place.partition("/")[0] for place in EVERY_PLACE if "/" in place)
"""Folders that belong to a tracker if something in them was read as a task file of that tracker."""


def check_workspace(asked: Result, paths: Sequence[str], *, finished: bool = False) -> record.CheckRecord:
    """Build the record of ``check``: the problems of some files or folders, or all where none is named.

    With ``finished`` those about finished tasks that no open task waits for are among them.

    Raises:
        RequestError: a path does not exist, or nothing reads it and it is not left out on purpose.
    """
    from git_sched.decide.diagnose import find_unweighed_dues
    from git_sched.report.check import build_check, select_problems

    answer, location = asked.answer, asked.workspace.location
    chosen = {_relative(location, path): path for path in paths}
    read = {path for path, _ in answer.inputs.basis.inputs} | {problem.path for problem in answer.inputs.problems}
    unread = [path for path in chosen if not _covers(path, read)]
    for path in unread:
        if not (_is_side_file(path, read) or _is_left_out(path, answer.metrics.policy)):
            hint = f"git sched check --graph {chosen[path]} reads it as a task file"
            raise RequestError(f"{chosen[path]} was not read: it is not where any tracker keeps its tasks", hint=hint)
    unweighed = find_unweighed_dues(answer.metrics.network, answer.metrics.policy) if answer.inputs.policy else ()
    more = answer.finished_problems if finished else ()
    found = sort_problems((*answer.problems, *unweighed, *more))
    return build_check(answer, select_problems(found, chosen), not_read=unread)


def _covers(path: str, read: Iterable[str]) -> bool:
    """Whether something was read at a path, or below it."""
    return path == "." or any(one == path or one.startswith(f"{path}/") for one in read)


def _is_side_file(path: str, read: Iterable[str]) -> bool:
    """Whether a path is in a tracker's own folder: a hidden one, or one from which something was read."""
    parts = path.split("/")
    homes = ("/".join(parts[:n]) for n, part in enumerate(parts, 1) if part in HOMES)
    return not INNER.isdisjoint(parts) or any(_covers(home, read) for home in homes)


def _is_left_out(path: str, policy: Policy) -> bool:
    """Whether a path is not read because the policy excludes it or names other sources."""
    return is_excluded(path, policy.exclude) or bool(policy.sources and below_any_folder(EVERY_PLACE).fullmatch(path))


def _relative(location: Location, named: str) -> str:
    """Return a path relative to the workspace, ``.`` for all of it.

    Raises:
        RequestError: the path does not exist.
        WorldError: that cannot be found out.
    """
    full = os.path.realpath(os.path.join(location.question.start, named))
    if location.root is not None and full == os.path.realpath(location.root):
        return "."
    path = location.relative(named)
    if path is None:
        raise RequestError(f"{named} is outside the workspace", hint="name files of the workspace, or -C another one")
    if location.from_commit or location.root is None:
        found = _covers(f"{location.prefix}{path}", (entry.path for entry in location.entries))
    else:
        place = location.look(path)
        if place.state == "unseen":
            raise WorldError(place.why, hint=places.HINT)
        found = place.kept_out or place.state == "there" or _keeps_out(location.checkout, f"{location.prefix}{path}/")
    if not found:
        raise RequestError(f"{named} does not exist", hint="correct the name")
    return path


def _keeps_out(checkout: places.Checkout | None, folder: str) -> bool:
    return checkout is not None and checkout.keeps_out(folder)
