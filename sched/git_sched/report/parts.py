"""Builds the parts of records that every answer shares: basis, request, signals, rows, counts."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Literal

from git_sched.decide.rank import MILLION, PRESSURE
from git_sched.model.phrases import count
from git_sched.model.times import show_moment
from git_sched.report.held_text import why_held

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched import record
    from git_sched.decide.metrics import Survey
    from git_sched.decide.pipeline import Answer
    from git_sched.model.basis import Basis
    from git_sched.model.problems import Problem
    from git_sched.model.request import Ranked
    from git_sched.model.signals import Signals

LISTED = 50
"""How many ranked or held nodes a record lists; their number is always given whole."""


FILES = 1000
"""How many files a basis lists; its key is a digest of all, and the number left out is given."""


def points(value: int) -> float:
    """Turn millionths into points with six decimals."""
    return value / MILLION


def time_text(seconds: int | None) -> str | None:
    """Write seconds since 1970 as ISO 8601, or keep that they are unknown."""
    return None if seconds is None else show_moment(seconds)


def problems(found: Iterable[Problem]) -> list[record.ProblemRecord]:
    """Give problems as they are recorded."""
    return [
        {"severity": p.severity, "code": p.code, "message": p.message, "path": p.path, "line": p.line,
         "column": p.column, "hint": p.hint}
        for p in found
    ]  # fmt: skip


def basis(found: Basis, *, preset: str) -> record.BasisRecord:
    """Give a basis as it is recorded."""
    return {
        "revision": found.revision,
        "workspace": found.workspace,
        "inputs": [{"path": path, "object_id": object_id} for path, object_id in found.inputs[:FILES]],
        "inputs_left_out": max(0, len(found.inputs) - FILES),
        "dirty": list(found.dirty[:FILES]),
        "dirty_left_out": max(0, len(found.dirty) - FILES),
        "policy": {"path": found.policy_path, "preset": preset, "digest": found.policy_digest},
        "now": time_text(found.now),
        "now_source": found.now_source,
        "key": found.key,
    }


def signals(found: Signals, *, basis: str | None = None) -> record.SignalsRecord:
    """Give signals as they are recorded; with a basis, its own rows of history left out."""
    trees, queue, past = found
    past = past if basis is None else past.before(basis)
    source = f"{len(past.rows)} recorded in {past.source}" if past.known else past.source
    return {
        "worktrees": {
            "known": trees.known,
            "source": trees.source,
            "worktrees": [{"repository": row.repository, "agent_id": row.agent_id} for row in trees.rows],
        },
        "merge_queue": {"known": queue.known, "source": queue.source, "depths": dict(queue.depths)},
        "history": {"known": past.known, "source": source, "rows": len(past.rows)},
    }


def publish(answer: Answer) -> record.PublishRecord:
    """Say what may leave a private repository; a policy that cannot be trusted lets out ids alone."""
    if answer.inputs.policy is None:
        return {"titles": False, "repositories": "own", "own": None}
    titles, repositories = answer.survey.policy.publish
    return {
        "titles": titles,
        "repositories": repositories,
        "own": answer.request.own_repository if repositories == "own" else None,
    }


def request(answer: Answer) -> record.RequestRecord:
    """Say what was asked for."""
    return {
        "limit": answer.request.limit,
        "graph_ids": list(answer.graph_ids),
        "agents": list(answer.request.agents),
        "lookahead": answer.request.lookahead or 0,
        "graphs": list(answer.request.graphs),
        "assumed_done": list(answer.request.assumed_done),
    }


def factor_rows(answer: Answer, ranked: Ranked) -> list[record.FactorRecord]:
    """Give the rows of a score with the reason for each rating."""
    prepared = {w.factor.name: w.prepared for w in answer.scoring.weighed(ranked.node)}
    rows: list[record.FactorRecord] = []
    for row in answer.scoring.rows(ranked.node, ranked.standing):
        factor = prepared.get(row.factor)
        why = factor.why(ranked.node, ranked.standing) if factor else _pressure(answer, ranked.node)
        rows.append(
            {"factor": row.factor, "weight": row.weight, "rating": row.rating, "points": points(row.points),
             "known": row.known, "why": why}
        )  # fmt: skip
    return rows


def _pressure(answer: Answer, node: int) -> str:
    repository = answer.survey.node(node).repository
    depth = answer.survey.signals.merge_queue.depth(repository)
    return f"{count(depth, 'merge')} queued for {repository}, threshold {answer.survey.policy.merge_queue_threshold}"


def warm_agent(survey: Survey, ranked: Ranked) -> str | None:
    """Name the agent whose worktree makes a node warm, where one is named."""
    from git_sched.decide.factors.affinity import pool

    if not ranked.standing.warm or ranked.standing.agent_id is not None:
        return ranked.standing.agent_id if ranked.standing.warm else None
    repository = survey.node(ranked.node).repository
    owners = sorted(row.agent_id for row in pool(survey) if row.repository == repository and row.agent_id)
    return owners[0] if owners else None


def held(answer: Answer) -> list[record.HeldRecord]:
    """Give the first held nodes, the best first."""
    kept = (r for r in answer.choice.ranking if r.node in answer.choice.held)
    return [held_node(answer, ranked) for ranked in islice(kept, LISTED)]


def held_node(answer: Answer, ranked: Ranked) -> record.HeldRecord:
    """Give a held node with what keeps it back."""
    node, gate = answer.survey.node(ranked.node), answer.choice.held[ranked.node]
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "title": node.title,
        "repository": node.repository,
        "score": points(ranked.score),
        "gate": gate.gate,
        "limit": gate.limit,
        "value": gate.value,
        "by": list(gate.by[:LISTED]),
        "at_path": gate.at,
        "until": time_text(gate.until),
        "why": why_held(gate),
    }


def ranking(answer: Answer) -> list[record.RankedRecord]:
    """Give the best ready nodes before the first pick, with what became of each."""
    picked = {p.node for p in answer.choice.picks}
    skipped = {s.node for s in answer.choice.skipped}
    rows: list[record.RankedRecord] = []
    for ranked in answer.choice.ranking[:LISTED]:
        node = answer.survey.node(ranked.node)
        state: Literal["picked", "outranked", "held", "skipped"] = "outranked"
        if ranked.node in picked:
            state = "picked"
        elif ranked.node in skipped:
            state = "skipped"
        elif ranked.node in answer.choice.held:
            state = "held"
        factors = factor_rows(answer, ranked)
        depth = answer.survey.signals.merge_queue.depth(node.repository)
        queued = f"{count(depth, 'merge')} queued there"
        pressed = [f"{queued}: {row['points']:.3f}" for row in factors if row["factor"] == PRESSURE]
        rows.append(
            {"graph_id": node.graph_id, "node_id": node.node_id, "title": node.title, "repository": node.repository,
             "score": points(ranked.score), "state": state, "factors": factors, "note": "".join(pressed)}
        )  # fmt: skip
    return rows


def running(survey: Survey) -> list[record.RunningRecord]:
    """Give the nodes at work."""
    found = [survey.node(i) for i in survey.running()]
    return [
        {"graph_id": n.graph_id, "node_id": n.node_id, "repository": n.repository, "agent_id": n.agent_id}
        for n in found
    ]


def blocked(answer: Answer) -> dict[str, int]:
    """Count the open nodes that are neither ready nor running by the reason shown first."""
    survey = answer.survey
    states = Counter(
        state
        for i, state in enumerate(survey.readiness.state)
        if survey.network.is_open[i] and state not in {"ready", "running"}
    )
    return dict(sorted(states.items()))


def counts(answer: Answer) -> record.CountsRecord:
    """Count the nodes of all graphs by state."""
    survey, choice = answer.survey, answer.choice
    network, state = survey.network, survey.readiness.state
    is_open = [network.is_open[i] for i in range(len(network.nodes))]
    by_state = Counter(s for s, open_ in zip(state, is_open, strict=True) if open_)
    statuses = Counter(node.status for node in network.nodes)
    ready = by_state["ready"]
    return {
        "nodes": len(network.nodes) + len(network.broken),
        "open": sum(is_open),
        "ready": ready,
        "picked": len(choice.picks),
        "outranked": len(survey.candidates()) - len(choice.picks) - len(choice.held) - len(choice.skipped),
        "held": len(choice.held),
        "skipped": len(choice.skipped),
        "running": by_state["running"],
        "blocked": sum(is_open) - ready - by_state["running"],
        "completed": statuses["completed"],
        "cancelled": statuses["cancelled"],
        "in_error": len(network.broken),
        "graphs": len(network.graphs),
    }
