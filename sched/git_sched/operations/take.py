"""Takes a task that somebody chose, for ``take``: a line of the log says so, and nobody else gets the task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.lookup import find
from git_sched.decide.ready.reasons import reasons
from git_sched.decide.taking import find_obstacle, find_taker, take_node
from git_sched.model.phrases import UNNAMED
from git_sched.model.problems import NothingToWriteError, RefusedError
from git_sched.operations.answer import Recorded, decide_question
from git_sched.operations.log import build_events, build_lines, find_taken, name_unnamed
from git_sched.operations.read import read_files
from git_sched.report.gates import explain_gate
from git_sched.report.next import build_next
from git_sched.report.waiting import explain_reason
from git_sched.workspace.decisions_log import append_events, open_log
from git_sched.workspace.gather import observe_log

if TYPE_CHECKING:
    from git_sched.decide.pipeline import Answer
    from git_sched.workspace.question import Question


def take_task(question: Question, word: str) -> Recorded:
    """Take the task that a word names, for the agent of the question, if it is ready and nobody else has it.

    Raises:
        RequestError: the word names no task, or more than one.
        RefusedError: the task is in error, or the policy cannot be trusted.
        NothingToWriteError: the task is not ready, or somebody has it, this agent included.
        WorldError: as :func:`~.log.record_answer`.
    """
    workspace = read_files(question)
    with open_log(workspace, required=True) as (target, append):
        result = decide_question(observe_log(workspace), question)
        node = _find_ready(result.answer, word)
        answer = take_node(result.answer, node)
        found = build_next(answer)
        lines = build_lines(answer, found, kind="taken")
        if not lines:
            who = find_taker(answer, node) or UNNAMED
            raise NothingToWriteError(f"{who} has {answer.metrics.label(node)} already")
        append(b"".join(lines))
    notes = (*target.notes, *name_unnamed(found), *append_events(target, build_events(lines)))
    return Recorded(result._replace(answer=answer), found, notes, find_taken(lines))


def _find_ready(answer: Answer, word: str) -> int:
    """Find the ready task that a word names, which nobody else has."""
    metrics = answer.metrics
    found = find(metrics.network, word)
    if found.node is None:
        raise RefusedError(f"{word} is in error, so it cannot be taken", hint=f"git sched explain {word}")
    if answer.inputs.policy is None:
        raise RefusedError("the policy cannot be trusted, so nothing is given out by it", hint="git sched check")
    name = metrics.label(found.node)
    if found.node not in metrics.ready:
        why = explain_reason(metrics, reasons(metrics.readiness, found.node)[0])
        raise NothingToWriteError(f"{name} {why}, so it cannot be taken", hint=f"git sched explain {name}")
    if gate := find_obstacle(answer, found.node):
        why = explain_gate(metrics, gate)
        raise NothingToWriteError(f"{name} cannot be taken: {why}", hint="git sched next shows another one")
    return found.node
