"""Builds what every record has about its origin: basis, request, signals, problems, and what can be published."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.times import format_time

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.basis import Basis
    from git_sched.model.problems import Problem
    from git_sched.model.signals import Signals

FILES = 1000
"""The largest number of files that a basis lists; its key is a digest of all of them."""


def build_problems(found: Iterable[Problem]) -> list[record.ProblemRecord]:
    """Build the records of problems."""
    return [
        {"severity": p.severity, "code": p.code, "message": p.message, "path": p.path, "line": p.line,
         "column": p.column, "hint": p.hint}
        for p in found
    ]  # fmt: skip


def build_basis(found: Basis, *, preset: str) -> record.BasisRecord:
    """Build the record of a basis; ``preset`` is that of the policy in force."""
    return {
        "revision": found.revision,
        "workspace": found.workspace,
        "inputs": [{"path": path, "object_id": object_id} for path, object_id in found.inputs[:FILES]],
        "inputs_left_out": max(0, len(found.inputs) - FILES),
        "dirty": list(found.dirty[:FILES]),
        "dirty_left_out": max(0, len(found.dirty) - FILES),
        "policy": {"path": found.policy_path, "preset": preset, "digest": found.policy_digest},
        "now": format_time(found.now) if found.now_used else None,
        "now_source": found.now_source if found.now_used else "unused",
        "key": found.key,
    }


def build_signals(found: Signals, *, basis: str | None = None) -> record.SignalsRecord:
    """Build the record of signals; with the key of a basis, without that basis's own rows of history."""
    trees, queue, past = found
    past = past if basis is None else past.before(basis)
    source = f"{len(past.rows)} recorded in {past.source}" if past.rows and past.known else past.source
    return {
        "worktrees": {
            "known": trees.known,
            "source": trees.source,
            "worktrees": [{"repository": row.repository, "agent_id": row.agent_id} for row in trees.rows],
        },
        "merge_queue": {"known": queue.known, "source": queue.source, "depths": dict(queue.depths)},
        "history": {"known": past.known, "source": source, "rows": len(past.rows)},
    }


def build_publish(answer: Answer) -> record.PublishRecord:
    """Build the record of what can be published; if the policy is in error, that is ids only."""
    if answer.inputs.policy is None:
        return {"titles": False, "repositories": "own", "own": None}
    titles, repositories = answer.metrics.policy.publish
    return {
        "titles": titles,
        "repositories": repositories,
        "own": answer.request.own_repository if repositories == "own" else None,
    }


def build_request(answer: Answer) -> record.RequestRecord:
    """Build the record of the request."""
    return {
        "limit": answer.request.limit,
        "graph_ids": list(answer.graph_ids),
        "agents": list(answer.request.agents),
        "lookahead": answer.request.lookahead or 0,
        "graphs": list(answer.request.graphs),
        "assumed_done": list(answer.request.assumed_done),
    }


def format_optional_time(seconds: int | None) -> str | None:
    """Write seconds since 1970 as ISO 8601 in UTC; ``None`` stays ``None``."""
    return None if seconds is None else format_time(seconds)
