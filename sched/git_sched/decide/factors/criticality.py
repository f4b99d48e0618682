"""Criticality: how much of the longest remaining path begins with a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared, Scale, share
from git_sched.decide.metrics.passes import longest_path
from git_sched.model.phrases import format_duration, format_size

if TYPE_CHECKING:
    from git_sched.decide.metrics import Metrics


SHOWN = 3
"""How many nodes of a path are named."""


def prepare(metrics: Metrics) -> Prepared:
    """Rate the longest path that begins with a node over the longest of all ready nodes."""
    bottom = metrics.passes.bottom
    top = max(metrics.ready, key=lambda i: (bottom[i], -i), default=None)
    longest = 0.0 if top is None else bottom[top]
    return Prepared(
        rate=lambda node, _: share(bottom[node], longest),
        why=lambda node, _: _why(metrics, node, longest),
        scale=None
        if top is None
        else Scale(f"{format_size(longest, unit=metrics.estimates.unit)}, the longest remaining path", top),
    )


def _why(metrics: Metrics, node: int, longest: float) -> str:
    estimates = metrics.estimates
    path = longest_path(metrics.passes, metrics.readiness, node)
    own, most = (format_size(size, unit=estimates.unit) for size in (metrics.passes.bottom[node], longest))
    total = f"{own} of {most}"
    if len(path) == 1:
        return f"{total} on the longest remaining path"
    steps = [metrics.node(i).name + _own_size(metrics, i) for i in path[:SHOWN]]
    rest = f" and {len(path) - SHOWN} more" if len(path) > SHOWN else ""
    return f"{total}: {', '.join(steps)}{rest}"


def _own_size(metrics: Metrics, node: int) -> str:
    own = metrics.estimates.own[node]
    return "" if own is None or metrics.estimates.unit == "task" else f" {format_duration(own)}"


FACTOR = Factor("criticality", "the longest remaining path that begins with the node, over the longest of all", prepare)
