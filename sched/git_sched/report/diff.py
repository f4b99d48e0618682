"""Builds the record of ``diff``: two answers side by side, and which tasks changed between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, cast, get_args

from git_sched.model.json_codec import dump
from git_sched.model.problems import KEPT_OUT
from git_sched.record.diff import PickRecord
from git_sched.report.basis import build_basis, build_problems, build_publish, build_signals
from git_sched.report.changes import TEXT, compare_nodes, compare_problems, shorten_problem
from git_sched.report.decision import build_picks
from git_sched.report.policy import build_policy
from git_sched.report.ranking import LISTED, build_counts, build_points
from git_sched.report.task import build_estimates, build_longest_path, build_work_left, find_longest_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.basis import Commit
    from git_sched.model.problems import Problem
    from git_sched.model.request import Ranked

KEPT: Final = 20
"""The largest number of problems that a comparison lists; it also has their full number."""

UNREAD: Final = frozenset({"unreadable", "outside-workspace"})
"""Codes of errors by which nothing of a file or folder is known."""

_Weighty = Literal["added", "removed", "finished", "cancelled", "reopened", "freed", "newly_blocked"]

WEIGHTY: Final[tuple[_Weighty, ...]] = get_args(_Weighty)
"""The lists of changes in which a single task makes a comparison worth showing."""


def build_comparison(
    before: Answer | None,
    after: Answer,
    *,
    by_base_policy: Answer | None,
    compared: record.ComparedRecord,
    missing: str,
) -> record.ComparisonRecord:
    """Build the record of ``diff``; without a base, only the answer after the change, and ``missing`` says why."""
    files = _changed_files(before, after) if before else []
    policy = _policy_changes(before, after) if before else []
    changes = compare_nodes(before, after) if before else None
    new, fixed = compare_problems(before, after, changes) if before and changes else (set(), set())
    ordered = sorted(after.problems, key=lambda p: (p not in new, p.severity != "error"))[:KEPT]
    estimates = _join_estimates(before, after)
    unit = estimates["unit"]
    return {
        "schema_version": 1,
        "kind": "comparison",
        "base": "found" if before else "missing",
        "missing": missing,
        "basis": compared,
        "limit": after.request.limit,
        "qualified": len(_open_graphs(after) | (_open_graphs(before) if before else set())) > 1,
        "before": _side(before, compared["base"] or "", unit=unit) if before else None,
        "after": _side(after, compared["revision"], unit=unit),
        "after_by_base_policy": _side(by_base_policy, compared["revision"], unit=unit) if by_base_policy else None,
        "estimates": estimates,
        "changed": before is None
        or changes is None
        or bool(policy)
        or _is_weighty(changes, {*new, *fixed})
        or _first(before) != _first(after),
        "changed_files": files[:LISTED],
        "changed_files_more": max(0, len(files) - LISTED),
        "changes": changes,
        "policy_changes": policy[:LISTED],
        "policy_changes_more": max(0, len(policy) - LISTED),
        "problems": [shorten_problem(row) for row in build_problems(ordered)],
        "new_errors": sum(problem.severity == "error" for problem in new),
        "new_warnings": sum(problem.severity == "warning" for problem in new),
        "fixed_errors": sum(problem.severity == "error" for problem in fixed),
        "fixed_warnings": sum(problem.severity == "warning" for problem in fixed),
        "signals": build_signals(after.metrics.signals),
        "publish": build_publish(after if by_base_policy is None else by_base_policy),
    }


def compared(
    before: Commit | None, after: Commit | None, *, asked: str, answers: Sequence[Answer]
) -> record.ComparedRecord:
    """Build the record of what is compared: the commits, ``None`` for the work tree, and the time of ``answers``."""
    merges = before is not None and after is not None and after.parents[:1] == (before.object_id,) and after.parents[1:]
    revision = after.object_id if after else ""
    basis = max((answer.inputs.basis for answer in answers), key=lambda found: found.now_used)
    times = build_basis(basis, preset="")
    return {
        "base": before.object_id if before else None,
        "revision": revision,
        "head": merges[0] if merges else revision,
        "requested": asked,
        "workspace": basis.workspace,
        "now": times["now"],
        "now_source": times["now_source"],
    }


def _open_graphs(answer: Answer) -> set[str]:
    return {answer.metrics.node(node).graph_id for node in answer.metrics.open_nodes()}


def _join_estimates(before: Answer | None, after: Answer) -> record.EstimatesRecord:
    """Return the estimates after the change, in tasks if the unit of either side that has open tasks is the task."""
    sides = [build_estimates(answer.metrics) for answer in (before, after) if answer is not None]
    units = {side["unit"] for side in sides if side["tasks"]}
    return {**sides[-1], "unit": "minute" if units == {"minute"} else "task"}


def _is_weighty(changes: record.ChangesRecord, problems: set[Problem]) -> bool:
    """Whether tasks or files changed in a way that is worth showing, or errors are new or gone."""
    files = changes["broken"] or changes["repaired"] or changes["deleted"]
    errors = any(problem.severity == "error" for problem in problems)
    return bool(files) or errors or any(changes[key]["tasks"] for key in WEIGHTY)


def _first(answer: Answer) -> list[tuple[str, str | None]]:
    """Give what comes next: the first pick, or with named agents the pick of each."""
    picks = answer.choice.picks if answer.request.agents else answer.choice.picks[:1]
    return [(answer.metrics.node(pick.node).name, pick.context.agent_id) for pick in picks]


def _order(answer: Answer) -> Sequence[Ranked]:
    """Return the order of what comes next.

    For one agent that is the first pick, then those that it is ahead of, with their scores at that pick: once the first
    is taken, nobody else has its repository checked out.
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


# One side


def _side(answer: Answer, revision: str, *, unit: str) -> record.SideRecord:
    metrics = answer.metrics
    basis = answer.inputs.basis
    counted = [p for p in answer.problems if p.code != KEPT_OUT]
    errors = sum(p.severity == "error" for p in counted)
    unread = [p for p in answer.problems if p.severity == "error" and p.code in UNREAD]
    return {
        "revision": revision,
        "unread": [shorten_problem(row) for row in build_problems(unread[:LISTED])],
        "outcome": answer.outcome,
        "policy": {"path": basis.policy_path, "preset": metrics.policy.preset, "digest": basis.policy_digest},
        "decisions": [_pick(row) for row in build_picks(answer)],
        "order": [_place(answer, ranked) for ranked in _order(answer)],
        "counts": build_counts(answer),
        "longest_path": _in_unit(build_longest_path(metrics), unit),
        "longest_path_nodes": [metrics.node(i).name for i in find_longest_path(metrics)[:LISTED]],
        "work_left": _in_unit(build_work_left(metrics), unit),
        "errors": errors,
        "warnings": len(counted) - errors,
    }


def _in_unit(total: record.TotalRecord, unit: str) -> record.TotalRecord:
    return {**total, "minutes": total["minutes"] or 0.0 if unit == "minute" else None}


def _place(answer: Answer, ranked: Ranked) -> record.PlaceRecord:
    node = answer.metrics.node(ranked.node)
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "title": node.title[:TEXT],
        "agent_id": ranked.context.agent_id,
        "score": build_points(ranked.score),
    }


def _pick(row: record.DecisionRecord) -> record.PickRecord:
    """Return the keys of a decision that a comparison keeps."""
    kept = {key: value for key, value in row.items() if key in PickRecord.__annotations__}
    factors = [{**factor, "why": factor["why"][:TEXT]} for factor in row["factors"]]
    return cast("PickRecord", {**kept, "title": row["title"][:TEXT], "factors": factors})


# The policy


def _policy_changes(before: Answer, after: Answer) -> list[record.PolicyChangeRecord]:
    """Return the keys in which the policies in force differ; a policy in error has none."""
    if before.inputs.policy is None or after.inputs.policy is None:
        return []
    old, new = (dict(_flat(build_policy(policy))) for policy in (before.inputs.policy, after.inputs.policy))
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
