"""Builds the rows of a record: the ranking, held, running and blocked tasks, and the counts."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Literal

from git_sched.decide.pick.gates import pressure_gate
from git_sched.decide.rank import MILLION
from git_sched.model.phrases import count
from git_sched.report.basis import format_optional_time
from git_sched.report.gates import explain_gate
from git_sched.report.task import build_task

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched import record
    from git_sched.decide.metrics import Metrics
    from git_sched.decide.pipeline import Answer
    from git_sched.model.request import Ranked


RankedState = Literal["picked", "lower-ranked", "held", "skipped"]
"""What an answer does with a ready node."""


def build_points(value: int) -> float:
    """Convert millionths to points with six decimals."""
    return value / MILLION


def build_factor_rows(answer: Answer, ranked: Ranked) -> list[record.FactorRecord]:
    """Build the rows of a score, with the reason for each rating."""
    prepared = {w.factor.name: w.prepared for w in answer.scoring.weighed(ranked.node)}
    rows: list[record.FactorRecord] = []
    for row in answer.scoring.rows(ranked.node, ranked.context):
        factor = prepared.get(row.factor)
        why = (
            factor.why(ranked.node, ranked.context)
            if factor
            else explain_gate(answer.metrics, pressure_gate(answer.metrics, ranked.node))
        )
        rows.append(
            {"factor": row.factor, "weight": row.weight, "rating": row.rating, "points": build_points(row.points),
             "known": row.known, "why": why}
        )  # fmt: skip
    return rows


def find_warm_agent(metrics: Metrics, ranked: Ranked) -> str | None:
    """Name the agent that has a node's repository checked out, where a worktree names one."""
    from git_sched.decide.factors.affinity import pool

    if not ranked.context.warm or ranked.context.agent_id is not None:
        return ranked.context.agent_id if ranked.context.warm else None
    repository = metrics.node(ranked.node).repository
    owners = sorted(row.agent_id for row in pool(metrics) if row.repository == repository and row.agent_id)
    return owners[0] if owners else None


def build_held(answer: Answer) -> list[record.HeldRecord]:
    """Build the records of the first held nodes, the best first."""
    kept = (ranked for ranked in answer.choice.ranking if ranked.node in answer.choice.held)
    return [build_held_node(answer, ranked) for ranked in islice(kept, LISTED)]


def build_held_node(answer: Answer, ranked: Ranked) -> record.HeldRecord:
    """Build the record of a held node, with its gate."""
    gate = answer.choice.held[ranked.node]
    return {
        **build_task(answer.metrics, ranked.node),
        "score": build_points(ranked.score),
        "gate": gate.gate,
        "limit": gate.limit,
        "value": gate.value,
        "by": list(gate.by[:LISTED]),
        "at_path": gate.at,
        "until": format_optional_time(gate.until),
        "why": explain_gate(answer.metrics, gate, picked=[pick.node for pick in answer.choice.picks]),
    }


def build_ranking(answer: Answer) -> list[record.RankedRecord]:
    """Build the records of the best ready nodes before the first pick, with what the answer does with each."""
    return build_ranked(answer, answer.choice.ranking[:LISTED])


def build_ranked(answer: Answer, chosen: Iterable[Ranked]) -> list[record.RankedRecord]:
    """Build the records of some nodes of the ranking, with what the answer does with each."""
    choice = answer.choice
    states: dict[int, RankedState] = dict.fromkeys(choice.held, "held")
    states |= dict.fromkeys((ranked.node for ranked in choice.skipped), "skipped")
    states |= dict.fromkeys((ranked.node for ranked in choice.picks), "picked")
    return [
        {
            **build_task(answer.metrics, ranked.node),
            "score": build_points(ranked.score),
            "state": states.get(ranked.node, "lower-ranked"),
            "factors": build_factor_rows(answer, ranked),
            "note": _note(answer, ranked.node),
        }
        for ranked in chosen
    ]


def _note(answer: Answer, node: int) -> str:
    """Say what is against a node now, such as a long merge queue; empty where nothing is."""
    if not answer.scoring.pressed(node):
        return ""
    depth = answer.metrics.signals.merge_queue.depth(answer.metrics.node(node).repository)
    return f"{count(depth, 'merge')} {'is' if depth == 1 else 'are'} queued there"


def find_running(metrics: Metrics) -> list[int]:
    """Find the open nodes in progress, containers with open parts included, unlike for limits."""
    return [i for i in metrics.open_nodes() if metrics.readiness.state[i] == "running"]


def build_running(metrics: Metrics) -> list[record.RunningRecord]:
    """Build the records of the tasks in progress."""
    return [{**build_task(metrics, i), "agent_id": metrics.node(i).agent_id} for i in find_running(metrics)]


def find_blocked(metrics: Metrics) -> list[int]:
    """Find the open nodes that are neither ready nor running."""
    state = metrics.readiness.state
    return [i for i in metrics.open_nodes() if state[i] not in {"ready", "running"}]


def count_blocked(answer: Answer) -> dict[str, int]:
    """Count the blocked nodes by the reason shown first."""
    state = answer.metrics.readiness.state
    return dict(sorted(Counter(state[i] for i in find_blocked(answer.metrics)).items()))


def build_counts(answer: Answer) -> record.CountsRecord:
    """Count the nodes of all graphs by state."""
    metrics, choice = answer.metrics, answer.choice
    network, state = metrics.network, metrics.readiness.state
    is_open = [network.is_open[i] for i in range(len(network.nodes))]
    by_state = Counter(s for s, open_ in zip(state, is_open, strict=True) if open_)
    statuses = Counter(node.status for node in network.nodes)
    ready = by_state["ready"]
    return {
        "nodes": len(network.nodes) + len(network.broken),
        "open": sum(is_open),
        "ready": ready,
        "picked": len(choice.picks),
        "lower_ranked": len(metrics.candidates()) - len(choice.picks) - len(choice.held) - len(choice.skipped),
        "held": len(choice.held),
        "skipped": len(choice.skipped),
        "running": by_state["running"],
        "blocked": sum(is_open) - ready - by_state["running"],
        "completed": statuses["completed"],
        "cancelled": statuses["cancelled"],
        "in_error": len(network.broken),
        "graphs": len(network.graphs),
    }


LISTED = 50
"""The largest number of ranked or held nodes that a record lists; it also has their full number."""
