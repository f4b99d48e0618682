"""Runtime: prefers shorter tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared
from git_sched.model.phrases import Piece, format_duration

if TYPE_CHECKING:
    from git_sched.decide.factors.base import Pair
    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause

HALF_AT = 30
"""Minutes at which the rating is one half."""


def prepare(metrics: Metrics) -> Prepared:
    """Rate 1 / (1 + minutes / 30)."""
    estimates = metrics.estimates
    return Prepared(
        rate=lambda node, _: 1 / (1 + estimates.sizes[node] / HALF_AT),
        clause=lambda pair: short_clause(metrics, pair),
        why=lambda node, _: "no estimate" if (own := estimates.own[node]) is None else format_duration(own),
    )


def short_clause(metrics: Metrics, pair: Pair) -> Clause | None:
    """Say that a pick is short, where its file gives its minutes and its rival is not shorter."""
    own, rival = (metrics.estimates.own[ranked.node] for ranked in pair)
    if own is None or (rival is not None and rival <= own):
        return None
    about = "about " if metrics.estimates.sources[pair.pick.node] == "tokens" else ""
    return (Piece(f"it takes only {about}{format_duration(own)}"),)


FACTOR = Factor("runtime", "1 / (1 + minutes / 30)", prepare)
