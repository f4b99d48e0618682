"""Urgency: prefers tasks with a high priority, their own or that of a task which waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared, Scale, share
from git_sched.decide.factors.priority import describe_priority, own_clause
from git_sched.decide.metrics.passes import heir
from git_sched.model.phrases import Piece, count

if TYPE_CHECKING:
    from git_sched.decide.factors.base import Pair
    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause
    from git_sched.model.request import PickContext


def prepare(metrics: Metrics) -> Prepared:
    """Rate where a node's inherited priority is between the smallest (at most 0) and the largest of the ready nodes."""
    inherited = metrics.passes.inherited
    top = max(metrics.ready, key=lambda i: (inherited[i], -i), default=None)
    high = 0 if top is None else inherited[top]
    low = min([0, *(inherited[i] for i in metrics.ready)])

    def why(node: int, _: PickContext) -> str:
        owner, steps = heir(metrics.passes, metrics.readiness, node)
        if not steps:
            return f"its own priority, {metrics.node(owner).priority_text or inherited[node]}"
        away = "" if steps == 1 else f", {count(steps, 'step')} on"
        return f"{metrics.label(owner)} has {describe_priority(metrics, owner)} and waits for it{away}"

    own = own_clause(metrics)

    def clause(pair: Pair) -> Clause:
        owner, steps = heir(metrics.passes, metrics.readiness, pair.pick.node)
        if not steps:
            return own(owner)
        return (Piece(metrics.label(owner), name=True), Piece(f" ({describe_priority(metrics, owner)}) waits for it"))

    return Prepared(
        rate=lambda node, _: share(inherited[node] - low, high - low),
        why=why,
        clause=clause,
        scale=None if top is None else Scale(f"priorities from {low} to {high}", top),
    )


FACTOR = Factor(
    "urgency", "the largest priority among the node and all that wait for it, over the ready nodes' range", prepare
)
