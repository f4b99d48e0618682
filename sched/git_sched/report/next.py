"""Builds the record of ``next`` from an answer."""

from __future__ import annotations

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
from git_sched.report.cycle_cut import build_cut
from git_sched.report.decision import build_picks, build_skipped
from git_sched.report.drawing import build_view
from git_sched.report.ranking import build_counts, build_held, build_ranking, build_running, count_blocked
from git_sched.report.task import build_estimates, build_longest_path, build_work_left

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.policy import Policy


def build_next(answer: Answer) -> record.DecisionsRecord:
    """Build the record of ``next``."""
    metrics, policy = answer.metrics, answer.metrics.policy
    return {
        "schema_version": 1,
        "kind": "decision",
        "outcome": answer.outcome,
        "basis": build_basis(answer.inputs.basis, preset=policy.preset),
        "request": build_request(answer),
        "signals": build_signals(answer.metrics.signals, basis=answer.metrics.basis),
        "qualified": metrics.qualified,
        "decisions": build_picks(answer),
        "skipped": build_skipped(answer),
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
        "cut": build_cut(answer),
        "free_at": None if answer.choice.picks else format_optional_time(waiting.find_free_time(answer)),
        "estimates": build_estimates(metrics),
        "longest_path": build_longest_path(metrics),
        "work_left": build_work_left(metrics),
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
