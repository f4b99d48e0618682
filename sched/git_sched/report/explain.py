"""Explains one node: where it stands, why it is not ready or not next, and what would change that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from git_sched.decide.lookup import find
from git_sched.decide.metrics.passes import followers
from git_sched.decide.pipeline import decide
from git_sched.decide.rank import millionths
from git_sched.decide.ready.reasons import reasons
from git_sched.decide.remaining import count_remaining
from git_sched.decide.what_if import assume_done
from git_sched.model.phrases import format_ordinal
from git_sched.report import waiting
from git_sched.report.basis import build_basis, build_problems
from git_sched.report.freed import find_freed
from git_sched.report.ranking import build_factor_rows, build_held_node, build_points, find_warm_agent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from git_sched import record
    from git_sched.decide.lookup import Lookup
    from git_sched.decide.pipeline import Answer
    from git_sched.model.problems import Problem
    from git_sched.model.request import Ranked


def build_explanation(answer: Answer, word: str) -> record.ExplanationRecord:
    """Build the record of ``explain``."""
    found = find(answer.metrics.network, word)
    return _in_error(answer, found) if found.node is None else _in_network(answer, found.node)


def _in_network(answer: Answer, node: int) -> record.ExplanationRecord:
    metrics = answer.metrics
    listed = metrics.node(node)
    ranked = next((r for r in answer.choice.ranking if r.node == node), None)
    free = _free(answer)
    rank = next((n for n, r in enumerate(free, 1) if r.node == node), None)
    why = reasons(metrics.readiness, node)
    first = count_remaining(metrics, node)
    at_once, _ = next(find_freed(metrics.readiness, [node], limit=waiting.COUNTED))
    behind = followers(metrics.readiness, node, limit=waiting.COUNTED)
    ahead = free[rank - 2] if rank and rank > 1 else None
    return {
        "schema_version": 1,
        "kind": "explanation",
        "node": listed.name,
        "title": listed.title,
        "state": _state(answer, node),
        "rank": rank,
        "of": len(free),
        "score": build_points(ranked.score) if ranked else None,
        "behind": metrics.node(ahead.node).name if ahead else None,
        "behind_score": build_points(ahead.score) if ahead else None,
        "repository": listed.repository,
        "warm": bool(ranked and ranked.context.warm),
        "warm_agent": find_warm_agent(metrics, ranked) if ranked else None,
        "minutes": metrics.estimates.minutes[node],
        "minutes_filled": metrics.estimates.filled(node),
        "assigned_to": listed.agent_id,
        "factors": build_factor_rows(answer, ranked) if ranked else [],
        "scales": _scales(answer) if ranked else [],
        "held": build_held_node(answer, ranked) if ranked and node in answer.choice.held else None,
        "free_again_when": _free_again_when(answer, node),
        "paths": list(listed.paths),
        "collides_with": _collides_with(answer, node),
        "also": [
            {
                "kind": r.kind,
                "nodes": [metrics.node(i).name for i in r.nodes],
                "text": waiting.explain_reason(metrics, r),
            }
            for r in why
        ],
        "waits_for": [_step(answer, i) for r in why if r.kind in {"waits_for", "container"} for i in r.nodes],
        "tasks_to_go": first.tasks,
        "minutes_with_one": first.with_one,
        "minutes_with_two": first.with_two,
        "minutes_to_go_filled": first.filled,
        "would_win_by": _would_win(answer, ranked, free) if ranked and rank and rank > 1 else "",
        "frees": [metrics.node(i).name for i in at_once],
        "frees_later": max(0, behind - len(at_once)),
        "basis": build_basis(answer.inputs.basis, preset=metrics.policy.preset),
        "problems": build_problems(_about(listed.name, answer.problems)),
    }


def _state(answer: Answer, node: int) -> str:
    if node in answer.choice.held:
        return "held"
    return "skipped" if any(r.node == node for r in answer.choice.skipped) else answer.metrics.readiness.state[node]


def _free(answer: Answer) -> list[Ranked]:
    """Give the ranking without what is held or passed over."""
    out = answer.choice.held.keys() | {r.node for r in answer.choice.skipped}
    return [r for r in answer.choice.ranking if r.node not in out]


def _in_error(answer: Answer, found: Lookup) -> record.ExplanationRecord:
    node_id = found.broken.node_id if found.broken else None
    name = f"{found.graph_id}/{node_id}"
    return {
        "schema_version": 1, "kind": "explanation", "node": name, "title": "", "state": "in_error", "rank": None,
        "of": 0, "score": None, "behind": None, "behind_score": None, "repository": None, "warm": False,
        "warm_agent": None, "minutes": 0.0, "minutes_filled": False, "assigned_to": None, "factors": [], "scales": [],
        "held": None, "free_again_when": [], "paths": [], "collides_with": [], "also": [], "waits_for": [],
        "tasks_to_go": 0, "minutes_with_one": None, "minutes_with_two": None, "minutes_to_go_filled": False,
        "would_win_by": "", "frees": [], "frees_later": 0,
        "basis": build_basis(answer.inputs.basis, preset=answer.metrics.policy.preset),
        "problems": build_problems(_behind_an_error(answer, found.graph_id, name)),
    }  # fmt: skip


def _behind_an_error(answer: Answer, graph_id: str, name: str) -> list[Problem]:
    """Give the problems that name a node in error; where its own file names it in none, the errors of that file too."""
    paths = {graph.path for graph in answer.metrics.network.graphs if graph.graph_id == graph_id}
    named = _about(name, answer.problems)
    if any(problem.path in paths for problem in named):
        return named
    return [p for p in answer.problems if p in named or (p.severity == "error" and p.path in paths)]


def _about(name: str, problems: Iterable[Problem]) -> list[Problem]:
    """Give the problems that name a node in full."""
    word = re.compile(rf"(?<![A-Za-z0-9_./-]){re.escape(name)}(?![A-Za-z0-9_/-]|\.[A-Za-z0-9_-])")
    return [problem for problem in problems if word.search(problem.message)]


def _scales(answer: Answer) -> list[record.ScaleRecord]:
    return [
        {"factor": factor.name, "text": prepared.scale.text, "node": answer.metrics.node(prepared.scale.node).name}
        for factor, _, prepared in answer.scoring.base
        if prepared.scale is not None
    ]


def _free_again_when(answer: Answer, node: int) -> list[str]:
    """Give the tasks that fill the gate of a held one, where it is free once they are finished: that is tried."""
    held = answer.choice.held.get(node)
    if held is None or held.gate not in {"collision", "limits", "budget"}:
        return []
    graphs, _ = assume_done(answer.inputs.graphs, held.by)
    then = decide(answer.inputs._replace(graphs=graphs), answer.request, graph_ids=answer.graph_ids)
    name = answer.metrics.node(node).name
    return [] if any(then.metrics.node(i).name == name for i in then.choice.held) else list(held.by)


def _collides_with(answer: Answer, node: int) -> list[record.StepRecord]:
    held = answer.choice.held.get(node)
    if held is None or held.gate != "collision":
        return []
    numbers = {answer.metrics.node(i).name: i for i in (*answer.metrics.running(), *answer.metrics.ready)}
    return [_step(answer, numbers[name]) for name in held.by]


def _step(answer: Answer, node: int) -> record.StepRecord:
    """Say how far a node is that another waits for."""
    metrics = answer.metrics
    state = metrics.readiness.state[node]
    text = _how_far(answer, node)
    if state == "waits_for":
        needs = reasons(metrics.readiness, node)[0].nodes
        text = waiting.explain_reason(metrics, reasons(metrics.readiness, node)[0])
        if len(needs) == 1 and (far := _how_far(answer, needs[0])):
            says = metrics.readiness.state[needs[0]] not in {"ready", "running"}
            text = f"{text}, {'which ' if says else ''}{far}"
    return {"name": metrics.node(node).name, "state": state, "text": text}


def _how_far(answer: Answer, node: int) -> str:
    """Say that a node is ready, held or running, or what else keeps it back; nothing for one that waits itself."""
    metrics = answer.metrics
    state = metrics.readiness.state[node]
    if node in answer.choice.held:
        return "held"
    if state == "ready":
        free = [r.node for r in _free(answer)]
        return (
            f"ready, {format_ordinal(free.index(node) + 1)} of {len(free)}"
            if node in free
            else "ready, but passed over"
        )
    if state == "running":
        agent = metrics.node(node).agent_id
        return f"running ({agent})" if agent else "running"
    return "" if state == "waits_for" else waiting.explain_reason(metrics, reasons(metrics.readiness, node)[0])


def _would_win(answer: Answer, ranked: Ranked, free: list[Ranked]) -> str:
    """Name the single change of a repository that would bring a node to the top, where there is one.

    It changes the other nodes of that repository as well, which may come before this one all the more.
    """
    repository = answer.metrics.node(ranked.node).repository

    def lead(gain: Callable[[Ranked], int]) -> int:
        """Give the points a node would gain, 0 where others would still be ahead or level with it."""
        own = gain(ranked)
        homes = ((other, answer.metrics.node(other.node).repository) for other in free if other is not ranked)
        best = max(other.score + (gain(other) if home == repository else 0) for other, home in homes)
        return own if ranked.score + own > best else 0

    if repository is None:
        return ""
    if (gain := lead(lambda other: _cold(answer, other))) > 0:
        return f"It would come first if {repository} were warm (+{build_points(gain):.3f})."
    if (gain := lead(lambda other: -answer.scoring.pressure(other.node))) > 0:
        return f"It would come first without the merges queued for {repository} (+{build_points(gain):.3f})."
    return ""


def _cold(answer: Answer, ranked: Ranked) -> int:
    """Give the points a node lacks because its repository is not warm, or not known to be."""
    rows = answer.scoring.rows(ranked.node, ranked.context)
    return next((millionths(row.weight) - row.points for row in rows if row.factor == "affinity"), 0)
