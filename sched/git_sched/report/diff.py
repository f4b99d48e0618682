"""Compares two answers: which nodes a change finishes, frees or blocks, and what it does to the picks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.json_codec import dump
from git_sched.report import waiting
from git_sched.report.basis import build_basis, build_problems, build_publish, build_signals
from git_sched.report.changes import compare_nodes
from git_sched.report.decision import build_decision
from git_sched.report.policy import build_policy
from git_sched.report.ranking import LISTED, build_counts, build_points
from git_sched.report.view import find_longest_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.basis import Commit
    from git_sched.model.problems import Problem
    from git_sched.model.request import Ranked

TEXT = 200
"""Characters of a title, a reason or a policy's value that a comparison keeps: stored ones stay small."""

KEPT = 20
"""Problems a comparison keeps; their number is always given whole."""


def build_comparison(
    before: Answer | None,
    after: Answer,
    *,
    by_base_policy: Answer | None,
    compared: record.ComparedRecord,
    missing: str,
) -> record.ComparisonRecord:
    """Build the record of ``diff``. Without a base there is only the answer after the change."""
    files = _changed_files(before, after) if before else []
    policy = _policy_changes(before, after) if before else []
    mine, theirs = _lasting(after.problems), _lasting(before.problems) if before else set()
    ordered = sorted(after.problems, key=lambda p: (next(iter(_lasting((p,)))) in theirs, p.severity != "error"))[:KEPT]
    return {
        "schema_version": 1,
        "kind": "comparison",
        "base": "found" if before else "missing",
        "missing": missing,
        "basis": compared,
        "limit": after.request.limit,
        "before": _side(before) if before else None,
        "after": _side(after),
        "after_by_base_policy": _side(by_base_policy) if by_base_policy else None,
        "changed": before is None or bool(files or policy) or _picks(before) != _picks(after),
        "changed_files": files[:LISTED],
        "changed_files_more": max(0, len(files) - LISTED),
        "changes": compare_nodes(before, after) if before else None,
        "policy_changes": policy[:LISTED],
        "policy_changes_more": max(0, len(policy) - LISTED),
        "problems": [_short_problem(row) for row in build_problems(ordered)],
        "new_problems": len(mine - theirs) if before else 0,
        "mended_problems": len(theirs - mine),
        "signals": build_signals(after.metrics.signals),
        "publish": build_publish(after if by_base_policy is None else by_base_policy),
    }


def compared(before: Commit | None, after: Commit, *, asked: str, answers: Sequence[Answer]) -> record.ComparedRecord:
    """Say what is compared: the commits, and the time all ``answers`` are given for, if one of them makes use of it."""
    merges = before is not None and len(after.parents) > 1 and after.parents[0] == before.object_id
    basis = max((answer.inputs.basis for answer in answers), key=lambda found: found.now_used)
    times = build_basis(basis, preset="")
    return {
        "base": before.object_id if before else None,
        "revision": after.object_id,
        "head": after.parents[1] if merges else after.object_id,
        "asked": asked,
        "workspace": basis.workspace,
        "now": times["now"],
        "now_source": times["now_source"],
    }


def _picks(answer: Answer) -> list[tuple[str, str | None]]:
    return [(answer.metrics.node(p.node).name, p.context.agent_id) for p in _order(answer)]


def _order(answer: Answer) -> Sequence[Ranked]:
    """Give what comes next, then, and so on.

    For one agent that is the first pick, then those it is ahead of, with the scores they have at that moment: once
    the first is taken, its warm seat is taken too.
    """
    choice = answer.choice
    if answer.request.agents:
        return choice.picks
    skipped = {s.node for s in choice.skipped}
    rest = [r for r in choice.ranking if r.node not in choice.held and r.node not in skipped]
    rest = [r for r in rest if r.node != choice.picks[0].node] if choice.picks else []
    return [*choice.picks[:1], *rest][: answer.request.limit]


def _changed_files(before: Answer, after: Answer) -> list[str]:
    old, new = dict(before.inputs.basis.inputs), dict(after.inputs.basis.inputs)
    return sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))


def _lasting(problems: Iterable[Problem]) -> set[tuple[str, str, str, str]]:
    """Give problems without their place, which moves with every line above."""
    return {(p.severity, p.code, p.message, p.path) for p in problems}


def _short_problem(row: record.ProblemRecord) -> record.ProblemRecord:
    return {**row, "message": row["message"][: 2 * TEXT], "hint": row["hint"][: 2 * TEXT]}


# One side


def _side(answer: Answer) -> record.SideRecord:
    metrics = answer.metrics
    minutes, left = waiting.measure_work_left(answer)
    path = find_longest_path(answer)
    is_open = [i for i in range(len(metrics.network.nodes)) if metrics.network.is_open[i]]
    basis = answer.inputs.basis
    errors = sum(p.severity == "error" for p in answer.problems)
    return {
        "revision": basis.revision or "",
        "outcome": answer.outcome,
        "policy": {"path": basis.policy_path, "preset": metrics.policy.preset, "digest": basis.policy_digest},
        "decisions": [_pick(build_decision(answer, pick, skipped=False)) for pick in answer.choice.picks],
        "order": [_place(answer, ranked) for ranked in _order(answer)],
        "counts": build_counts(answer),
        "longest_path_minutes": minutes,
        "longest_path_filled": any(metrics.estimates.filled(i) for i in path),
        "longest_path": [metrics.node(i).name for i in path[:LISTED]],
        "work_left_minutes": left,
        "work_left_filled": any(metrics.estimates.filled(i) for i in is_open),
        "errors": errors,
        "warnings": len(answer.problems) - errors,
    }


def _place(answer: Answer, ranked: Ranked) -> record.PlaceRecord:
    node = answer.metrics.node(ranked.node)
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "agent_id": ranked.context.agent_id,
        "score": build_points(ranked.score),
    }


def _pick(row: record.DecisionRecord) -> record.PickRecord:
    return {
        "decision_id": row["decision_id"],
        "graph_id": row["graph_id"],
        "node_id": row["node_id"],
        "title": row["title"][:TEXT],
        "repository": row["repository"],
        "agent_id": row["agent_id"],
        "score": row["score"],
        "warm": row["warm"],
        "minutes": row["minutes"],
        "minutes_filled": row["minutes_filled"],
        "finish": row["finish"],
        "factors": [{**factor, "why": factor["why"][:TEXT]} for factor in row["factors"]],
        "runner_up": row["runner_up"],
    }


# The policy


def _policy_changes(before: Answer, after: Answer) -> list[record.PolicyChangeRecord]:
    """Give the keys of the policies in force that differ; a policy that cannot be trusted has none."""
    old = dict(_flat(build_policy(before.inputs.policy))) if before.inputs.policy else {}
    new = dict(_flat(build_policy(after.inputs.policy))) if after.inputs.policy else {}
    return [
        {"key": key, "old": old.get(key), "new": new.get(key)}
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    ]


def _flat(values: Mapping[str, object], prefix: str = "") -> Iterable[tuple[str, str]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"[:TEXT], dump(value).decode()[:TEXT]
