"""The basis: what a decision was computed from, and the ids that follow from it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.model.signals import Signals

SCHEMA_VERSION: Final = 1


class Basis(NamedTuple):
    """What was read, and when.

    ``inputs`` are paths with the object ids of their bytes; ``dirty`` are those that differ from the revision. ``now``
    is the time of the answer, ``now_source`` (commit, wall, given) where it comes from, ``now_used`` whether anything
    follows from it. ``clock`` is the time on this machine, by which holds on dispatched tasks are measured. Times are
    seconds since 1970.
    """

    revision: str | None = None
    inputs: tuple[tuple[str, str], ...] = ()
    dirty: tuple[str, ...] = ()
    policy_path: str = ""
    policy_digest: str = ""
    now: int = 0
    now_source: str = "given"
    now_used: bool = True
    clock: int = 0
    workspace: str = ""

    @property
    def key(self) -> str:
        """A digest of the input without the time: rows of history with the same key were decided on the same files."""
        return digest(self.revision, self.inputs, self.dirty, self.policy_digest)


def digest(*values: object) -> str:
    """Hash values to 32 hexadecimal digits; equal values give equal digits."""
    return sha256(repr(values).encode(errors="backslashreplace")).hexdigest()[:32]


def decision_id(
    basis: Basis, signals: Signals, *, asked: Sequence[object], subject: tuple[str, str, str | None, bool]
) -> str:
    """Return the id of a decision: the same for the same basis, request, worktrees, queues, node and agent."""
    return digest(SCHEMA_VERSION, basis.key, asked, signals.worktrees.rows, signals.merge_queue.depths, subject)


class Commit(NamedTuple):
    """A commit: its object id, the seconds of its committer date, and the object ids of its parents."""

    object_id: str
    at: int
    parents: tuple[str, ...] = ()
