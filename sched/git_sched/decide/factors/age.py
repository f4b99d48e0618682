"""Age: prefers tasks that were created long ago."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared, Scale, share
from git_sched.model.phrases import Piece, format_days

if TYPE_CHECKING:
    from git_sched.decide.metrics import Metrics
    from git_sched.model.request import PickContext


def prepare(metrics: Metrics) -> Prepared:
    """Rate the time since ``created_at`` over the longest one of a ready node; without ``created_at`` 0."""
    ages = {i: _age(metrics, i) for i in metrics.ready}
    top = max(ages, key=lambda i: (ages[i], -i), default=None)
    oldest = 0 if top is None else ages[top]

    def why(node: int, _: PickContext) -> str:
        if metrics.node(node).created_at is None:
            return "it has no created_at"
        return f"created {format_days(ages[node])} ago"

    return Prepared(
        rate=lambda node, _: share(ages[node] if node in ages else _age(metrics, node), oldest),
        why=why,
        clause=lambda pair: (Piece(f"it was created {format_days(ages[pair.pick.node])} ago"),),
        scale=None if top is None else Scale(f"{format_days(oldest)}, the oldest", top),
    )


def _age(metrics: Metrics, node: int) -> int:
    created = metrics.node(node).created_at
    return 0 if created is None else max(0, metrics.now - created)


FACTOR = Factor("age", "time since created_at, over the oldest ready node's", prepare)
