"""Builds the record of ``check`` from an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.report.basis import build_basis, build_problems, build_publish

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.problems import Problem


def build_check(answer: Answer, problems: Iterable[Problem], *, not_read: Sequence[str] = ()) -> record.CheckRecord:
    """Build the record of ``check`` from the problems to report, and the requested paths that were not read."""
    network, policy = answer.metrics.network, answer.metrics.policy
    return {
        "schema_version": 1,
        "kind": "check",
        "graphs": len(network.graphs),
        "nodes": len(network.nodes) + len(network.broken),
        "policies": int(bool(answer.inputs.policy is None or policy.path)),
        "problems": build_problems(problems),
        "not_read": list(not_read),
        "basis": build_basis(answer.inputs.basis, preset=policy.preset),
        "publish": build_publish(answer),
    }


def select_problems(problems: Iterable[Problem], paths: Collection[str]) -> tuple[Problem, ...]:
    """Return the problems of some files, or of files in some folders; all where ``paths`` is empty."""
    if not paths:
        return tuple(problems)
    whole = frozenset(paths)
    heads = tuple("" if path == "." else f"{path}/" for path in paths)
    return tuple(p for p in problems if p.path in whole or p.path.startswith(heads))
