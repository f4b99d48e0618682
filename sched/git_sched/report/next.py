"""Builds the records of ``next``, ``status`` and ``check`` from an answer."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

from git_sched.report import waiting
from git_sched.report.basis import (
    build_basis,
    build_problems,
    build_publish,
    build_request,
    build_signals,
    format_optional_time,
)
from git_sched.report.decision import build_decision
from git_sched.report.policy import build_policy
from git_sched.report.ranking import build_counts, build_held, build_ranking, build_running, count_blocked
from git_sched.report.view import build_view

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.policy import Policy
    from git_sched.model.problems import Problem

RECENT = 10
"""How many recorded decisions ``status`` shows unless it is told."""


def build_next(answer: Answer) -> record.DecisionsRecord:
    """Build the record of ``next``."""
    longest, left = waiting.measure_work_left(answer)
    policy = answer.metrics.policy
    return {
        "schema_version": 1,
        "kind": "decision",
        "outcome": answer.outcome,
        "basis": build_basis(answer.inputs.basis, preset=policy.preset),
        "request": build_request(answer),
        "signals": build_signals(answer.metrics.signals, basis=answer.metrics.basis),
        "decisions": [build_decision(answer, pick, skipped=False) for pick in answer.choice.picks],
        "skipped": [build_decision(answer, node, skipped=True) for node in answer.choice.skipped],
        "outlook": _outlook(answer),
        "dispatch": _dispatch(policy),
        "held": build_held(answer),
        "ranking": build_ranking(answer),
        "counts": build_counts(answer),
        "blocked": count_blocked(answer),
        "waiting": waiting.group_waiting(answer),
        "running": build_running(answer.metrics),
        "agents": [
            {"agent_id": agent, "running": [r.name for r in map(answer.metrics.node, answer.metrics.running())
                                            if r.agent_id == agent]}
            for agent in answer.request.agents
        ],
        "roots": [] if answer.choice.picks else waiting.find_roots(answer),
        "free_at": None if answer.choice.picks else format_optional_time(waiting.find_free_time(answer)),
        "longest_path_minutes": longest,
        "work_left_minutes": left,
        "looked_for": list(answer.inputs.looked_for),
        "problems": build_problems(answer.problems),
        "publish": build_publish(answer),
        "view": build_view(answer),
    }  # fmt: skip


def _outlook(answer: Answer) -> record.OutlookRecord | None:
    found = answer.outlook
    if found is None:
        return None
    return {
        "plans": found.plans,
        "chosen": found.chosen,
        "gain": round(found.gain, 6),
        "instead_of": [answer.metrics.node(node).name for node in found.instead_of],
    }


def _dispatch(policy: Policy) -> record.DispatchDefaults:
    said = dict(policy.dispatch)
    scope: Literal["project", "user"] | None = None
    if "scope" in said:
        scope = "user" if said["scope"] == "user" else "project"
    return {
        "template_id": said.get("template_id"),
        "vendor": said.get("vendor"),
        "scope": scope,
        "prompt_kind": said.get("prompt_kind"),
    }


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
        "sources": [_source(answer, source) for source in sources],
        "ready_count": len(metrics.candidates()),
        "counts": build_counts(answer),
        "blocked": count_blocked(answer),
        "ranking": build_ranking(answer),
        "held": build_held(answer),
        "running": running,
        "running_by_agent": _tally(row["agent_id"] for row in running),
        "running_by_repository": _tally(row["repository"] for row in running),
        "waiting": waiting.group_waiting(answer),
        "signals": build_signals(metrics.signals),
        "merge_pressure": dict(queue.depths),
        "recent_decisions": list(reversed(log_rows))[:recent],
        "problems": build_problems(answer.problems),
        "publish": build_publish(answer),
    }


def build_check(answer: Answer, problems: Iterable[Problem]) -> record.CheckRecord:
    """Build the record of ``check`` from those problems that are to be reported."""
    network, policy = answer.metrics.network, answer.metrics.policy
    return {
        "schema_version": 1,
        "kind": "check",
        "graphs": len(network.graphs),
        "nodes": len(network.nodes) + len(network.broken),
        "policies": int(bool(answer.inputs.policy is None or policy.path)),
        "problems": build_problems(problems),
        "basis": build_basis(answer.inputs.basis, preset=policy.preset),
        "publish": build_publish(answer),
    }


def select_problems(problems: Iterable[Problem], paths: Collection[str]) -> tuple[Problem, ...]:
    """Give the problems of some files, or of files in some folders; all where none is named (rule F8)."""
    if not paths:
        return tuple(problems)
    heads = tuple("" if path == "." else f"{path}/" for path in paths)
    return tuple(p for p in problems if p.path in paths or p.path.startswith(heads))


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
