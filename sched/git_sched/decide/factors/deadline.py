"""Deadline: prefers tasks that must start soon so that they, and all that wait for them, are on time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared
from git_sched.model.phrases import Piece, format_days
from git_sched.model.times import DAY

if TYPE_CHECKING:
    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause
    from git_sched.model.request import PickContext


HORIZON = 7 * DAY
"""Slack, in seconds, from which on a due date has no effect yet."""


def prepare(metrics: Metrics) -> Prepared:
    """Rate 1 less the slack over 7 days; 0 where neither the node nor what waits for it has a due date."""
    latest, now = metrics.passes.latest, metrics.now

    def rate(node: int, _: PickContext) -> float:
        limit = latest[node]
        if limit is None:
            return 0.0
        return min(1.0, max(0.0, 1 - (limit - now) / HORIZON))

    def why(node: int, _: PickContext) -> str:
        limit = latest[node]
        if limit is None:
            return "no due date in reach"
        if limit < now:
            return f"{format_days(now - limit)} too late for the due dates behind it"
        return f"{format_days(limit - now)} of slack to the due dates behind it"

    return Prepared(rate=rate, why=why, clause=lambda pair: _clause(metrics, pair.pick.node))


def _clause(metrics: Metrics, node: int) -> Clause:
    # A task that this factor prefers to another is rated above 0, so there is a due date that it must start for.
    slack = (metrics.passes.latest[node] or metrics.now) - metrics.now
    if slack < 0:
        return (Piece(f"it is already {format_days(-slack)} late"),)
    due = _find_due(metrics, node)
    start = f"it must start within {format_days(slack)} "
    if due == node:
        return (Piece(f"{start}to be on time"),)
    return (Piece(f"{start}for "), Piece(metrics.label(due), name=True), Piece(" to be on time"))


def _find_due(metrics: Metrics, node: int) -> int:
    """Find the node whose due date sets the latest start of another."""
    latest, nodes = metrics.passes.latest, metrics.network.nodes
    point = node
    while True:
        own = nodes[point].due if point < len(nodes) else None
        limits = [(limit, d) for d in metrics.readiness.dependents[point] if (limit := latest[d]) is not None]
        if not limits or (own is not None and own <= min(limits)[0]):
            return point
        point = min(limits)[1]


FACTOR = Factor("deadline", "1 less the slack to the nearest due date, over 7 days", prepare)
