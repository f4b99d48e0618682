"""Finds the base: the commit that the event's commit is compared with. Nothing is fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.github.runner import part, text
from git_sched.model.ids import is_object_id
from git_sched.workspace.commits import find_commit, merge_base

if TYPE_CHECKING:
    from git_sched.github.runner import Pull, Runner
    from git_sched.workspace.git import Git


class BaseCommit(NamedTuple):
    """A commit to compare with, or why there is none. Both are empty if the event has nothing to compare.

    If both are given, the commit is known but this clone does not have it.
    """

    revision: str | None = None
    why: str = ""


def find_base(git: Git, runner: Runner, head: str) -> BaseCommit:
    """Find the commit that ``head``, the one that was checked out, is compared with."""
    if runner.pull is not None:
        return _of_pull(git, runner.pull, head)
    if runner.event == "merge_group":
        return _known(git, text(part(runner.payload, "merge_group"), "base_sha"), depth="0")
    if runner.event != "push":
        return BaseCommit()
    before = text(runner.payload, "before")
    if runner.payload.get("created") is True or not before.strip("0"):
        return BaseCommit(why="this push created the branch")
    if runner.payload.get("forced") is True:
        return BaseCommit(why="this push was forced")
    return _known(git, before, depth="0")


def has_commit(git: Git, revision: str) -> bool:
    """Return whether this clone has a commit."""
    return is_object_id(revision) and find_commit(git, revision) is not None


def _of_pull(git: Git, pull: Pull, head: str) -> BaseCommit:
    found = find_commit(git, head)
    parents = found.parents if found else ()
    if len(parents) == 2 and parents[1] == pull.head:  # noqa: PLR2004 - a merge commit
        return BaseCommit("HEAD^1") if has_commit(git, parents[0]) else _absent("HEAD^1", depth="2")
    if head != pull.head:
        return BaseCommit(why="what is checked out is neither the pull request nor its merge")
    if not is_object_id(pull.base):
        return BaseCommit(why="the event names no base")
    parted = merge_base(git, pull.base, head)
    return _absent(pull.base, depth="0") if parted is None else BaseCommit(parted)


def _known(git: Git, revision: str, *, depth: str) -> BaseCommit:
    return BaseCommit(revision) if has_commit(git, revision) else _absent(revision, depth=depth)


def _absent(revision: str, *, depth: str) -> BaseCommit:
    why = f"the base is not in this clone; set fetch-depth: {depth} at actions/checkout"
    return BaseCommit(revision if revision == "HEAD^1" or is_object_id(revision) else None, why)
