"""Worktrees: git's linked ones, metagit's list, or a file named by the user."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.ids import is_id
from git_sched.model.problems import Problem, WorldError
from git_sched.model.signals import Worktree, Worktrees
from git_sched.workspace import files
from git_sched.workspace.git import ADMINISTRATION
from git_sched.workspace.observe.json_files import JsonPlace, read_json, rows, text, unreadable
from git_sched.workspace.places import HINT, expand, look_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from git_sched.workspace.git import Git, Repository

METAGIT = ".metagit/worktrees/worktrees.json"
NO_LIST = "it holds no list of worktrees"


class Linked(NamedTuple):
    """A linked worktree as git lists it: its folder and its branch, and why the folder cannot be looked at."""

    path: str
    branch: str
    unseen: str = ""


def list_linked(git: Git) -> tuple[str | None, tuple[Linked, ...]]:
    """Return the main worktree's folder (``None`` for a bare repository) and the linked ones whose folders exist.

    Raises:
        WorldError: git fails, or its list cannot be looked at.
    """
    repository = git.repository
    if _is_main(repository) and not files.exists(repository.common_dir, ADMINISTRATION):
        return repository.top, ()
    for block in expand(repository.common_dir, f"{ADMINISTRATION}/*").blocked:  # git lists none of them then
        raise WorldError(f"git's list of worktrees is unknown: {block.why}", hint=HINT)
    entries = git.worktrees()
    return _main(git, entries[0]), tuple(_find_linked(entries[1:]))


def _find_linked(listed: Iterable[Mapping[str, str]]) -> Iterator[Linked]:
    """Yield the linked worktrees that exist, and those that cannot be looked at: git calls these prunable as well."""
    for entry in listed:
        place = look_at(entry["worktree"])
        if "bare" not in entry and (place.state == "unseen" or (place.is_folder and "prunable" not in entry)):
            yield Linked(entry["worktree"], entry.get("branch", "").removeprefix("refs/heads/"), place.why)


def _main(git: Git, listed: dict[str, str]) -> str | None:
    """Return the main worktree's folder. If the git directory is elsewhere, git lists that instead."""
    repository = git.repository
    if _is_main(repository):
        return repository.top
    if "bare" in listed:
        return None
    if os.path.realpath(listed["worktree"]) != repository.common_dir:
        return listed["worktree"]
    named = git.config("core.worktree")  # set in a submodule
    return None if named is None else os.path.realpath(os.path.join(repository.common_dir, named))


def _is_main(repository: Repository) -> bool:
    return repository.top is not None and repository.git_dir == repository.common_dir


class Listed(NamedTuple):
    """metagit's list: its active rows, ``None`` if there are none that can be read, also by the full path of each."""

    rows: list[dict[str, object]] | None = None
    by_path: Mapping[str, dict[str, object]] = {}
    name: str = METAGIT
    problem: Problem | None = None


class Counting(NamedTuple):
    """Whose worktrees there are: the members of the pool and the named agents; and whether those of one count."""

    agents: tuple[str, ...] = ()
    counts: Callable[[str | None], bool] = bool


def read_list(place: JsonPlace | None) -> Listed:
    """Read metagit's list of worktrees, whose paths are relative to its workspace."""
    if place is None:
        return Listed()
    root, at, name = place
    side = read_json(root, at)
    active = _active(side.value, absent="") if side.value is not None else None
    if side.problem or (side.value is not None and active is None):
        return Listed(name=name, problem=side.problem or unreadable(at, NO_LIST))
    home = os.path.join(root, at.removesuffix(METAGIT))
    by_path = {os.path.realpath(os.path.join(home, path)): row for row in active or () if (path := text(row, "path"))}
    return Listed(active, by_path, name)


def observe(
    listed: Listed, linked: Sequence[Linked], *, own_repository: Callable[[], str | None], counting: Counting
) -> tuple[Worktrees, tuple[Problem, ...]]:
    """Join git's linked worktrees with the active rows of metagit's list."""
    if listed.problem:
        return Worktrees(source=f"{listed.name} cannot be read"), (listed.problem,)
    unseen = tuple(
        Problem("warning", "signal-unreadable", f"{tree.unseen}; the worktree counts as existing", hint=HINT)
        for tree in linked
        if tree.unseen
    )
    rows_of = [(tree, _row_of(tree, listed)) for tree in linked]
    found = [
        _of_row(row, agent_id=_named_after(tree, counting.agents), repository=own_repository()) for tree, row in rows_of
    ]
    found += [_of_row(row) for row in listed.rows or () if not any(row is other for _, other in rows_of)]
    sources = [f"{len(listed.rows)} active ({listed.name})"] if listed.rows is not None else []
    sources += [f"{len(linked)} linked in git"] if linked else []
    if not sources:
        return Worktrees(), unseen
    trees = _sorted(found)
    speaks_of = None if listed.rows is not None else tuple(sorted({tree.repository for tree in trees}))
    source = ", ".join([*sources, *_left_out(trees, counting)])
    return Worktrees(trees, known=True, source=source, complete=speaks_of), unseen


def find_owner(folder: str | None, linked: Sequence[Linked], *, listed: Listed, pool: Sequence[str]) -> str | None:
    """Return whose worktree a folder is: that of metagit's row, else of the pool's member a linked one is named after.

    metagit's worktrees may be of another repository than the workspace, so that ``linked`` does not have them.
    """
    here = None if folder is None else os.path.realpath(folder)
    unlinked = Linked(here, "") if here is not None and here in listed.by_path else None
    tree = next((tree for tree in linked if os.path.realpath(tree.path) == here), unlinked)
    return None if tree is None else _agent_of(_row_of(tree, listed)) or _named_after(tree, pool)


def _left_out(trees: Sequence[Worktree], counting: Counting) -> list[str]:
    number = sum(not counting.counts(tree.agent_id) for tree in trees)
    return [f"{number} left out by agent_pool"] if number else []


def from_file(root: str, path: str, *, counting: Counting) -> tuple[Worktrees, tuple[Problem, ...]]:
    """Read the worktrees from a file named by the user, in metagit's format; it is for all repositories."""
    side = read_json(root, path)
    listed = _active(side.value, absent="active")
    if side.problem or listed is None:
        reason = NO_LIST if files.exists(root, path) else "it does not exist"
        return Worktrees(source=f"{path} cannot be read"), (side.problem or unreadable(path, reason),)
    trees = _sorted(map(_of_row, listed))
    source = ", ".join([f"{len(trees)} active ({path})", *_left_out(trees, counting)])
    return Worktrees(trees, known=True, source=source), ()


def _active(value: object, *, absent: str) -> list[dict[str, object]] | None:
    """Return the active rows of a list of worktrees, or ``None`` if the value is not one."""
    listed = rows(value, "worktrees")
    return None if listed is None else [row for row in listed if row.get("status", absent) == "active"]


def _of_row(
    row: Mapping[str, object], *, agent_id: str | None = None, repository: str | None = None
) -> Worktree | None:
    """Read a row; what it leaves out is taken from git's worktree at the same path."""
    home = text(row, "repository") or repository
    return Worktree(home, _agent_of(row) or agent_id) if home else None


def _row_of(tree: Linked, listed: Listed) -> Mapping[str, object]:
    return listed.by_path.get(os.path.realpath(tree.path), {})


def _agent_of(row: Mapping[str, object]) -> str | None:
    said = text(row, "agent_id")
    return said if said is not None and is_id(said) else None


def _named_after(tree: Linked, agents: Sequence[str]) -> str | None:
    """Return the agent that a worktree's folder or branch is named after, the longest name that fits."""
    names = (os.path.basename(tree.path), tree.branch)
    for agent in sorted(agents, key=len, reverse=True):
        word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(agent)}(?![A-Za-z0-9])")
        if any(word.search(name) for name in names):
            return agent
    return None


def _sorted(found: Iterable[Worktree | None]) -> tuple[Worktree, ...]:
    return tuple(sorted((tree for tree in found if tree), key=lambda tree: (tree.repository, tree.agent_id or "")))
