"""Worktrees: git's linked ones, metagit's list, or a file named by hand (rule A7)."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from git_sched.ids import is_id
from git_sched.observe.side_files import read_json, rows, text, unreadable
from git_sched.signals import Worktree, Worktrees

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from git_sched.git import Git
    from git_sched.problems import Problem

METAGIT = ".metagit/worktrees/worktrees.json"


class Linked(NamedTuple):
    """A linked worktree as git lists it: its folder and its branch."""

    path: str
    branch: str


def list_linked(git: Git) -> tuple[str | None, tuple[Linked, ...]]:
    """Give the main worktree's folder (``None`` for a bare repository) and the linked ones that are really there."""
    code, out = git("worktree", "list", "--porcelain", "-z", allowed=(0, 129))
    split = b"\0"
    if code:  # git before 2.36 has no -z; a path with a line break is then beyond it
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
    """Give the main worktree's folder. Git lists the git directory in its place where the two lie apart."""
    repository = git.repository
    if repository.top is not None and repository.git_dir == repository.common_dir:
        return repository.top
    if "bare" in listed:
        return None
    if os.path.realpath(listed["worktree"]) != repository.common_dir:
        return listed["worktree"]
    code, out = git("config", "--get", "core.worktree", allowed=(0, 1))  # set in a submodule
    if code:
        return None
    return os.path.realpath(os.path.join(repository.common_dir, os.fsdecode(out).removesuffix("\n")))


def observe(
    root: str, linked: Sequence[Linked], *, own_repository: Callable[[], str | None], pool: Sequence[str]
) -> tuple[Worktrees, tuple[Problem, ...]]:
    """Join git's linked worktrees with the active rows of metagit's list."""
    side = read_json(root, METAGIT)
    if side.problem:
        return Worktrees(source=f"{METAGIT} cannot be read"), (side.problem,)
    if side.value is not None and not isinstance(side.value, dict | list):
        return Worktrees(source=f"{METAGIT} cannot be read"), (unreadable(METAGIT, "it holds no list of worktrees"),)
    listed = [row for row in rows(side.value, "worktrees") if row.get("status") == "active"]
    found = [tree for row in listed if (tree := _of_row(row))]
    by_path = {os.path.realpath(path) for row in listed if (path := text(row, "path"))}
    own = [tree for tree in linked if os.path.realpath(tree.path) not in by_path]
    if own and (repository := own_repository()):
        found.extend(Worktree(repository, _owner(tree, pool)) for tree in own)
    sources = []
    if side.value is not None:
        sources.append(f"{len(listed)} active in {METAGIT}")
    if linked:
        sources.append(f"{len(linked)} linked in git")
    if not sources:
        return Worktrees(), ()
    speaks_of = None if side.value is not None else tuple(sorted({tree.repository for tree in found}))
    return Worktrees(_sorted(found), known=True, source=", ".join(sources), complete=speaks_of), ()


def from_file(root: str, path: str) -> tuple[Worktrees, tuple[Problem, ...]]:
    """Read the worktrees from a file named by hand, in metagit's shape; it speaks of every repository."""
    side = read_json(root, path)
    if side.problem or side.value is None:
        problem = side.problem or unreadable(path, "it does not exist")
        return Worktrees(source=f"{path} cannot be read"), (problem,)
    listed = [row for row in rows(side.value, "worktrees") if row.get("status", "active") == "active"]
    found = [tree for row in listed if (tree := _of_row(row))]
    return Worktrees(_sorted(found), known=True, source=f"{len(found)} active in {path}"), ()


def _of_row(row: dict[str, object]) -> Worktree | None:
    repository, agent_id = text(row, "repository"), text(row, "agent_id")
    if repository is None:
        return None
    return Worktree(repository, agent_id if agent_id is not None and is_id(agent_id) else None)


def _owner(tree: Linked, pool: Sequence[str]) -> str | None:
    names = (os.path.basename(tree.path), tree.branch)
    for agent in sorted(pool, key=len, reverse=True):
        word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(agent)}(?![A-Za-z0-9])")
        if any(word.search(name) for name in names):
            return agent
    return None


def _sorted(found: list[Worktree]) -> tuple[Worktree, ...]:
    return tuple(sorted(found, key=lambda tree: (tree.repository, tree.agent_id or "")))
