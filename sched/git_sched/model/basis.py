"""The basis: what a decision was computed from, and the ids that follow from it (rule F1)."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.model.signals import Signals

SCHEMA_VERSION: Final = 1


class Basis(NamedTuple):
    """What was read. ``now`` is in seconds, ``now_source`` says where it comes from.

    ``inputs`` are paths with the object ids of their bytes; ``dirty`` are those that differ from the revision.
    """

    revision: str | None = None
    inputs: tuple[tuple[str, str], ...] = ()
    dirty: tuple[str, ...] = ()
    policy_path: str = ""
    policy_digest: str = ""
    now: int | None = None
    now_source: str = "unknown"
    workspace: str = ""

    @property
    def key(self) -> str:
        """A digest of the basis: rows of history with the same one were decided on the very same input."""
        return digest(self.revision, self.inputs, self.dirty, self.policy_digest, self.now)


def digest(*values: object) -> str:
    """Give 32 hexadecimal digits that stand for the values."""
    return sha256(repr(values).encode(errors="backslashreplace")).hexdigest()[:32]


def decision_id(
    basis: Basis, signals: Signals, *, asked: Sequence[object], subject: tuple[str, str, str | None, bool]
) -> str:
    """Give the id of a decision: the same for the same basis, request, worktrees, queues, node and agent."""
    return digest(SCHEMA_VERSION, basis.key, asked, signals.worktrees.rows, signals.merge_queue.depths, subject)


class Commit(NamedTuple):
    """A commit: its object id, the seconds of its committer date, and the object ids of its parents."""

    object_id: str
    at: int
    parents: tuple[str, ...] = ()
