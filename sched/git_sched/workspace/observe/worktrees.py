"""Worktrees: git's linked ones, metagit's list, or a file named by the user."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.ids import is_id
from git_sched.model.signals import Worktree, Worktrees
from git_sched.workspace import files
from git_sched.workspace.observe.json_files import JsonPlace, SideFile, read_json, rows, text, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from git_sched.model.problems import Problem
    from git_sched.workspace.git import Git, Repository

METAGIT = ".metagit/worktrees/worktrees.json"
ADMINISTRATION = "worktrees"
"""The folder of a git directory that lists linked worktrees (see gitrepository-layout); without it there are none."""

NO_LIST = "it holds no list of worktrees"


class Linked(NamedTuple):
    """A linked worktree as git lists it: its folder and its branch."""

    path: str
    branch: str


def list_linked(git: Git) -> tuple[str | None, tuple[Linked, ...]]:
    """Return the main worktree's folder (``None`` for a bare repository) and the linked ones whose folders exist."""
    repository = git.repository
    if _is_main(repository) and not files.exists(repository.common_dir, ADMINISTRATION):
        return repository.top, ()
    code, out = git("worktree", "list", "--porcelain", "-z", allowed=(0, 129))
    split = b"\0"
    if code:  # git before 2.36 has no -z, and cannot list a path with a line break
        out, split = git("worktree", "list", "--porcelain")[1], b"\n"
    entries = [
        dict(row.decode("utf-8", "surrogateescape").partition(" ")[::2] for row in block.split(split))
        for block in out.split(split + split)
        if block.strip(split)
    ]
    linked = tuple(
        Linked(entry["worktree"], entry.get("branch", "").removeprefix("refs/heads/"))
        for entry in entries[1:]
        if "bare" not in entry and "prunable" not in entry and os.path.isdir(entry["worktree"])
    )
    return _main(git, entries[0]), linked


def _main(git: Git, listed: dict[str, str]) -> str | None:
    """Return the main worktree's folder. If the git directory is elsewhere, git lists that instead."""
    repository = git.repository
    if _is_main(repository):
        return repository.top
    if "bare" in listed:
        return None
    if os.path.realpath(listed["worktree"]) != repository.common_dir:
        return listed["worktree"]
    code, out = git("config", "--get", "core.worktree", allowed=(0, 1))  # set in a submodule
    if code:
        return None
    return os.path.realpath(os.path.join(repository.common_dir, os.fsdecode(out).removesuffix("\n")))


def _is_main(repository: Repository) -> bool:
    return repository.top is not None and repository.git_dir == repository.common_dir


def observe(
    place: JsonPlace | None, linked: Sequence[Linked], *, own_repository: Callable[[], str | None], pool: Sequence[str]
) -> tuple[Worktrees, tuple[Problem, ...]]:
    """Join git's linked worktrees with the active rows of metagit's list, whose paths are relative to its workspace."""
    root, at, name = place or JsonPlace("", METAGIT, METAGIT)
    side = SideFile() if place is None else read_json(root, at)
    listed = _active(side.value, absent="") if side.value is not None else []
    if side.problem or listed is None:
        problem = side.problem or unreadable(at, NO_LIST)
        return Worktrees(source=f"{name} cannot be read"), (problem,)
    home = os.path.join(root, at.removesuffix(METAGIT))
    by_path = {os.path.realpath(os.path.join(home, path)): row for row in listed if (path := text(row, "path"))}
    rows_of = [(tree, by_path.get(os.path.realpath(tree.path), {})) for tree in linked]
    found = [_of_row(row, agent_id=_owner(tree, pool), repository=own_repository()) for tree, row in rows_of]
    found += [_of_row(row) for row in listed if not any(row is other for _, other in rows_of)]
    sources = [f"{len(listed)} active ({name})"] if side.value is not None else []
    sources += [f"{len(linked)} linked in git"] if linked else []
    if not sources:
        return Worktrees(), ()
    trees = _sorted(found)
    speaks_of = None if side.value is not None else tuple(sorted({tree.repository for tree in trees}))
    return Worktrees(trees, known=True, source=", ".join(sources), complete=speaks_of), ()


def from_file(root: str, path: str) -> tuple[Worktrees, tuple[Problem, ...]]:
    """Read the worktrees from a file named by the user, in metagit's format; it is for all repositories."""
    side = read_json(root, path)
    listed = _active(side.value, absent="active")
    if side.problem or listed is None:
        reason = NO_LIST if files.exists(root, path) else "it does not exist"
        return Worktrees(source=f"{path} cannot be read"), (side.problem or unreadable(path, reason),)
    trees = _sorted(map(_of_row, listed))
    return Worktrees(trees, known=True, source=f"{len(trees)} active ({path})"), ()


def _active(value: object, *, absent: str) -> list[dict[str, object]] | None:
    """Return the active rows of a list of worktrees, or ``None`` if the value is not one."""
    listed = rows(value, "worktrees")
    return None if listed is None else [row for row in listed if row.get("status", absent) == "active"]


def _of_row(
    row: Mapping[str, object], *, agent_id: str | None = None, repository: str | None = None
) -> Worktree | None:
    """Read a row; what it leaves out is taken from git's worktree at the same path."""
    said = text(row, "agent_id")
    home = text(row, "repository") or repository
    return Worktree(home, said if said is not None and is_id(said) else agent_id) if home else None


def _owner(tree: Linked, pool: Sequence[str]) -> str | None:
    names = (os.path.basename(tree.path), tree.branch)
    for agent in sorted(pool, key=len, reverse=True):
        word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(agent)}(?![A-Za-z0-9])")
        if any(word.search(name) for name in names):
            return agent
    return None


def _sorted(found: Iterable[Worktree | None]) -> tuple[Worktree, ...]:
    return tuple(sorted((tree for tree in found if tree), key=lambda tree: (tree.repository, tree.agent_id or "")))
