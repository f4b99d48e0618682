"""Criticality: prefers tasks that begin a long chain of remaining work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared, Scale, share
from git_sched.decide.metrics.passes import longest_path
from git_sched.model.phrases import Piece, format_duration, format_size

if TYPE_CHECKING:
    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause


SHOWN = 3
"""Number of nodes of a path that are named."""


def prepare(metrics: Metrics) -> Prepared:
    """Rate the longest path that begins with a node over the longest of all ready nodes."""
    bottom = metrics.passes.bottom
    top = max(metrics.ready, key=lambda i: (bottom[i], -i), default=None)
    longest = 0.0 if top is None else bottom[top]
    return Prepared(
        rate=lambda node, _: share(bottom[node], longest),
        why=lambda node, _: _why(metrics, node, longest),
        clause=lambda pair: _clause(metrics, pair.pick.node, longest),
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
    steps = [metrics.label(i) + _own_size(metrics, i) for i in path[:SHOWN]]
    rest = f" and {len(path) - SHOWN} more" if len(path) > SHOWN else ""
    return f"{total}: {', '.join(steps)}{rest}"


def _clause(metrics: Metrics, node: int, longest: float) -> Clause | None:
    estimates, size = metrics.estimates, metrics.passes.bottom[node]
    path = longest_path(metrics.passes, metrics.readiness, node)
    tasks = [i for i in path if not metrics.network.is_container(i)]
    in_minutes = estimates.unit == "minute" and all(estimates.own[i] is not None for i in tasks)
    which = "the longest" if size == longest else "a"
    if len(tasks) < 2:  # noqa: PLR2004 - a chain has two links at least
        if not in_minutes or not tasks:
            return None
        took = (
            f"it is the longest task ({format_duration(size)})"
            if size == longest
            else f"it takes {format_duration(size)}"
        )
        return (Piece(took),)
    length = f"{format_duration(size)} ({len(tasks)} tasks)" if in_minutes else f"{len(tasks)} tasks"
    own = f"chain ({format_duration(size) if in_minutes else length})" if size == longest else f"chain of {length}"
    return (Piece(f"{which} {own} begins with it"),)


def _own_size(metrics: Metrics, node: int) -> str:
    own = metrics.estimates.own[node]
    return "" if own is None or metrics.estimates.unit == "task" else f" {format_duration(own)}"


FACTOR = Factor("criticality", "the longest remaining path that begins with the node, over the longest of all", prepare)
