"""Builds the record of ``status`` from an answer."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal

from git_sched.decide.ready.reasons import FirstReasons
from git_sched.model.graph import climb
from git_sched.report import waiting
from git_sched.report.basis import build_basis, build_problems, build_publish, build_signals
from git_sched.report.policy import build_policy
from git_sched.report.ranking import (
    LISTED,
    build_counts,
    build_held_node,
    build_ranked,
    build_running,
    count_blocked,
    find_blocked,
    find_running,
)
from git_sched.report.task import build_estimates, build_longest_path, build_task, build_work_left

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from git_sched import record
    from git_sched.decide.dependency_graph import DependencyGraph
    from git_sched.decide.metrics import Metrics
    from git_sched.decide.pipeline import Answer
    from git_sched.decide.ready.reasons import Reason

RECENT: Final = 10
"""Number of recorded decisions that a record lists by default."""

State = Literal["ready", "held", "running", "blocked"]

STATES: Final[tuple[State, ...]] = ("ready", "held", "running", "blocked")


def select_tasks(
    states: Sequence[State] = (),
    *,
    labels: Sequence[str] = (),
    assignees: Sequence[str] = (),
    repositories: Sequence[str] = (),
    graph_ids: Sequence[str] = (),
) -> record.SelectionRecord:
    """Build a selection of tasks; without a state, the other arguments select from all states.

    Without any argument it is the default selection: the first ready and held tasks, and all running ones.
    """
    return {
        "states": list(states or (STATES if any((labels, assignees, repositories, graph_ids)) else ())),
        "labels": list(labels),
        "assignees": list(assignees),
        "repositories": list(repositories),
        "graph_ids": list(graph_ids),
    }


def build_status(
    answer: Answer,
    *,
    sources: Sequence[tuple[str, str, tuple[str, ...]]],
    log_rows: Sequence[dict[str, object]],
    recent: int = RECENT,
    selection: record.SelectionRecord | None = None,
) -> record.StatusRecord:
    """Build the record of ``status``; ``sources`` are path, format and graph ids of what was read.

    With a selection all of its tasks are listed; by default the first fifty ready ones are.
    """
    metrics, held, selection = answer.metrics, answer.choice.held, selection or select_tasks()
    running, first = build_running(metrics), FirstReasons(metrics.readiness)
    queue = metrics.signals.merge_queue
    is_selected = _build_filter(answer, selection)
    states = set(selection["states"]) or {"ready", "held", "running"}
    limit = None if any(selection.values()) else LISTED
    ranked = [r for r in answer.choice.ranking if ("held" if r.node in held else "ready") in states]
    chosen = list(islice((r for r in ranked if is_selected(r.node)), limit))
    return {
        "schema_version": 1,
        "kind": "status",
        "outcome": answer.outcome,
        "policy": build_policy(metrics.policy) if answer.inputs.policy else {},
        "basis": build_basis(answer.inputs.basis, preset=metrics.policy.preset),
        "for_agents": list(answer.request.agents),
        "selection": selection,
        "qualified": metrics.qualified,
        "sources": _build_sources(answer.metrics.network, sources),
        "ready_count": len(metrics.candidates()),
        "counts": build_counts(answer),
        "blocked": count_blocked(answer),
        "ranking": build_ranked(answer, chosen),
        "held": [build_held_node(answer, r) for r in chosen if r.node in held],
        "running": [row for row, i in zip(running, find_running(metrics), strict=True)
                    if "running" in states and is_selected(i)],
        "blocked_tasks": [_build_blocked(metrics, i, first(i)) for i in find_blocked(metrics)
                          if "blocked" in states and is_selected(i)],
        "running_by_agent": _tally(metrics.node(i).agent_id for i in metrics.running()),
        "running_by_repository": _tally(metrics.node(i).repository for i in metrics.running()),
        "waiting": waiting.group_waiting(answer),
        "estimates": build_estimates(metrics),
        "longest_path": build_longest_path(metrics),
        "work_left": build_work_left(metrics),
        "signals": build_signals(metrics.signals),
        "merge_pressure": dict(queue.depths),
        "recent_decisions": list(reversed(log_rows))[:recent],
        "looked_for": list(answer.inputs.looked_for),
        "problems": build_problems(answer.problems),
        "publish": build_publish(answer),
    }  # fmt: skip


def _build_filter(answer: Answer, selection: record.SelectionRecord) -> Callable[[int], bool]:
    """Build the predicate of a selection, except for its states: whether a task is selected."""
    labels, repositories = set(selection["labels"]), set(selection["repositories"])
    assignees, graph_ids = set(selection["assignees"]), set(selection["graph_ids"])

    def is_selected(node: int) -> bool:
        task = answer.metrics.node(node)
        return (
            (not labels or not labels.isdisjoint(task.labels))
            and (not assignees or task.agent_id in assignees)
            and (not repositories or task.repository in repositories)
            and (not graph_ids or task.graph_id in graph_ids)
        )

    return is_selected


def _build_blocked(metrics: Metrics, node: int, first: Reason) -> record.BlockedRecord:
    """Build the record of a blocked task, with the first reason that applies."""
    why = waiting.explain_reason(metrics, first)
    return {**build_task(metrics, node), "state": metrics.readiness.state[node], "why": why}


def _build_sources(
    network: DependencyGraph, sources: Sequence[tuple[str, str, tuple[str, ...]]]
) -> list[record.SourceRecord]:
    """Build the records of what was read; a source holds the graphs of its path and of those below it."""
    below: dict[str, set[str]] = {}
    for graph in network.graphs:
        for path in climb(graph.path):
            below.setdefault(path, set()).add(graph.graph_id)
    nodes = Counter(node.graph_id for node in network.nodes)
    open_nodes = Counter(node.graph_id for i, node in enumerate(network.nodes) if network.is_open[i])
    rows: list[record.SourceRecord] = []
    for path, format_, graph_ids in sources:
        ids = sorted(below.get(path) or set(graph_ids))
        count, count_open = sum(nodes[graph_id] for graph_id in ids), sum(open_nodes[graph_id] for graph_id in ids)
        rows.append({"path": path, "format": format_, "graph_ids": ids, "nodes": count, "open": count_open})
    return rows


def _tally(values: Iterable[str | None]) -> dict[str, int]:
    return dict(sorted(Counter(value for value in values if value is not None).items()))
