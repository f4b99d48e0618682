"""Gives back a task that an agent has taken, for ``release``: others can get it, and this agent is not offered it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.lookup import ambiguous, find
from git_sched.decide.pick.holds import find_holds
from git_sched.model.phrases import UNNAMED
from git_sched.model.problems import NothingToWriteError
from git_sched.operations.answer import decide_question
from git_sched.operations.log import build_events
from git_sched.operations.read import read_files
from git_sched.report.log_line import build_release_line
from git_sched.report.release import build_release
from git_sched.workspace.decisions_log import append_events, open_log
from git_sched.workspace.gather import observe_log

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.decide.pipeline import Answer
    from git_sched.model.signals import HistoryRow
    from git_sched.record import ReleaseRecord
    from git_sched.workspace.question import Question


class GivenBack(NamedTuple):
    """A task that was given back: the answer it was found in, its record, and what to report about the log."""

    answer: Answer
    found: ReleaseRecord
    notes: tuple[str, ...]


def release_task(question: Question, word: str) -> GivenBack:
    """Give back the task that a word names, for the agent of the question.

    Raises:
        RequestError: the word names no task, or more than one.
        NothingToWriteError: this agent has not taken that task, or not lately.
        WorldError: as :func:`~.log.record_answer`.
    """
    workspace = read_files(question)
    with open_log(workspace, required=True) as (target, append):
        answer = decide_question(observe_log(workspace), question).answer
        row = _find_own(answer, word)
        line = build_release_line(row, answer) + b"\n"
        append(line)
    notes = (*target.notes, *append_events(target, build_events([line])))
    return GivenBack(answer, build_release(row, answer), notes)


def _find_own(answer: Answer, word: str) -> HistoryRow:
    """Find the newest row by which the agent has taken the task that a word names; the task need not exist any more."""
    agent = answer.request.agents[0] if answer.request.agents else None
    holds = find_holds(answer.metrics)
    own = {
        f"{graph_id}/{node_id}": row
        for (graph_id, node_id), rows in holds.taken.items()
        for row in rows
        if row.agent_id == agent and word in {node_id, f"{graph_id}/{node_id}"}
    }
    if len(own) > 1:
        raise ambiguous(word, own)
    if own:
        return next(iter(own.values()))
    found = find(answer.metrics.network, word)
    name = word if found.node is None else answer.metrics.label(found.node)
    key = (found.graph_id, word if found.node is None else answer.metrics.node(found.node).node_id)
    rows = [row for row in holds.taken.get(key, ()) if row.agent_id == agent]
    if rows:  # named as its tracker writes it
        return rows[-1]
    raise _nothing(agent, name, holders=[row.agent_id for row in holds.taken.get(key, ())])


def _nothing(agent: str | None, name: str, *, holders: Sequence[str | None]) -> NothingToWriteError:
    """Build the error that an agent has not taken a task, with who has, and the command by which they give it back."""
    message = f"{agent or UNNAMED} has not taken {name}"
    if not holders:
        return NothingToWriteError(message, hint="git sched status")
    holder = f" --agent {holders[-1]}" if holders[-1] else ""
    return NothingToWriteError(f"{message}; {holders[-1] or UNNAMED} has", hint=f"git sched release {name}{holder}")
