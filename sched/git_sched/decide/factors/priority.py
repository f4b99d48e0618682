"""Priority: the node's own integer, as RFC-0012 has it; the only rating that is not within 0..1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared

if TYPE_CHECKING:
    from git_sched.decide.metrics import Metrics


def prepare(metrics: Metrics) -> Prepared:
    """Rate by the node's own priority, unscaled."""
    nodes = metrics.network.nodes
    return Prepared(
        rate=lambda node, _: float(nodes[node].priority),
        why=lambda node, _: f"its own priority, {nodes[node].priority}",
    )


FACTOR = Factor("priority", "the node's own priority, unscaled", prepare)
