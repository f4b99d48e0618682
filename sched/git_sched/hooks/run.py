"""What a hook prints: nothing, unless the move changed a task file or the policy, and then at most two lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.hooks.head_moves import SWITCH, find_move
from git_sched.workspace import git
from git_sched.workspace.question import Question

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched.decide.pipeline import Answer
    from git_sched.hooks.head_moves import Call
    from git_sched.workspace.gather import Workspace

_NO: Final = ("", "0", "false", "no", "off")


def is_silenced(environment: Mapping[str, str]) -> bool:
    """Return whether hooks print nothing here: in CI, and if SCHED_HOOK turns them off."""
    return environment.get("SCHED_HOOK", "1").lower() in _NO or environment.get("CI", "").lower() not in _NO


def run(call: Call, *, start: str, environment: Mapping[str, str]) -> str:
    """Return the lines that a hook prints, or an empty string; only committed files are read."""
    found = git.find_repository(start, environment)
    if found is None:
        return ""
    try:
        moved = find_move(call, found)
        if moved is None or found.tree(moved.before) == found.tree(moved.after):
            return ""
    finally:
        found.close()
    from git_sched.operations.read import read_workspace

    question = Question(start, revision=moved.after, environment=environment)
    after = read_workspace(question)
    now = after.inputs.basis.now
    before = read_workspace(question._replace(revision=moved.before, now=now, now_source="given"))
    if before.inputs.basis.inputs == after.inputs.basis.inputs:
        return ""
    return _lines(before, after, word=moved.word)


def _lines(before: Workspace, after: Workspace, *, word: str) -> str:
    from git_sched.render.text.hook import MoveSummary, render
    from git_sched.report.changes import compare_nodes, compare_problems
    from git_sched.report.next import build_next

    was, now = _answer(before), _answer(after)
    changes = compare_nodes(was, now)
    new, _ = compare_problems(was, now, changes)
    errors = sum(problem.severity == "error" for problem in new)
    # A switch to another branch finishes and frees nothing.
    return render(build_next(now), MoveSummary(word, None if word == SWITCH else changes, errors))


def _answer(workspace: Workspace) -> Answer:
    from git_sched.decide.pipeline import decide
    from git_sched.model.request import Request

    asked = Request(limit=1, agents=(), own_repository=workspace.own_repository, tracked=workspace.tracked)
    return decide(workspace.inputs, asked)
