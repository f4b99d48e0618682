"""Compares two commits, or a commit with the work tree, for ``diff``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.problems import MissingRevisionError, RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.inputs import Inputs
    from git_sched.workspace.gather import Workspace
    from git_sched.workspace.git import Git
    from git_sched.workspace.question import Question

LIMIT = 3
"""The number of picks to compare by default."""


class Range(NamedTuple):
    """The revisions to compare, as git names them. ``head`` is ``None`` for the work tree.

    With ``merge_base`` the base is the commit at which the histories of ``base`` and ``head`` parted.
    """

    base: str = "HEAD"
    head: str | None = None
    merge_base: bool = False


def parse_range(words: Sequence[str], *, merge_base: bool = False) -> Range:
    """Parse what to compare as ``git diff`` does: nothing, ``A``, ``A B``, ``A..B`` or ``A...B``.

    Raises:
        RequestError: more than two revisions are named.

    """
    first = words[0] if words else "HEAD"
    dots = next((dots for dots in ("...", "..") if dots in first), "")
    if len(words) > (1 if dots else 2):
        raise RequestError("diff compares two revisions", hint="git sched diff A B, or A..B")
    if dots:
        base, _, head = first.partition(dots)
        return Range(base or "HEAD", head or "HEAD", merge_base or dots == "...")
    return Range(first, words[1] if len(words) > 1 else None, merge_base)


def compare_revisions(question: Question, wanted: Range, *, missing: str = "") -> record.ComparisonRecord:
    """Compare two commits, or a commit with the work tree; the number of picks is 3 where none is requested.

    Where the base is not in this clone and ``missing`` says why, there is only the answer after the change.

    Raises:
        MissingRevisionError: a commit is not in this clone, and ``missing`` is empty.
        RequestError: there is no work tree to compare with.

    """
    from git_sched.operations.read import read_workspace
    from git_sched.workspace.question import find_clock

    question = question._replace(clock=find_clock(question))  # both sides have the same time
    after = read_workspace(question._replace(revision=wanted.head))
    git = after.location.git
    if git is None:
        raise RequestError("this is not a git repository, so there is nothing to compare with")
    if wanted.head is None and after.location.from_commit:
        raise RequestError("there is no work tree here", hint="name two commits: git sched diff A B")
    try:
        base = _find_merge_base(git, wanted) if wanted.merge_base else wanted.base
        before = read_workspace(question._replace(revision=base, workspace=_find_folder(after) or question.workspace))
        if not after.sources and (folder := _find_folder(before)):
            after = read_workspace(question._replace(revision=wanted.head, workspace=folder))
    except MissingRevisionError:
        if not missing:
            raise
        before = None
    return _compare(before, after, question=question, wanted=wanted, missing="" if before else missing)


def _find_folder(workspace: Workspace) -> str | None:
    """Find the folder of the side that has tasks, so that the same one is compared on the other side."""
    from git_sched.workspace.places import is_folder

    root = workspace.location.root
    return root if workspace.sources and root is not None and is_folder(root) else None


def _find_merge_base(git: Git, wanted: Range) -> str:
    from git_sched.workspace.commits import merge_base, read_commit

    head = wanted.head or "HEAD"
    try:
        sides = [read_commit(git, name).object_id for name in (wanted.base, head)]
    finally:
        git.close()
    parted = merge_base(git, *sides)
    if parted is None:
        message = f"{wanted.base} and {head} have no common ancestor in this clone"
        raise MissingRevisionError(message, hint=f"git sched diff {wanted.base} {head} compares them as they are")
    return parted


def _compare(
    before: Workspace | None, after: Workspace, *, question: Question, wanted: Range, missing: str
) -> record.ComparisonRecord:
    from git_sched.report.diff import build_comparison, compared

    second = _decide(after, after, question)
    first = _decide(before, after, question) if before else None
    own = None
    if before and before.inputs.policy and before.inputs.policy._replace(path="") != _bare(after):
        own = _decide(after._replace(inputs=_with_policy_of(before, after)), after, question)
    base = before.location.commit if before else None
    head = after.location.commit if wanted.head is not None else None
    told = compared(base, head, asked=wanted.base, answers=[second] if first is None else [second, first])
    return build_comparison(first, second, by_base_policy=own, compared=told, missing=missing)


def _bare(workspace: Workspace) -> object:
    return workspace.inputs.policy and workspace.inputs.policy._replace(path="")


def _with_policy_of(before: Workspace, after: Workspace) -> Inputs:
    basis = after.inputs.basis._replace(
        policy_path=before.inputs.basis.policy_path, policy_digest=before.inputs.basis.policy_digest
    )
    return after.inputs._replace(policy=before.inputs.policy, basis=basis)


def _decide(workspace: Workspace, shared: Workspace, question: Question) -> Answer:
    """Decide for one side, with the signals and the time of the other."""
    from git_sched.decide.pipeline import decide
    from git_sched.model.request import Request

    times = shared.inputs.basis
    basis = workspace.inputs.basis._replace(now=times.now, now_source=times.now_source, clock=times.clock)
    inputs = workspace.inputs._replace(signals=shared.inputs.signals, basis=basis)
    request = Request(
        limit=question.limit or LIMIT,
        agents=workspace.agents,
        own_repository=workspace.own_repository,
        tracked=workspace.tracked,
    )
    return decide(inputs, request)
