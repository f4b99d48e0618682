"""Fairness: prefers repositories that got fewer of the recent decisions."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared, share
from git_sched.model.phrases import Piece, count

if TYPE_CHECKING:
    from git_sched.decide.factors.base import Pair
    from git_sched.decide.metrics import Metrics
    from git_sched.model.graph import Node
    from git_sched.model.phrases import Clause
    from git_sched.model.request import PickContext
    from git_sched.model.signals import HistoryRow


def past_turns(metrics: Metrics) -> list[HistoryRow]:
    """Return the past decisions that count as turns of their repositories, the oldest first.

    The newest row of each node counts; skipped rows and rows of this basis do not. Where any row was dispatched, only
    dispatched rows count.
    """
    rows = [row for row in metrics.signals.history.before(metrics.basis).rows if not row.skipped]
    if any(row.dispatched for row in rows):
        rows = [row for row in rows if row.dispatched]
    newest: dict[tuple[str, str], HistoryRow] = {}
    for row in rows:
        newest.pop((row.graph_id, row.node_id), None)
        newest[(row.graph_id, row.node_id)] = row
    return list(newest.values())


class Turns:
    """The turns that repositories got: those of the past, then the picks of this answer; one turn per node, the newest.

    ``counts`` are the last turns by repository, as many as the policy's ``fairness_window``.
    """

    def __init__(self, metrics: Metrics) -> None:
        """Begin with the turns of the past."""
        self._window = metrics.policy.fairness_window
        self._newest = {(row.graph_id, row.node_id): row.repository for row in past_turns(metrics)}
        self.counts = self._count()

    def add(self, node: Node) -> None:
        """Count a pick as the newest turn of its repository."""
        name = (node.graph_id, node.node_id)
        self._newest.pop(name, None)
        self._newest[name] = node.repository
        self.counts = self._count()

    def _count(self) -> Counter[str | None]:
        return Counter(islice(reversed(self._newest.values()), self._window))


def prepare(metrics: Metrics) -> Prepared:
    """Rate 1 less the repository's share of the turns; under RFC-0012, 1 for those with the fewest, else 0."""
    nodes, exact = metrics.network.nodes, metrics.policy.exact_rfc
    turns = Turns(metrics).counts
    fewest = min((turns[nodes[i].repository] for i in metrics.candidates()), default=0)
    known = exact or metrics.signals.history.before(metrics.basis).known

    def rate(node: int, context: PickContext) -> float:
        home = nodes[node].repository
        if exact:
            return float(turns[home] == fewest)
        return 0.0 if home is None else 1.0 - share(context.turns.get(home, 0), sum(context.turns.values()))

    def why(node: int, context: PickContext) -> str:
        home = nodes[node].repository
        if home is None:
            return "it names no repository"
        recent = count(sum(context.turns.values()), "recent decision")
        return f"{context.turns.get(home, 0)} of {recent} went to {home}"

    def clause(pair: Pair) -> Clause | None:
        home, recent = nodes[pair.pick.node].repository, sum(pair.pick.context.turns.values())
        if home is None or not recent:
            return None
        turns = pair.pick.context.turns.get(home, 0)
        got = f" got {f'only {turns}' if turns else 'none'} of the last {count(recent, 'task')}"
        return (Piece(home, name=True), Piece(got))

    return Prepared(rate=rate, why=why, known=lambda _, __: known, clause=clause)


FACTOR = Factor("fairness", "1 less the repository's share of recent decisions", prepare, moves=True)
