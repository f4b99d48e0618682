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


class RfcTurns:
    """The turns as metagit counts them for RFC-0012: each row of the log but those of this basis, and no window.

    A repository is behind if no other one among the candidates has fewer rows; a candidate without one is none of
    them.
    """

    def __init__(self, metrics: Metrics) -> None:
        """Count the rows of each repository."""
        rows = [row for row in metrics.signals.history.before(metrics.basis).rows if not row.released]
        self._newest = {row.repository: row for row in rows}
        self._counts = Counter(row.repository for row in rows)
        self._homes = {home for i in metrics.candidates() if (home := metrics.node(i).repository)}
        self._fewest = min((self._counts[home] for home in self._homes), default=0)

    def is_behind(self, repository: str | None) -> bool:
        """Whether a repository has the fewest rows."""
        return repository in self._homes and self._counts[repository] == self._fewest

    def needed(self) -> list[HistoryRow]:
        """Return rows from which the same repositories are behind: one for each of the candidates' that is not."""
        return [self._newest[home] for home in sorted(self._homes) if not self.is_behind(home)]


def turns_used(metrics: Metrics, picks: int) -> list[HistoryRow]:
    """Return what an answer with some picks used of the past, the oldest first: enough to rate every node again."""
    if metrics.policy.exact_rfc:
        return RfcTurns(metrics).needed()
    # Each pick may be the newest turn of a node that had one, and an older turn then counts again.
    return past_turns(metrics)[-(metrics.policy.fairness_window + picks) :]


def prepare(metrics: Metrics) -> Prepared:
    """Rate 1 less the repository's share of the turns; under RFC-0012, 1 for those with the fewest, else 0."""
    if metrics.policy.exact_rfc:
        return _prepare_rfc(metrics)
    nodes = metrics.network.nodes
    known = metrics.signals.history.before(metrics.basis).known

    def rate(node: int, context: PickContext) -> float:
        home = nodes[node].repository
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


def _prepare_rfc(metrics: Metrics) -> Prepared:
    nodes, policy, turns = metrics.network.nodes, metrics.policy, RfcTurns(metrics)

    def rate(node: int, _: PickContext) -> float:
        found = nodes[node]  # metagit does not look at fairness where its weight is 0 or negative
        used = policy.weight("fairness", found.graph_id) > 0
        return float(used and turns.is_behind(found.repository))

    def why(node: int, _: PickContext) -> str:
        home = nodes[node].repository
        if home is None:
            return "it names no repository"
        if policy.weight("fairness", nodes[node].graph_id) <= 0:
            return "metagit does not use a negative weight of fairness"
        return f"{home} has {'the fewest decisions' if turns.is_behind(home) else 'more decisions than another one'}"

    def clause(pair: Pair) -> Clause | None:
        home = nodes[pair.pick.node].repository
        return None if home is None else (Piece(home, name=True), Piece(" has the fewest decisions in the log"))

    known = metrics.signals.history.known
    return Prepared(rate=rate, why=why, known=lambda _, __: known, clause=clause)


FACTOR = Factor("fairness", "1 less the repository's share of recent decisions", prepare, moves=True)
