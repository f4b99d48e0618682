"""Payoff: prefers tasks that begin a chain which finishes much weight in little time."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared, Scale, share
from git_sched.decide.factors.runtime import short_clause
from git_sched.decide.metrics.passes import density, node_weight
from git_sched.model.phrases import format_amount, format_size

if TYPE_CHECKING:
    from git_sched.decide.metrics import Metrics
    from git_sched.decide.metrics.passes import Chain
    from git_sched.model.request import PickContext


def prepare(metrics: Metrics) -> Prepared:
    """Rate the square root of the densest chain's weight per minute over the largest one of a ready node.

    Where all open nodes have the same priority, all rate 0: the densest chain would only be the shortest one.
    """
    nodes, sizes, passed = metrics.network.nodes, metrics.estimates.sizes, metrics.passes.chain
    if len({node.priority for node, is_open in zip(nodes, metrics.network.is_open, strict=False) if is_open}) <= 1:
        same = "all open tasks have one priority"
        return Prepared(rate=lambda _, __: 0.0, why=lambda _, __: same, clause=lambda _: None)

    def chain(node: int) -> Chain:
        return max(passed[node], (node_weight(nodes[node].priority), sizes[node]), key=density)

    top = max(metrics.ready, key=lambda i: (density(chain(i)), -i), default=None)
    best = 0.0 if top is None else density(chain(top))

    def in_words(node: int) -> str:
        weight, size = chain(node)
        return f"{format_amount(weight)} in {format_size(size, unit=metrics.estimates.unit)}"

    def why(node: int, _: PickContext) -> str:
        text = in_words(node)
        most = density(chain(node)) == best
        return f"the most weight for its size: {text}" if most else f"weight {text}"

    return Prepared(
        rate=lambda node, _: share(sqrt(density(chain(node))), sqrt(best)),
        why=why,
        clause=lambda pair: short_clause(metrics, pair),
        scale=None if top is None else Scale(f"weight {in_words(top)}, the densest chain", top),
    )


FACTOR = Factor("payoff", "square root of the weight per minute of the best chain that begins with the node", prepare)
