"""Builds what every record has about a task, about totals over tasks, and about estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.metrics.passes import longest_path
from git_sched.model.graph import Spot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched import record
    from git_sched.decide.metrics import Metrics
    from git_sched.decide.metrics.estimates import Total
    from git_sched.model.graph import Place


def build_task(metrics: Metrics, node: int) -> record.TaskRecord:
    """Build the record of a task as its file has it."""
    found, estimates = metrics.node(node), metrics.estimates
    return {
        "graph_id": found.graph_id,
        "node_id": found.node_id,
        "title": found.title,
        "repository": found.repository,
        "minutes": estimates.own[node],
        "minutes_from": estimates.sources[node],
        "assigned_to": found.agent_id,
        "labels": list(found.labels),
    }


def build_total(total: Total) -> record.TotalRecord:
    """Build the record of a sum over tasks."""
    return {"tasks": total.tasks, "estimated": total.estimated, "minutes": total.minutes}


def build_estimates(metrics: Metrics) -> record.EstimatesRecord:
    """Build the record of the unit of sizes, and of how much of the open work is estimated."""
    estimates = metrics.estimates
    total = estimates.total(metrics.open_nodes())
    given = (estimates.own[node] for node in metrics.open_nodes())
    minutes = sum(size for size in given if size is not None)
    return {"unit": estimates.unit, "tasks": total.tasks, "estimated": total.estimated, "minutes": minutes}


def build_work_left(metrics: Metrics) -> record.TotalRecord:
    """Sum up all open tasks."""
    return build_total(metrics.estimates.total(metrics.open_nodes()))


def build_longest_path(metrics: Metrics) -> record.TotalRecord:
    """Sum up the longest remaining path."""
    path = find_longest_path(metrics)
    size = metrics.passes.bottom[path[0]] if path else 0.0
    return build_total(metrics.estimates.total(path, size=size))


def find_longest_path(metrics: Metrics) -> list[int]:
    """Find the nodes of the longest remaining path, of equal ones the first by id. Empty where nothing is open."""
    bottom = metrics.passes.bottom
    start = max(metrics.open_nodes(), key=lambda i: (bottom[i], -i), default=None)
    return [] if start is None else longest_path(metrics.passes, metrics.readiness, start)


def locate_tasks(metrics: Metrics, nodes: Iterable[int]) -> dict[int, Place]:
    """Find the places of tasks, reading each file once."""
    wanted: dict[str, dict[Spot, int]] = {}
    for node in nodes:
        found = metrics.node(node)
        wanted.setdefault(found.graph_id, {})[Spot(found.number)] = node
    graph_of = metrics.network.graph_of
    places = ((spots, graph_of[graph_id].locate(spots)) for graph_id, spots in wanted.items())
    return {node: found[spot] for spots, found in places for spot, node in spots.items()}
