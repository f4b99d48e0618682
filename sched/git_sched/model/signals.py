"""Signals: facts from outside the task graph, each either known, with its source, or unknown."""

from __future__ import annotations

from typing import NamedTuple


class Worktree(NamedTuple):
    """A worktree an agent keeps; ``agent_id`` is ``None`` where nobody is named by row, folder or branch."""

    repository: str
    agent_id: str | None = None


class Worktrees(NamedTuple):
    """The active worktrees. ``complete`` names the repositories a source speaks of; others are unknown, not cold.

    ``None`` for ``complete`` means that the source speaks of every repository.
    """

    rows: tuple[Worktree, ...] = ()
    known: bool = False
    source: str = "no linked worktree and no worktrees file"
    complete: tuple[str, ...] | None = None

    def speaks_of(self, repository: str | None) -> bool:
        """Whether this signal says anything about a repository."""
        if not self.known:
            return False
        return self.complete is None or repository in self.complete


class MergeQueue(NamedTuple):
    """How many merges are queued or running per repository; a repository that is not named has none."""

    depths: tuple[tuple[str, int], ...] = ()
    known: bool = False
    source: str = "no merge files and no merge queue"

    def depth(self, repository: str | None) -> int:
        """Give the depth of one repository's queue, 0 where nothing is queued or known."""
        return dict(self.depths).get(repository, 0) if repository is not None else 0


class HistoryRow(NamedTuple):
    """One recorded decision: which node went to whom, from which basis, and whether it was handed out.

    ``at`` is when it was recorded, by the clock of that machine.
    """

    decision_id: str
    graph_id: str
    node_id: str
    at: int
    repository: str | None = None
    agent_id: str | None = None
    skipped: bool = False
    dispatched: bool = False
    basis: str = ""


class History(NamedTuple):
    """The recorded decisions, oldest first; an empty log is known. ``source`` is the log, or why nothing is known."""

    rows: tuple[HistoryRow, ...] = ()
    known: bool = True
    source: str = "no decisions recorded yet"

    def before(self, basis: str) -> History:
        """Give what was decided on other bases: a decision must not change by having been recorded."""
        others = tuple(row for row in self.rows if row.basis != basis)
        return self._replace(rows=others) if others or not self.rows else History()


class Signals(NamedTuple):
    """Everything observed outside the graph, as one value."""

    worktrees: Worktrees = Worktrees()
    merge_queue: MergeQueue = MergeQueue()
    history: History = History()
