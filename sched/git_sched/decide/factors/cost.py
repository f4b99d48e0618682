"""Cost: prefers tasks that need fewer tokens, as in RFC-0012."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared
from git_sched.model.phrases import Piece, count

if TYPE_CHECKING:
    from git_sched.decide.factors.base import Pair
    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause
    from git_sched.model.request import PickContext


def prepare(metrics: Metrics) -> Prepared:
    """Rate 1 / (1 + effective tokens / 1000)."""
    nodes = metrics.network.nodes

    def why(node: int, _: PickContext) -> str:
        given = nodes[node].estimated_tokens is not None or nodes[node].context_budget is not None
        return f"{'' if given else 'about '}{count(nodes[node].tokens, 'token')}"

    def clause(pair: Pair) -> Clause | None:
        node = nodes[pair.pick.node]
        given = node.estimated_tokens is not None or node.context_budget is not None
        return (Piece(f"it needs fewer tokens ({node.tokens})"),) if given else None

    return Prepared(rate=lambda node, _: 1 / (1 + nodes[node].tokens / 1000), why=why, clause=clause)


FACTOR = Factor("cost", "1 / (1 + tokens / 1000)", prepare)
