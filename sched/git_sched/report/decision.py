"""Builds the record of a decision: a picked or skipped task, its score, and the task that it is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from git_sched.decide.rank import order
from git_sched.model.basis import decision_id
from git_sched.model.times import format_time
from git_sched.report import metagit
from git_sched.report.ranking import build_factor_rows, build_points, find_warm_agent
from git_sched.report.task import build_task, locate_tasks
from git_sched.report.why import build_why, join_pieces, record_why

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.graph import Place
    from git_sched.model.request import Ranked


def build_picks(answer: Answer) -> list[record.DecisionRecord]:
    """Build the records of all picks, each with why it was made."""
    picks = answer.choice.picks
    places = locate_tasks(answer.metrics, [pick.node for pick in picks])
    return [_pick(answer, number, places[pick.node]) for number, pick in enumerate(picks)]


def build_skipped(answer: Answer) -> list[record.DecisionRecord]:
    """Build the records of all nodes that are skipped for merge pressure."""
    skipped = answer.choice.skipped
    places = locate_tasks(answer.metrics, [one.node for one in skipped])
    return [_decision(answer, one, places[one.node], skipped=True) for one in skipped]


def _pick(answer: Answer, number: int, place: Place) -> record.DecisionRecord:
    why = build_why(answer, number)
    found = _decision(answer, answer.choice.picks[number], place, skipped=False)
    runner_up = _runner_up(answer, number)
    return {**found, "why": join_pieces(why), "why_parts": record_why(why), "runner_up": runner_up}


def _decision(answer: Answer, ranked: Ranked, place: Place, *, skipped: bool) -> record.DecisionRecord:
    metrics, node = answer.metrics, answer.metrics.node(ranked.node)
    rows = build_factor_rows(answer, ranked)
    agent_id = ranked.context.agent_id
    return {
        "decision_id": _id(answer, ranked, skipped=skipped),
        "at": format_time(answer.inputs.basis.now) if answer.inputs.basis.now_used else None,
        **build_task(metrics, ranked.node),
        "why": "",
        "why_parts": [],
        "path": place.path,
        "line": place.line,
        "score": build_points(ranked.score),
        "skipped": skipped,
        "agent_id": agent_id,
        "warm": ranked.context.warm,
        "warm_agent": find_warm_agent(metrics, ranked),
        "finish": metrics.network.is_container(ranked.node),
        "factors": rows,
        "reasons": _reasons(answer, ranked, rows, skipped=skipped),
        "runner_up": None,
        "dispatch_hints": {
            "title": node.title,
            "project": node.project,
            "repository": node.repository_name or node.repository,
            "agent_id": agent_id if agent_id is not None else node.agent_id,
            "priority": node.priority,
        },
        "acl_commands": list(node.acl_commands),
        "compile_command": metagit.build_compile_command(node),
    }


def date_decisions(found: record.DecisionsRecord, answer: Answer) -> record.DecisionsRecord:
    """Return a record of ``next`` in which each decision has the time of the answer, also where it was not used."""
    return fill_times(found, format_time(answer.inputs.basis.now))


def fill_times(found: record.DecisionsRecord, at: str) -> record.DecisionsRecord:
    """Return a record of ``next`` in which each decision without a time has this one, in ISO 8601."""
    decisions, skipped = ([{**row, "at": row["at"] or at} for row in found[key]] for key in ("decisions", "skipped"))
    return {**found, "decisions": decisions, "skipped": skipped}  # type: ignore[typeddict-item]  # rows as before


def _id(answer: Answer, ranked: Ranked, *, skipped: bool) -> str:
    request, node = answer.request, answer.metrics.node(ranked.node)
    asked: tuple[object, ...] = (answer.graph_ids, request.agents, request.lookahead)
    if request.assumed_done:  # hashed only where something is assumed, so that no other id changes with it
        asked = (*asked, request.assumed_done)
    subject = (node.graph_id, node.node_id, ranked.context.agent_id, skipped)
    return decision_id(answer.inputs.basis, answer.metrics.signals, asked=asked, subject=subject)


def _reasons(answer: Answer, ranked: Ranked, rows: list[record.FactorRecord], *, skipped: bool) -> list[str]:
    if answer.metrics.policy.exact_rfc:
        return metagit.build_reasons(answer, ranked, rows, skipped=skipped)
    return [f"{row['factor']} {row['points']:+.3f}: {row['why']}" for row in rows]


def _runner_up(answer: Answer, number: int) -> record.RunnerUpRecord | None:
    """Build the record of the best node that was left for the same agent, and of what decided between the two."""
    ranked, second = answer.choice.picks[number], answer.choice.runners_up[number]
    if second is None:
        return None
    mine = {row.factor: row.points for row in answer.scoring.rows(ranked.node, ranked.context)}
    theirs = {row.factor: row.points for row in answer.scoring.rows(second.node, second.context)}
    margins = {name: mine.get(name, 0) - theirs.get(name, 0) for name in [*mine, *theirs]}
    node = answer.metrics.node(second.node)
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "title": node.title,
        "score": build_points(second.score),
        "ahead": build_points(ranked.score - second.score),
        "margins": [
            {"factor": name, "points": build_points(margin)}
            for name, margin in sorted(margins.items(), key=lambda m: -m[1])
            if margin
        ],
        "decided_by": _decided_by(answer, ranked, second),
    }


def _decided_by(
    answer: Answer, first: Ranked, second: Ranked
) -> Literal["look-ahead", "score", "tokens", "priority", "id"]:
    if order(answer.metrics, second.node, second.score) < order(answer.metrics, first.node, first.score):
        return "look-ahead"
    one, two = answer.metrics.node(first.node), answer.metrics.node(second.node)
    if first.score != second.score:
        return "score"
    if one.tokens != two.tokens:
        return "tokens"
    return "priority" if one.priority != two.priority and not answer.metrics.policy.exact_rfc else "id"
