"""Fairness: prefers repositories that got fewer of the recent decisions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared, share
from git_sched.model.phrases import Piece, count

if TYPE_CHECKING:
    from git_sched.decide.factors.base import Pair
    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause
    from git_sched.model.request import PickContext
    from git_sched.model.signals import HistoryRow


def recent_decisions(metrics: Metrics) -> list[HistoryRow]:
    """Return the recent decisions that count as turns of their repositories, the oldest first.

    The newest row of each node counts; skipped rows and rows of this basis do not. Where any row was dispatched, only
    dispatched rows count. There are at most as many as the policy's ``fairness_window``.
    """
    rows = [row for row in metrics.signals.history.before(metrics.basis).rows if not row.skipped]
    if any(row.dispatched for row in rows):
        rows = [row for row in rows if row.dispatched]
    newest: dict[tuple[str, str], HistoryRow] = {}
    for row in rows:
        newest.pop((row.graph_id, row.node_id), None)
        newest[(row.graph_id, row.node_id)] = row
    return list(newest.values())[-metrics.policy.fairness_window :]


def recent_turns(metrics: Metrics) -> Counter[str | None]:
    """Count the recent decisions by repository."""
    return Counter(row.repository for row in recent_decisions(metrics))


def prepare(metrics: Metrics) -> Prepared:
    """Rate 1 less the repository's share of the turns; under RFC-0012, 1 for those with the fewest, else 0."""
    nodes, exact = metrics.network.nodes, metrics.policy.exact_rfc
    turns = recent_turns(metrics)
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
