"""Criticality: how much of the longest remaining path begins with a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared, Scale, share
from git_sched.decide.metrics.passes import longest_path
from git_sched.model.phrases import format_amount

if TYPE_CHECKING:
    from git_sched.decide.metrics import Metrics


SHOWN = 3
"""How many nodes of a path are named."""


def prepare(metrics: Metrics) -> Prepared:
    """Rate the longest path that begins with a node over the longest of all ready nodes."""
    bottom = metrics.passes.bottom
    top = max(metrics.ready, key=lambda i: (bottom[i], -i), default=None)
    longest = 0.0 if top is None else bottom[top]
    about = metrics.estimates.about([] if top is None else longest_path(metrics.passes, metrics.readiness, top))
    return Prepared(
        rate=lambda node, _: share(bottom[node], longest),
        why=lambda node, _: _why(metrics, node, longest, about),
        scale=None if top is None else Scale(f"{about}{format_amount(longest)} min, the longest remaining path", top),
    )


def _why(metrics: Metrics, node: int, longest: float, about: str) -> str:
    path = longest_path(metrics.passes, metrics.readiness, node)
    about = about or metrics.estimates.about(path)
    total = f"{about}{format_amount(metrics.passes.bottom[node])} of {format_amount(longest)} min"
    if len(path) == 1:
        return f"{total} on the longest remaining path"
    home = metrics.node(node).graph_id
    steps = [
        f"{metrics.node(i).node_id if metrics.node(i).graph_id == home else metrics.node(i).name} "
        f"{format_amount(metrics.estimates.minutes[i])}"
        for i in path[:SHOWN]
    ]
    rest = f" and {len(path) - SHOWN} more" if len(path) > SHOWN else ""
    return f"{total}: {', '.join(steps)}{rest}"


FACTOR = Factor("criticality", "the longest remaining path that begins with the node, over the longest of all", prepare)
