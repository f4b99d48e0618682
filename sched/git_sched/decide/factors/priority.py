"""Priority: prefers tasks whose own priority is higher, as in RFC-0012; the only rating that is not within 0..1."""

from __future__ import annotations

from functools import cache
from heapq import nlargest
from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared
from git_sched.model.graph import PRIORITY_LIMIT
from git_sched.model.phrases import DECIDED_BY, Piece

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause


def describe_priority(metrics: Metrics, node: int) -> str:
    """Name a node's own priority in the tracker's words: ``P1``, ``high priority`` or ``priority 3``."""
    found = metrics.node(node)
    word = found.priority_text
    if word is None:
        return f"priority {found.priority}"
    return word if any(c.isdigit() for c in word) else f"{word} priority"


def own_clause(metrics: Metrics) -> Callable[[int], Clause]:
    """Return a function that says in words that a node's own priority is high, or the highest of all ready nodes."""

    @cache
    def highest() -> tuple[int, int]:
        """Return the second highest priority of the ready nodes, repeats counted, and the highest of the open ones."""
        ready = nlargest(2, (metrics.node(i).priority for i in metrics.ready))
        return ready[-1] if len(ready) > 1 else -PRIORITY_LIMIT, max(
            metrics.node(i).priority for i in metrics.open_nodes()
        )

    def clause(node: int) -> Clause:
        found = metrics.node(node)
        if not found.priority and found.priority_text is None:  # nobody gave it; the other's is below 0
            return (Piece(DECIDED_BY["priority"]),)
        second, most = highest()
        if second < found.priority >= most:
            return (Piece(f"it has the highest priority ({found.priority_text or found.priority})"),)
        word = describe_priority(metrics, node)
        return (Piece(f"its priority is {word}" if word == found.priority_text else f"it has {word}"),)

    return clause


def prepare(metrics: Metrics) -> Prepared:
    """Rate by the node's own priority, unscaled."""
    nodes, own = metrics.network.nodes, own_clause(metrics)
    return Prepared(
        rate=lambda node, _: float(nodes[node].priority),
        why=lambda node, _: f"its own priority, {nodes[node].priority}",
        clause=lambda pair: own(pair.pick.node),
    )


FACTOR = Factor("priority", "the node's own priority, unscaled", prepare)
