"""Priority: the node's own integer, as RFC-0012 has it; the only rating that is not within 0..1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared
from git_sched.model.phrases import Piece

if TYPE_CHECKING:
    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause


def describe_priority(metrics: Metrics, node: int) -> str:
    """Name a node's own priority in the tracker's words: ``P1``, ``high priority`` or ``priority 3``."""
    found = metrics.node(node)
    word = found.priority_text
    if word is None:
        return f"priority {found.priority}"
    return word if any(c.isdigit() for c in word) else f"{word} priority"


def own_clause(metrics: Metrics, node: int) -> Clause:
    """Say that a node's own priority is why, and whether it is the highest of all that could be picked."""
    found = metrics.node(node)
    ready = max((metrics.node(i).priority for i in metrics.ready if i != node), default=found.priority - 1)
    others = max((metrics.node(i).priority for i in metrics.open_nodes()), default=found.priority)
    if ready < found.priority >= others:
        return (Piece(f"it has the highest priority ({found.priority_text or found.priority})"),)
    word = describe_priority(metrics, node)
    return (Piece(f"its priority is {word}" if word == found.priority_text else f"it has {word}"),)


def prepare(metrics: Metrics) -> Prepared:
    """Rate by the node's own priority, unscaled."""
    nodes = metrics.network.nodes
    return Prepared(
        rate=lambda node, _: float(nodes[node].priority),
        why=lambda node, _: f"its own priority, {nodes[node].priority}",
        clause=lambda pair: own_clause(metrics, pair.pick.node),
    )


FACTOR = Factor("priority", "the node's own priority, unscaled", prepare)
