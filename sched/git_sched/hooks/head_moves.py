"""The moves: from which commit to which a hook was called, or that this call is none to speak after."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.workspace.reader import head_commit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.workspace.git import Git

ZEROS: Final = "0"
REBASES: Final = ("rebase-merge", "rebase-apply")
"""The folders in the git directory that say that a rebase is under way."""


SWITCH: Final = "switch"
"""The word for a change of branch."""


class Call(NamedTuple):
    """A hook's name and the arguments git gave it."""

    name: str
    args: tuple[str, ...]


class Move(NamedTuple):
    """What HEAD was before and is now, as object ids, and the word for how it came about."""

    before: str
    after: str
    word: str


def parse_call(name: str, args: Sequence[str], environment: Mapping[str, str]) -> Call:
    """Say which hook was called. pre-commit passes no arguments on; it says them in variables."""
    if "PRE_COMMIT" not in environment or args:
        return Call(name, tuple(args))
    if "PRE_COMMIT_REWRITE_COMMAND" in environment:
        return Call("post-rewrite", (environment["PRE_COMMIT_REWRITE_COMMAND"],))
    if "PRE_COMMIT_CHECKOUT_TYPE" in environment:
        keys = ("PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF", "PRE_COMMIT_CHECKOUT_TYPE")
        return Call("post-checkout", tuple(environment.get(key, "") for key in keys))
    return Call("post-merge", (environment.get("PRE_COMMIT_IS_SQUASH_MERGE", "0"),))


def find_move(call: Call, git: Git) -> Move | None:
    """Give the move a call stands for; ``None`` where HEAD stayed, or where another call speaks of it.

    A squash leaves HEAD at ORIG_HEAD. That is the tip before a merge or a rebase, and stale after anything else.
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
    before, after = git.read(f"{name}^{{commit}}"), head_commit(git)
    if before is None or after is None or before[0] == after.object_id:
        return None
    return Move(before[0], after.object_id, word)


def _on_a_branch(git: Git) -> bool:
    """Whether HEAD stands on a branch, outside a rebase; at the start of one HEAD is detached."""
    if any(os.path.lexists(os.path.join(git.repository.git_dir, name)) for name in REBASES):
        return False
    return git.branch() is not None
