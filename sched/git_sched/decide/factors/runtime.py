"""Runtime: shorter nodes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared
from git_sched.model.phrases import format_duration

if TYPE_CHECKING:
    from git_sched.decide.metrics import Metrics

HALF_AT = 30
"""Minutes at which the rating is one half."""


def prepare(metrics: Metrics) -> Prepared:
    """Rate 1 / (1 + minutes / 30)."""
    estimates = metrics.estimates
    return Prepared(
        rate=lambda node, _: 1 / (1 + estimates.sizes[node] / HALF_AT),
        why=lambda node, _: "no estimate" if (own := estimates.own[node]) is None else format_duration(own),
    )


FACTOR = Factor("runtime", "1 / (1 + minutes / 30)", prepare)
