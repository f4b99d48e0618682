"""Moves of HEAD: from which commit to which HEAD moved before a hook was called, if the hook is to report it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.workspace import files
from git_sched.workspace.commits import find_commit, head_commit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.workspace.git import Git

ZEROS: Final = "0"
REBASES: Final = ("rebase-merge", "rebase-apply")
"""The folders in the git directory that exist during a rebase."""


SWITCH: Final = "switch"
"""The word for a change of branch."""


class Call(NamedTuple):
    """A hook's name and the arguments that git passed to it."""

    name: str
    args: tuple[str, ...]


class Move(NamedTuple):
    """The object ids of HEAD before and after a move, and the word for what moved it: merge, rebase or switch."""

    before: str
    after: str
    word: str


def parse_call(name: str, args: Sequence[str], environment: Mapping[str, str]) -> Call:
    """Return which hook was called. pre-commit does not pass arguments on; it sets variables instead."""
    if "PRE_COMMIT" not in environment or args:
        return Call(name, tuple(args))
    if "PRE_COMMIT_REWRITE_COMMAND" in environment:
        return Call("post-rewrite", (environment["PRE_COMMIT_REWRITE_COMMAND"],))
    if "PRE_COMMIT_CHECKOUT_TYPE" in environment:
        keys = ("PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF", "PRE_COMMIT_CHECKOUT_TYPE")
        return Call("post-checkout", tuple(environment.get(key, "") for key in keys))
    return Call("post-merge", (environment.get("PRE_COMMIT_IS_SQUASH_MERGE", "0"),))


def find_move(call: Call, git: Git) -> Move | None:
    """Return the move of HEAD before a call; ``None`` if HEAD did not move, or another call reports it.

    After a squash HEAD is still ORIG_HEAD. ORIG_HEAD is the tip before a merge or rebase, and out of date otherwise.
    """
    match call:
        case Call("post-merge", _):
            return _since(git, "ORIG_HEAD", "merge")
        case Call("post-rewrite", ("rebase", *_)):
            return _since(git, "ORIG_HEAD", "rebase")
        case Call("post-checkout", (before, _, "1")) if before.strip(ZEROS) and _on_a_branch(git):
            return _since(git, before, SWITCH)
        case _:
            return None


def _since(git: Git, name: str, word: str) -> Move | None:
    before, after = find_commit(git, name), head_commit(git)
    if before is None or after is None or before.object_id == after.object_id:
        return None
    return Move(before.object_id, after.object_id, word)


def _on_a_branch(git: Git) -> bool:
    """Return whether HEAD is on a branch, and no rebase is running: a rebase detaches HEAD at its start."""
    if any(files.exists(git.repository.git_dir, name) for name in REBASES):
        return False
    return git.branch() is not None
