"""The record of ``diff``: what a change does, from one commit to another."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.problems import MissingRevisionError

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.basis import Commit
    from git_sched.model.inputs import Inputs
    from git_sched.workspace.gather import Workspace
    from git_sched.workspace.question import Question

LIMIT = 3
"""Picks that are compared unless another number is asked for."""


class _Sides(NamedTuple):
    """What was read: the change, and the base where it is here; else one sentence says what is missing."""

    before: Workspace | None
    after: Workspace
    missing: str


def compare_revisions(
    question: Question, *, base: str, head: str = "HEAD", merge_base: bool = False
) -> record.ComparisonRecord:
    """Compare two revisions, or ``head`` with the commit where it left ``base``; picks are 3 if none are asked for."""
    from git_sched.workspace.question import find_clock

    question = question._replace(clock=find_clock(question))  # both sides are read at one time
    sides = _read(question._replace(revision=head), base, merge_base=merge_base)
    return _compare(sides, base, question)


def _read(question: Question, base: str, *, merge_base: bool) -> _Sides:
    from git_sched.operations.read import read_workspace

    after = read_workspace(question)
    revision = _revision(after)
    wanted: str | None = base
    if merge_base:
        wanted = _merge_base(question, base, revision.object_id)
    missing = f"{base} is not here: set fetch-depth: {_depth(base, merge_base=merge_base)} in actions/checkout"
    if wanted is None:
        return _Sides(None, after, missing)
    try:
        # The workspace is the one of the change, and so is the time, so that nothing but the change shows.
        root = after.location.root
        fixed = root if root is not None and os.path.isdir(root) else question.workspace
        before = read_workspace(question._replace(revision=wanted, workspace=fixed))
    except MissingRevisionError:
        return _Sides(None, after, missing)
    return _Sides(before, after, "")


def _revision(workspace: Workspace) -> Commit:
    if workspace.location.commit is None:
        raise MissingRevisionError("nothing was committed here yet", hint="commit the task files first")
    return workspace.location.commit


def _depth(base: str, *, merge_base: bool) -> int:
    """Give the ``fetch-depth`` that gets a base: 2 for a parent of HEAD, else 0, which is everything."""
    return 2 if not merge_base and base.startswith("HEAD^") and base.count("^") == 1 else 0


def _merge_base(question: Question, base: str, head: str) -> str | None:
    from git_sched.workspace import git
    from git_sched.workspace.reader import merge_base

    found = git.find_repository(question.start, question.environment)
    if found is None:
        return None
    return merge_base(found, base, head)


def _compare(sides: _Sides, base: str, question: Question) -> record.ComparisonRecord:
    from git_sched.report.diff import build_comparison, compared

    before, after = sides.before, sides.after
    second = _decide(after, after, question)
    first = _decide(before, after, question) if before else None
    own = None
    if before and before.inputs.policy and before.inputs.policy._replace(path="") != _bare(after):
        own = _decide(after._replace(inputs=_with_policy_of(before, after)), after, question)
    answers = [second] if first is None else [second, first]
    told = compared(before.location.commit if before else None, _revision(after), asked=base, answers=answers)
    return build_comparison(first, second, by_base_policy=own, compared=told, missing=sides.missing)


def _bare(workspace: Workspace) -> object:
    return workspace.inputs.policy and workspace.inputs.policy._replace(path="")


def _with_policy_of(before: Workspace, after: Workspace) -> Inputs:
    basis = after.inputs.basis._replace(
        policy_path=before.inputs.basis.policy_path, policy_digest=before.inputs.basis.policy_digest
    )
    return after.inputs._replace(policy=before.inputs.policy, basis=basis)


def _decide(workspace: Workspace, shared: Workspace, question: Question) -> Answer:
    """Decide on one side, with the signals and the time of the other."""
    from git_sched.decide.pipeline import decide
    from git_sched.model.request import Request

    times = shared.inputs.basis
    basis = workspace.inputs.basis._replace(now=times.now, now_source=times.now_source, clock=times.clock)
    inputs = workspace.inputs._replace(signals=shared.inputs.signals, basis=basis)
    request = Request(
        limit=question.limit or LIMIT,
        agents=tuple(dict.fromkeys(question.agents)),
        own_repository=workspace.own_repository,
        tracked=workspace.tracked,
    )
    return decide(inputs, request)
