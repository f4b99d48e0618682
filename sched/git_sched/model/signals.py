"""Signals: worktrees, merge queues and history, each known, with its source, or unknown."""

from __future__ import annotations

from typing import NamedTuple


class Worktree(NamedTuple):
    """A worktree of an agent; ``agent_id`` is ``None`` where no row, folder or branch names one."""

    repository: str
    agent_id: str | None = None


class Worktrees(NamedTuple):
    """The active worktrees.

    ``complete`` are the repositories whose worktrees a source lists; whether anybody has another one checked out is
    unknown. ``None`` means that the source lists those of every repository.
    """

    rows: tuple[Worktree, ...] = ()
    known: bool = False
    source: str = "no linked worktree and no worktrees file"
    complete: tuple[str, ...] | None = None

    def speaks_of(self, repository: str | None) -> bool:
        """Whether it is known who has a repository checked out."""
        if not self.known:
            return False
        return self.complete is None or repository in self.complete


class MergeQueue(NamedTuple):
    """How many merges are queued or running per repository; a repository that is not named has none."""

    depths: tuple[tuple[str, int], ...] = ()
    known: bool = False
    source: str = "no merge files and no merge queue"

    def depth(self, repository: str | None) -> int:
        """Return the number of merges in one repository's queue; 0 where nothing is queued or known."""
        return dict(self.depths).get(repository, 0) if repository is not None else 0


class HistoryRow(NamedTuple):
    """One recorded decision: which node went to whom, from which basis, and whether it was dispatched.

    A row that is ``released`` says that the agent gave the node back. ``at`` is when it was recorded, in seconds since
    1970 by the clock of that machine.
    """

    decision_id: str
    graph_id: str
    node_id: str
    at: int
    repository: str | None = None
    agent_id: str | None = None
    skipped: bool = False
    dispatched: bool = False
    released: bool = False
    basis: str = ""


class History(NamedTuple):
    """The recorded decisions, oldest first; an empty log is known. ``source`` is the log, or why nothing is known."""

    rows: tuple[HistoryRow, ...] = ()
    known: bool = True
    source: str = "no decisions recorded yet"

    def before(self, basis: str) -> History:
        """Return the decisions on other bases: recording a decision must not change it."""
        others = tuple(row for row in self.rows if row.basis != basis)
        return self._replace(rows=others) if others or not self.rows or not self.known else History()


class Signals(NamedTuple):
    """Everything observed outside the graph, as one value."""

    worktrees: Worktrees = Worktrees()
    merge_queue: MergeQueue = MergeQueue()
    history: History = History()
