"""Builds the record of ``status`` from an answer."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from git_sched.report import waiting
from git_sched.report.basis import build_basis, build_problems, build_publish, build_signals
from git_sched.report.policy import build_policy
from git_sched.report.ranking import build_counts, build_held, build_ranking, build_running, count_blocked
from git_sched.report.task import build_estimates, build_longest_path, build_work_left

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from git_sched import record
    from git_sched.decide.pipeline import Answer

RECENT = 10
"""How many recorded decisions ``status`` shows unless it is told."""


def build_status(
    answer: Answer,
    *,
    sources: Sequence[tuple[str, str, tuple[str, ...]]],
    log_rows: Sequence[dict[str, object]],
    recent: int = RECENT,
) -> record.StatusRecord:
    """Build the record of ``status``; ``sources`` are path, format and graph ids of what was read."""
    metrics = answer.metrics
    running = build_running(metrics)
    queue = metrics.signals.merge_queue
    return {
        "schema_version": 1,
        "kind": "status",
        "outcome": answer.outcome,
        "policy": build_policy(metrics.policy) if answer.inputs.policy else {},
        "basis": build_basis(answer.inputs.basis, preset=metrics.policy.preset),
        "selection": {"states": [], "labels": [], "assignees": [], "repositories": [], "graph_ids": []},
        "qualified": metrics.qualified,
        "sources": [_source(answer, source) for source in sources],
        "ready_count": len(metrics.candidates()),
        "counts": build_counts(answer),
        "blocked": count_blocked(answer),
        "ranking": build_ranking(answer),
        "held": build_held(answer),
        "running": running,
        "blocked_tasks": [],
        "running_by_agent": _tally(row["agent_id"] for row in running),
        "running_by_repository": _tally(row["repository"] for row in running),
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
    }


def _source(answer: Answer, source: tuple[str, str, tuple[str, ...]]) -> record.SourceRecord:
    path, format_, graph_ids = source
    graphs = [g for g in answer.metrics.network.graphs if g.path == path or g.path.startswith(f"{path}/")]
    is_open = answer.metrics.network.is_open
    ids = {g.graph_id for g in graphs} or set(graph_ids)
    nodes = [i for i, node in enumerate(answer.metrics.network.nodes) if node.graph_id in ids]
    return {"path": path, "format": format_, "graph_ids": sorted(ids), "nodes": len(nodes),
            "open": sum(is_open[i] for i in nodes)}  # fmt: skip


def _tally(values: Iterable[str | None]) -> dict[str, int]:
    return dict(sorted(Counter(value for value in values if value is not None).items()))
