"""Explains one node: where it stands, why it is not ready or not next, and what would change that."""

from __future__ import annotations

import re
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from git_sched import report, waiting
from git_sched.ids import nearest
from git_sched.passes import followers
from git_sched.problems import RequestError
from git_sched.rank import MILLION
from git_sched.reasons import reasons
from git_sched.wording import ordinal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched import record
    from git_sched.choice import Ranked
    from git_sched.graph import BrokenNode
    from git_sched.pipeline import Answer
    from git_sched.problems import Problem
    from git_sched.survey import Survey

TO_GO_LIMIT = 1_000
"""Beyond this many unfinished tasks no forecast is made."""


class Found(NamedTuple):
    """What a word on the command line names: a node of the network, or one in error."""

    node: int | None
    graph_id: str
    broken: BrokenNode | None = None


def find(answer: Answer, word: str) -> Found:
    """Find the node a word names: ``node_id`` or ``graph_id/node_id``, also as its tracker shows it.

    An unknown or ambiguous word ends the command with the nearest or the full names.
    """
    network = answer.survey.network
    graph_id, slash, node_id = word.partition("/")
    wanted = word.lstrip("#")
    found = [
        Found(i, node.graph_id)
        for i, node in enumerate(network.nodes)
        if (slash and (node.graph_id, node.node_id) == (graph_id, node_id))
        or (not slash and wanted.casefold() == node.node_id.casefold())
    ]
    exact = [f for f in found if f.node is not None and network.nodes[f.node].node_id == word]
    found = exact or found
    found += [
        Found(None, home, broken)
        for home, broken in network.broken
        if broken.node_id == (node_id if slash else word) and home in ({graph_id} if slash else {home})
    ]
    if len({(f.graph_id, f.node is None) for f in found}) > 1 or (len(found) > 1 and found[0].node is not None):
        full = ", ".join(sorted({f"{f.graph_id}/{node_id if slash else word}" for f in found}))
        raise RequestError(f"{word} could be any of {full}", hint="name it in full")
    if found:
        return found[0]
    raise _unknown(answer, word)


def _unknown(answer: Answer, word: str) -> RequestError:
    network = answer.survey.network
    if word in network.graph_of:
        size = sum(node.graph_id == word for node in network.nodes)
        return RequestError(
            f"no node is called {word}; it is a graph with {size} nodes", hint=f"git sched status --graph-id {word}"
        )
    near = nearest(word, [node.name for node in network.nodes] + [node.node_id for node in network.nodes])
    return RequestError(
        f"no node is called {word}", hint=f"did you mean {near}?" if near else "git sched status lists them"
    )


def explain(answer: Answer, word: str) -> record.ExplanationRecord:
    """Build the record of ``explain``."""
    found = find(answer, word)
    if found.node is None:
        return _in_error(answer, found)
    node = found.node
    survey = answer.survey
    listed = survey.node(node)
    ranked = next((r for r in answer.choice.ranking if r.node == node), None)
    held = report.held_node(answer, ranked) if ranked and node in answer.choice.held else None
    free = _free(answer)
    rank = next((n for n, r in enumerate(free, 1) if r.node == node), None)
    why = reasons(survey.readiness, node)
    to_go = (
        _to_go(survey, node) if survey.network.is_open[node] and survey.readiness.state[node] != "running" else set()
    )
    forecast = 0 < len(to_go) <= TO_GO_LIMIT and not any(i in survey.readiness.doomed for i in to_go)
    direct, all_of_them = followers(survey.readiness, node, limit=waiting.COUNTED)
    ahead = free[rank - 2] if rank and rank > 1 else None
    return {
        "schema_version": 1,
        "kind": "explanation",
        "node": listed.name,
        "title": listed.title,
        "state": "held"
        if node in answer.choice.held
        else "skipped"
        if any(r.node == node for r in answer.choice.skipped)
        else survey.readiness.state[node],
        "rank": rank,
        "of": len(free),
        "score": report.points(ranked.score) if ranked else None,
        "behind": survey.node(ahead.node).name if ahead else None,
        "behind_score": report.points(ahead.score) if ahead else None,
        "repository": listed.repository,
        "warm": bool(ranked and ranked.standing.warm),
        "warm_agent": report.warm_agent(survey, ranked) if ranked else None,
        "minutes": survey.estimates.minutes[node],
        "minutes_filled": survey.estimates.filled(node),
        "assigned_to": listed.agent_id,
        "factors": report.factor_rows(answer, ranked) if ranked else [],
        "scales": _scales(answer) if ranked else [],
        "held": held,
        "also": [
            {"kind": r.kind, "nodes": [survey.node(i).name for i in r.nodes], "text": waiting.say(survey, r)}
            for r in why
        ],
        "waits_for": [_step(answer, i) for r in why if r.kind in {"waits_for", "container"} for i in r.nodes],
        "tasks_to_go": len(to_go),
        "minutes_with_one": _makespan(survey, to_go, agents=1) if forecast else None,
        "minutes_with_two": _makespan(survey, to_go, agents=2) if forecast else None,
        "minutes_to_go_filled": any(survey.estimates.filled(i) for i in to_go),
        "would_win_by": _would_win(answer, ranked, free) if ranked and rank and rank > 1 else "",
        "frees": [survey.node(i).name for i in direct if survey.network.is_open[i]],
        "frees_later": max(0, all_of_them - len(direct)),
        "basis": report.basis(answer.inputs.basis, preset=survey.policy.preset),
        "problems": report.problems(_about(listed.name, answer.problems)),
    }


def _free(answer: Answer) -> list[Ranked]:
    """Give the ranking without what is held or passed over."""
    out = answer.choice.held.keys() | {r.node for r in answer.choice.skipped}
    return [r for r in answer.choice.ranking if r.node not in out]


def _in_error(answer: Answer, found: Found) -> record.ExplanationRecord:
    node_id = found.broken.node_id if found.broken else None
    name = f"{found.graph_id}/{node_id}"
    return {
        "schema_version": 1, "kind": "explanation", "node": name, "title": "", "state": "in_error", "rank": None,
        "of": 0, "score": None, "behind": None, "behind_score": None, "repository": None, "warm": False,
        "warm_agent": None, "minutes": 0.0, "minutes_filled": False, "assigned_to": None, "factors": [], "scales": [],
        "held": None, "also": [], "waits_for": [], "tasks_to_go": 0, "minutes_with_one": None,
        "minutes_with_two": None, "minutes_to_go_filled": False, "would_win_by": "", "frees": [], "frees_later": 0,
        "basis": report.basis(answer.inputs.basis, preset=answer.survey.policy.preset),
        "problems": report.problems(_behind_an_error(answer, found.graph_id, name)),
    }  # fmt: skip


def _behind_an_error(answer: Answer, graph_id: str, name: str) -> list[Problem]:
    """Give the problems that name a node in error; where its own file names it in none, the errors of that file too."""
    paths = {graph.path for graph in answer.survey.network.graphs if graph.graph_id == graph_id}
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
        {"factor": factor.name, "text": prepared.scale.text, "node": answer.survey.node(prepared.scale.node).name}
        for factor, _, prepared in answer.scoring.base
        if prepared.scale is not None
    ]


def _step(answer: Answer, node: int) -> record.StepRecord:
    """Say how far a node is that another waits for."""
    survey = answer.survey
    state = survey.readiness.state[node]
    text = _how_far(answer, node)
    if state == "waits_for":
        needs = reasons(survey.readiness, node)[0].nodes
        text = waiting.say(survey, reasons(survey.readiness, node)[0])
        if len(needs) == 1 and (far := _how_far(answer, needs[0])):
            says = survey.readiness.state[needs[0]] not in {"ready", "running"}
            text = f"{text}, {'which ' if says else ''}{far}"
    return {"name": survey.node(node).name, "state": state, "text": text}


def _how_far(answer: Answer, node: int) -> str:
    """Say that a node is ready, held or running, or what else keeps it back; nothing for one that waits itself."""
    survey = answer.survey
    state = survey.readiness.state[node]
    if node in answer.choice.held:
        return "held"
    if state == "ready":
        free = [r.node for r in _free(answer)]
        return f"ready, {ordinal(free.index(node) + 1)} of {len(free)}" if node in free else "ready, but passed over"
    if state == "running":
        agent = survey.node(node).agent_id
        return f"running ({agent})" if agent else "running"
    return "" if state == "waits_for" else waiting.say(survey, reasons(survey.readiness, node)[0])


def _to_go(survey: Survey, node: int) -> set[int]:
    """Give the unfinished nodes a node waits for, directly or not."""
    network = survey.network
    seen = {node}
    stack = [node]
    while stack:
        for need in network.needs[stack.pop()]:
            if need not in seen and network.is_open[need]:
                seen.add(need)
                stack.append(need)
    return {i for i in seen if i < len(network.nodes)} - {node}


def _makespan(survey: Survey, nodes: set[int], *, agents: int) -> float:
    """Give the minutes a list schedule by longest remaining path takes for some nodes (Graham, 1969)."""
    network = survey.network
    points = set(nodes) | {opening for i in nodes if (opening := network.opening.get(i)) is not None}
    missing = {p: sum(need in points for need in network.needs[p]) for p in points}
    behind: dict[int, list[int]] = {p: [] for p in points}
    for p in points:
        for need in network.needs[p]:
            if need in points:
                behind[need].append(p)
    waiting_list: list[tuple[float, int]] = []
    for p, number in missing.items():
        if not number:
            heappush(waiting_list, (-survey.passes.bottom[p], p))
    busy: list[tuple[float, int]] = []
    now = 0.0
    while waiting_list or busy:
        while waiting_list and len(busy) < agents:
            _, p = heappop(waiting_list)
            heappush(busy, (now + survey.estimates.minutes[p], p))
        now, done = heappop(busy)
        for p in behind[done]:
            missing[p] -= 1
            if not missing[p]:
                heappush(waiting_list, (-survey.passes.bottom[p], p))
    return now


def _would_win(answer: Answer, ranked: Ranked, free: list[Ranked]) -> str:
    """Name the smallest single change that would bring a node to the top, where there is one."""
    first = free[0]
    gap = first.score - ranked.score
    node = answer.survey.node(ranked.node)
    weights = {w.factor.name: w.weight for w in answer.scoring.weighed(ranked.node)}
    affinity = round(weights.get("affinity", 0.0) * MILLION)
    if affinity > gap and not ranked.standing.warm and node.repository is not None:
        return f"It would come first if {node.repository} were warm (+{report.points(affinity):.3f})."
    penalty = answer.scoring.pressure(ranked.node)
    if -penalty > gap:
        return f"It would come first without the merges queued for {node.repository} (+{report.points(-penalty):.3f})."
    return ""
