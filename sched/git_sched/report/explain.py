"""Builds the record of ``explain``: why a task is not ready or not next, and what would change that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from git_sched.decide.factors.affinity import find_left_out
from git_sched.decide.lookup import find
from git_sched.decide.metrics.passes import followers
from git_sched.decide.rank import millionths
from git_sched.decide.ready.reasons import FirstReasons, reasons
from git_sched.decide.remaining_work import count_remaining
from git_sched.model.graph import BrokenNode, Place, Spot
from git_sched.model.phrases import format_ordinal
from git_sched.report import waiting
from git_sched.report.basis import build_basis, build_problems
from git_sched.report.freed_tasks import find_freed
from git_sched.report.gates import find_enders
from git_sched.report.ranking import build_factor_rows, build_held_node, build_points, find_warm_agent
from git_sched.report.task import build_estimates, build_task, build_total, locate_tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from git_sched import record
    from git_sched.decide.lookup import Lookup
    from git_sched.decide.pipeline import Answer
    from git_sched.model.graph import Graph, Node
    from git_sched.model.problems import Problem
    from git_sched.model.request import Ranked


class _Ranks(NamedTuple):
    """An answer with the rank of each ready node that is neither held nor skipped, the best first."""

    answer: Answer
    rank: Mapping[int, int]
    first: FirstReasons


def build_explanation(answer: Answer, word: str) -> record.ExplanationRecord:
    """Build the record of ``explain`` for the task that a word names.

    Raises:
        RequestError: the word names no task, or more than one.
    """
    found = find(answer.metrics.network, word)
    return _in_error(answer, found) if found.node is None else _in_network(answer, found.node)


def _in_network(answer: Answer, node: int) -> record.ExplanationRecord:
    metrics = answer.metrics
    listed = metrics.node(node)
    ranked = next((r for r in answer.choice.ranking if r.node == node), None)
    free = _free(answer)
    ranks = _Ranks(answer, {r.node: n for n, r in enumerate(free, 1)}, FirstReasons(metrics.readiness))
    rank = ranks.rank.get(node)
    why = reasons(metrics.readiness, node)
    first = count_remaining(metrics, node)
    place = locate_tasks(metrics, [node])[node]
    at_once, _ = next(find_freed(metrics.readiness, [node], limit=waiting.COUNTED))
    behind = followers(metrics.readiness, node, limit=waiting.COUNTED)
    ahead = free[rank - 2] if rank and rank > 1 else None
    return {
        "schema_version": 1,
        "kind": "explanation",
        **build_task(metrics, node),
        "node": listed.name,
        "for_agents": list(answer.request.agents),
        "qualified": metrics.qualified,
        "path": place.path,
        "line": place.line,
        "state": _state(answer, node),
        "rank": rank,
        "of": len(free),
        "score": build_points(ranked.score) if ranked else None,
        "behind": metrics.node(ahead.node).name if ahead else None,
        "behind_score": build_points(ahead.score) if ahead else None,
        "warm": bool(ranked and ranked.context.warm),
        "warm_agent": find_warm_agent(metrics, ranked) if ranked else None,
        "factors": build_factor_rows(answer, ranked) if ranked else [],
        "idle_factors": _find_idle(answer) if ranked else [],
        "scales": _scales(answer) if ranked else [],
        "held": build_held_node(answer, ranked) if ranked and node in answer.choice.held else None,
        "paths": list(listed.paths),
        "collides_with": _collides_with(ranks, node),
        "free_again_when": find_enders(answer, node) if node in answer.choice.held else [],
        "also": [
            {
                "kind": r.kind,
                "nodes": [metrics.node(i).name for i in r.nodes],
                "text": waiting.explain_reason(metrics, r),
            }
            for r in why
        ],
        "waits_for": [_step(ranks, i) for r in why if r.kind in {"waits_for", "container"} for i in r.nodes],
        "to_go": build_total(metrics.estimates.total(first.nodes)),
        "minutes_with_one": first.with_one,
        "minutes_with_two": first.with_two,
        "would_come_first_if": _find_change(answer, ranked, free) if ranked and rank and rank > 1 else None,
        "frees": [metrics.node(i).name for i in at_once],
        "frees_later": max(0, behind - len(at_once)),
        "estimates": build_estimates(metrics),
        "basis": build_basis(answer.inputs.basis, preset=metrics.policy.preset),
        "problems": build_problems(_about(listed.name, answer.problems)),
    }


def _state(answer: Answer, node: int) -> str:
    if node in answer.choice.held:
        return "held"
    return "skipped" if any(r.node == node for r in answer.choice.skipped) else answer.metrics.readiness.state[node]


def _free(answer: Answer) -> list[Ranked]:
    """Return the ranking without what is held or skipped."""
    out = answer.choice.held.keys() | {r.node for r in answer.choice.skipped}
    return [r for r in answer.choice.ranking if r.node not in out]


def _in_error(answer: Answer, found: Lookup) -> record.ExplanationRecord:
    node_id = found.broken.node_id if found.broken else None
    name = f"{found.graph_id}/{node_id}"
    place = _place_in_error(answer, found)
    return {
        "schema_version": 1, "kind": "explanation", "graph_id": found.graph_id, "node_id": node_id or "", "title": "",
        "repository": None, "minutes": None, "minutes_from": None, "assigned_to": None, "labels": [], "node": name,
        "for_agents": list(answer.request.agents),
        "qualified": answer.metrics.qualified, "path": place.path, "line": place.line, "state": "in_error",
        "rank": None, "of": 0, "score": None, "behind": None, "behind_score": None, "warm": False, "warm_agent": None,
        "factors": [], "idle_factors": [], "scales": [], "held": None, "paths": [], "collides_with": [],
        "free_again_when": [], "also": [], "waits_for": [], "to_go": build_total(answer.metrics.estimates.total(())),
        "minutes_with_one": None, "minutes_with_two": None, "would_come_first_if": None, "frees": [],
        "frees_later": 0,
        "estimates": build_estimates(answer.metrics),
        "basis": build_basis(answer.inputs.basis, preset=answer.metrics.policy.preset),
        "problems": build_problems(_behind_an_error(answer, found.graph_id, name)),
    }  # fmt: skip


def _place_in_error(answer: Answer, found: Lookup) -> Place:
    """Find the place of a node in error; of graphs that share an id, one has it."""
    network, broken = answer.metrics.network, found.broken or BrokenNode(None, 0)
    same = (graph for graph in network.graphs if graph.graph_id == found.graph_id and _holds(graph, broken))
    spot = Spot(broken.number)
    return next(same, network.graph_of[found.graph_id]).locate((spot,))[spot]


def _holds(graph: Graph, broken: BrokenNode) -> bool:
    records: tuple[Node | BrokenNode, ...] = (*graph.nodes, *graph.broken)
    return any((one.node_id, one.number) == (broken.node_id, broken.number) for one in records)


def _behind_an_error(answer: Answer, graph_id: str, name: str) -> list[Problem]:
    """Return the problems that name a node in error; if none of its own file does, also all errors of that file."""
    paths = {graph.path for graph in answer.metrics.network.graphs if graph.graph_id == graph_id}
    named = _about(name, answer.problems)
    if any(problem.path in paths for problem in named):
        return named
    return [p for p in answer.problems if p in named or (p.severity == "error" and p.path in paths)]


def _about(name: str, problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems that name a node by its full name."""
    word = re.compile(rf"(?<![A-Za-z0-9_./-]){re.escape(name)}(?![A-Za-z0-9_/-]|\.[A-Za-z0-9_-])")
    return [problem for problem in problems if word.search(problem.message)]


def _find_idle(answer: Answer) -> list[str]:
    """Find the factors that rate no ready task above 0."""
    names: dict[str, bool] = {}
    for ranked in answer.choice.ranking:
        for row in answer.scoring.rows(ranked.node, ranked.context):
            names[row.factor] = names.get(row.factor, False) or row.rating != 0
    return [name for name, rates in names.items() if not rates]


def _scales(answer: Answer) -> list[record.ScaleRecord]:
    return [
        {"factor": factor.name, "text": prepared.scale.text, "node": answer.metrics.node(prepared.scale.node).name}
        for factor, _, prepared in answer.scoring.base
        if prepared.scale is not None
    ]


def _collides_with(ranks: _Ranks, node: int) -> list[record.StepRecord]:
    answer = ranks.answer
    held = answer.choice.held.get(node)
    if held is None or held.gate != "collision":
        return []
    numbers = {answer.metrics.node(i).name: i for i in (*answer.metrics.running(), *answer.metrics.ready)}
    return [_step(ranks, numbers[name]) for name in held.by]


def _step(ranks: _Ranks, node: int) -> record.StepRecord:
    """Build the record of a node that another waits for, with its state."""
    metrics = ranks.answer.metrics
    state = metrics.readiness.state[node]
    text = _how_far(ranks, node)
    if state == "waits_for":
        first = ranks.first(node)
        needs = first.nodes
        text = waiting.explain_reason(metrics, first)
        if len(needs) == 1 and (far := _how_far(ranks, needs[0])):
            in_a_word = metrics.readiness.state[needs[0]] in {"ready", "running"}
            text = f"{text} ({far})" if in_a_word else f"{text}, which {far}"
    return {"name": metrics.node(node).name, "title": metrics.node(node).title, "state": state, "text": text}


def _how_far(ranks: _Ranks, node: int) -> str:
    """Say in words whether a node is ready, held, running or kept back; empty for one that waits itself."""
    answer, metrics = ranks.answer, ranks.answer.metrics
    state = metrics.readiness.state[node]
    if node in answer.choice.held:
        return "held"
    if state == "ready":
        if node in ranks.rank:
            return f"ready, {format_ordinal(ranks.rank[node])} of {len(ranks.rank)}"
        return "ready, but skipped" if _state(answer, node) == "skipped" else "ready"
    if state == "running":
        agent = metrics.node(node).agent_id
        return f"running, by {agent}" if agent else "running"
    return "" if state == "waits_for" else waiting.explain_reason(metrics, ranks.first(node))


def _find_change(answer: Answer, ranked: Ranked, free: list[Ranked]) -> record.ChangeRecord | None:
    """Find the single change to a repository that would bring the node to the top, where there is one.

    The change also raises the other nodes of that repository, which can still come before this one.
    """
    repository = answer.metrics.node(ranked.node).repository

    def lead(gain: Callable[[Ranked], int]) -> int:
        """Return the points that a node would gain; 0 where others would still be ahead of it or equal."""
        own = gain(ranked)
        homes = ((other, answer.metrics.node(other.node).repository) for other in free if other is not ranked)
        best = max(other.score + (gain(other) if home == repository else 0) for other, home in homes)
        return own if ranked.score + own > best else 0

    if repository is None:
        return None
    if (gain := lead(lambda other: _cold(answer, other))) > 0:
        left_out = find_left_out(answer.metrics).get(repository, set())
        outside = ranked.context.agent_id in left_out or (left_out and ranked.context.agent_id is None)
        change: Literal["in_agent_pool", "checked_out"] = "in_agent_pool" if outside else "checked_out"
        return {"change": change, "repository": repository, "points": build_points(gain)}
    if (gain := lead(lambda other: -answer.scoring.pressure(other.node))) > 0:
        return {"change": "merge_queue_empty", "repository": repository, "points": build_points(gain)}
    return None


def _cold(answer: Answer, ranked: Ranked) -> int:
    """Return the points that a node lacks because nobody, as far as known, has its repository checked out."""
    rows = answer.scoring.rows(ranked.node, ranked.context)
    return next((millionths(row.weight) - row.points for row in rows if row.factor == "affinity"), 0)
