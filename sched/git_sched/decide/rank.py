"""Computes scores, as points for each factor in exact millionths, and the order of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.decide.factors import FACTORS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched.decide.factors.base import Factor, Prepared
    from git_sched.decide.metrics import Metrics
    from git_sched.model.request import PickContext

MILLION: Final = 1_000_000
"""Points are whole numbers of millionths."""

PRESSURE: Final = "merge_pressure"


class ScoreRow(NamedTuple):
    """One line of a score: weight x rating = points, in millionths. ``known`` is false for an unknown signal."""

    factor: str
    weight: float
    rating: float
    points: int
    known: bool = True


class WeightedFactor(NamedTuple):
    """A factor with what it weighs for the nodes of one graph, prepared."""

    factor: Factor
    weight: float
    prepared: Prepared


class Scoring(NamedTuple):
    """The factors prepared for one answer; gives the points and rows of any ready node."""

    metrics: Metrics
    base: tuple[WeightedFactor, ...]
    overridden: Mapping[str, tuple[WeightedFactor, ...]]

    def weighed(self, node: int) -> tuple[WeightedFactor, ...]:
        """Return the factors that weigh something for a node, in display order."""
        return self.overridden.get(self.metrics.network.nodes[node].graph_id, self.base)

    def part(self, node: int, context: PickContext, *, moving: bool) -> int:
        """Return the points of the factors that change from pick to pick, or of those that do not and pressure."""
        total = 0 if moving else self.pressure(node)
        for factor, weight, prepared in self.weighed(node):
            if factor.moves == moving and prepared.known(node, context):
                total += millionths(weight * prepared.rate(node, context))
        return total

    def score(self, node: int, context: PickContext) -> int:
        """Return the score of a node in millionths."""
        return self.part(node, context, moving=False) + self.part(node, context, moving=True)

    def rows(self, node: int, context: PickContext) -> tuple[ScoreRow, ...]:
        """Return the rows of a node: each factor that weighs something, then merge pressure where there is any."""
        rows = []
        for factor, weight, prepared in self.weighed(node):
            known = prepared.known(node, context)
            rating = prepared.rate(node, context) if known else 0.0
            rows.append(ScoreRow(factor.name, weight, rating, millionths(weight * rating), known))
        if penalty := self.pressure(node):
            rows.append(ScoreRow(PRESSURE, self.metrics.policy.merge_pressure_penalty, -1.0, penalty))
        return tuple(rows)

    def pressed(self, node: int) -> bool:
        """Whether a node's repository has reached the merge-queue threshold."""
        queue = self.metrics.signals.merge_queue
        repository = self.metrics.network.nodes[node].repository
        return queue.known and queue.depth(repository) >= self.metrics.policy.merge_queue_threshold

    def pressure(self, node: int) -> int:
        """Return the points, 0 or less, that merge pressure costs a node."""
        return -millionths(self.metrics.policy.merge_pressure_penalty) if self.pressed(node) else 0


def millionths(points: float) -> int:
    """Round points half to even at the sixth decimal, and return them in millionths."""
    return round(points * MILLION)


def prepare(metrics: Metrics) -> Scoring:
    """Prepare every factor that weighs something anywhere."""
    base = metrics.policy.base_weights()
    tables = {graph_id: {**base, **own} for graph_id, own in metrics.policy.overrides().items()}
    used = {name for table in (base, *tables.values()) for name, weight in table.items() if weight}
    prepared = {factor.name: factor.prepare(metrics) for factor in FACTORS if factor.name in used}

    def weigh(table: Mapping[str, float]) -> tuple[WeightedFactor, ...]:
        return tuple(WeightedFactor(f, table[f.name], prepared[f.name]) for f in FACTORS if table.get(f.name))

    return Scoring(metrics, weigh(base), {graph_id: weigh(table) for graph_id, table in tables.items()})


def order(metrics: Metrics, node: int, score: int) -> tuple[int, int, int, int]:
    """Return the sort key of a node: higher score, fewer tokens, higher priority (not under RFC-0012), lower id."""
    found = metrics.network.nodes[node]
    return (-score, found.tokens, 0 if metrics.policy.exact_rfc else -found.priority, node)
