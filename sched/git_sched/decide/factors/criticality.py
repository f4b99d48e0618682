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
        clause=lambda pair: _clause(metrics, pair.pick.node),
        scale=None
        if top is None
        else Scale(f"{format_size(longest, unit=metrics.estimates.unit)}, the longest path that can start now", top),
    )


def _why(metrics: Metrics, node: int, longest: float) -> str:
    estimates, tasks = metrics.estimates, _tasks_on_path(metrics, node)
    own, most = (format_size(size, unit=estimates.unit) for size in (metrics.passes.bottom[node], longest))
    given = sum(estimates.own[i] is not None for i in tasks)
    partly = "" if estimates.unit == "task" or given == len(tasks) else f" ({given} of {len(tasks)} estimated)"
    if len(tasks) < 2:  # noqa: PLR2004 - a path of one task needs no list
        return f"{own} of {most}{partly} (the longest path that can start now)"
    steps = [metrics.label(i) + _own_size(metrics, i) for i in tasks[:SHOWN]]
    rest = f" and {len(tasks) - SHOWN} more" if len(tasks) > SHOWN else ""
    return f"{own} of {most}{partly}: {', '.join(steps)}{rest}"


def _clause(metrics: Metrics, node: int) -> Clause | None:
    estimates, size = metrics.estimates, metrics.passes.bottom[node]
    tasks = _tasks_on_path(metrics, node)
    in_minutes = estimates.unit == "minute" and all(estimates.own[i] is not None for i in tasks)
    is_longest = all(metrics.passes.bottom[i] <= size for i in metrics.open_nodes())
    took = format_duration(size)
    if len(tasks) < 2:  # noqa: PLR2004 - a chain has two links at least
        if not in_minutes or not tasks:
            return None
        return (Piece(f"it is the longest task ({took})" if is_longest else f"it takes {took}"),)
    length = f"{len(tasks)} tasks"
    if is_longest:
        return (Piece(f"the longest chain ({took if in_minutes else length}) begins with it"),)
    return (Piece(f"a chain of {f'{took} ({length})' if in_minutes else length} begins with it"),)


def _tasks_on_path(metrics: Metrics, node: int) -> list[int]:
    """Give the longest path that begins with a node, without the containers on it, which are no work."""
    path = longest_path(metrics.passes, metrics.readiness, node)
    return [i for i in path if not metrics.network.is_container(i)]


def _own_size(metrics: Metrics, node: int) -> str:
    own = metrics.estimates.own[node]
    return "" if own is None or metrics.estimates.unit == "task" else f" {format_duration(own)}"


FACTOR = Factor(
    "criticality", "the longest remaining path that begins with the node, over the longest of all ready ones", prepare
)
