"""Builds the rows of a record: the ranking, what is held and running, and the counts."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Literal

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
"""What became of a ready node."""


def build_points(value: int) -> float:
    """Turn millionths into points with six decimals."""
    return value / MILLION


def build_factor_rows(answer: Answer, ranked: Ranked) -> list[record.FactorRecord]:
    """Give the rows of a score with the reason for each rating."""
    prepared = {w.factor.name: w.prepared for w in answer.scoring.weighed(ranked.node)}
    rows: list[record.FactorRecord] = []
    for row in answer.scoring.rows(ranked.node, ranked.context):
        factor = prepared.get(row.factor)
        why = factor.why(ranked.node, ranked.context) if factor else _pressure(answer, ranked.node)
        rows.append(
            {"factor": row.factor, "weight": row.weight, "rating": row.rating, "points": build_points(row.points),
             "known": row.known, "why": why}
        )  # fmt: skip
    return rows


def find_warm_agent(metrics: Metrics, ranked: Ranked) -> str | None:
    """Name the agent whose worktree makes a node warm, where one is named."""
    from git_sched.decide.factors.affinity import pool

    if not ranked.context.warm or ranked.context.agent_id is not None:
        return ranked.context.agent_id if ranked.context.warm else None
    repository = metrics.node(ranked.node).repository
    owners = sorted(row.agent_id for row in pool(metrics) if row.repository == repository and row.agent_id)
    return owners[0] if owners else None


def build_held(answer: Answer) -> list[record.HeldRecord]:
    """Give the first held nodes, the best first."""
    kept = (ranked for ranked in answer.choice.ranking if ranked.node in answer.choice.held)
    return [build_held_node(answer, ranked) for ranked in islice(kept, LISTED)]


def build_held_node(answer: Answer, ranked: Ranked) -> record.HeldRecord:
    """Give a held node with what keeps it back."""
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
        "why": explain_gate(answer.metrics, gate),
    }


def build_ranking(answer: Answer) -> list[record.RankedRecord]:
    """Give the best ready nodes before the first pick, with what became of each."""
    return build_ranked(answer, answer.choice.ranking[:LISTED])


def build_ranked(answer: Answer, chosen: Iterable[Ranked]) -> list[record.RankedRecord]:
    """Give some nodes of the ranking with what became of each."""
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
    """Say what speaks against a node now."""
    if not answer.scoring.pressed(node):
        return ""
    depth = answer.metrics.signals.merge_queue.depth(answer.metrics.node(node).repository)
    return f"{count(depth, 'merge')} {'is' if depth == 1 else 'are'} queued there"


def build_running(metrics: Metrics) -> list[record.RunningRecord]:
    """Give the tasks in progress."""
    return [{**build_task(metrics, i), "agent_id": metrics.node(i).agent_id} for i in metrics.running()]


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
"""How many ranked or held nodes a record lists; their number is always given whole."""


def _pressure(answer: Answer, node: int) -> str:
    repository = answer.metrics.node(node).repository
    depth = answer.metrics.signals.merge_queue.depth(repository)
    return f"{count(depth, 'merge')} queued for {repository}, threshold {answer.metrics.policy.merge_queue_threshold}"
