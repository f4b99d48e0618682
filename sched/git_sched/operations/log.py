"""Answers a question and writes the answer to the decisions log, under the log's lock from reading to appending."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.pick.holds import find_holds
from git_sched.model.json_codec import load
from git_sched.model.phrases import UNNAMED
from git_sched.model.problems import SchedError
from git_sched.operations.answer import Recorded, decide_question
from git_sched.operations.read import read_files
from git_sched.report.decision import date_decisions
from git_sched.report.log_line import build_event, build_line, build_past, build_release_line
from git_sched.report.next import build_next
from git_sched.workspace.decisions_log import append_events, open_log
from git_sched.workspace.gather import observe_log
from git_sched.workspace.observe.history import read_row
from git_sched.workspace.observe.log_lines import parse_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.decide.pipeline import Answer
    from git_sched.model.signals import HistoryRow
    from git_sched.record import DecisionRecord, DecisionsRecord
    from git_sched.workspace.question import Question


def record_answer(question: Question, *, dispatched: bool) -> Recorded:
    """Answer a question and append its picks and skipped tasks to the log; with ``dispatched`` the picks are taken.

    Task files are read first. The log is read, the tasks are chosen and the lines are appended while nobody else can,
    so that no two callers with different names take one task.

    Raises:
        RequestError: as :func:`~.answer.answer_question`.
        WorldError: git or the files cannot be read, or the log cannot be written or locked.
    """
    workspace = read_files(question)
    with open_log(workspace, required=dispatched) as (target, append):
        result = decide_question(observe_log(workspace), question)
        found = build_next(result.answer)
        kind = "dispatched" if dispatched else "recorded"
        lines = build_lines(result.answer, found, kind=kind)
        if lines:
            append(b"".join(lines))
    notes = (*target.notes, *(name_unnamed(found) if dispatched else ()))
    return Recorded(result, found, (*notes, *append_events(target, build_events(lines))), find_taken(lines))


def find_taken(lines: Iterable[bytes]) -> tuple[HistoryRow, ...]:
    """Return the rows of those lines that take a task."""
    rows = (read_row(parse_line(line) or {}) for line in lines)
    return tuple(row for row in rows if row is not None and row.dispatched)


def give_back(recorded: Recorded) -> str:
    """Give back what an answer has taken, as its agent was not told; return what became of it, as one sentence.

    Never raises an error of the log, so that what went wrong before is what is reported.
    """
    workspace, answer = recorded.result.workspace, recorded.result.answer
    names = ", ".join(f"{row.graph_id}/{row.node_id}" for row in recorded.taken)
    lines = [build_release_line(row, answer, printed=False) + b"\n" for row in recorded.taken]
    try:
        with open_log(workspace, required=True) as (target, append):
            append(b"".join(lines))
    except (SchedError, OSError) as error:
        return f"{names} could not be given back ({error}); git sched release NODE --agent NAME does that"
    append_events(target, build_events(lines))
    return f"{names} {'was' if len(lines) == 1 else 'were'} given back"


def build_lines(answer: Answer, found: DecisionsRecord, *, kind: str) -> list[bytes]:
    """Build the lines of an answer that are new: a decision that the log has is written again only to take a task.

    ``kind`` is recorded, dispatched or taken.
    """
    dated = date_decisions(found, answer)
    rows = [(row, kind) for row in dated["decisions"]] + [(row, "recorded") for row in dated["skipped"]]
    past = build_past(answer)
    return [build_line(row, found, kind=own, past=past) + b"\n" for row, own in rows if not _is_known(answer, row, own)]


def _is_known(answer: Answer, row: DecisionRecord, kind: str) -> bool:
    own = _find_own(answer, row)
    if kind == "taken":  # the agent has the task, whatever request it got it by
        return any(other.basis == answer.metrics.basis for other in own)
    rows: Iterable[HistoryRow] = own if kind == "dispatched" else answer.metrics.signals.history.rows
    return any(other.decision_id == row["decision_id"] for other in rows)


def _find_own(answer: Answer, row: DecisionRecord) -> tuple[HistoryRow, ...]:
    """Return the rows by which the agent of a decision has taken its task already."""
    taken = find_holds(answer.metrics).taken.get((row["graph_id"], row["node_id"]), ())
    return tuple(other for other in taken if other.agent_id == row["agent_id"])


def find_hold_start(answer: Answer, row: DecisionRecord) -> int:
    """Return since when the agent of a decision has its task, in seconds: whoever asks again took it before."""
    known = (other.at for other in _find_own(answer, row) if other.decision_id == row["decision_id"])
    return max(known, default=answer.metrics.clock)


def name_unnamed(found: DecisionsRecord) -> tuple[str, ...]:
    """Warn where an agent without a name has taken a task: all such callers count as one."""
    if all(row["agent_id"] is not None for row in found["decisions"]):
        return ()
    return (f"taken by {UNNAMED}; all callers without --agent count as that one",)


def build_events(lines: Iterable[bytes]) -> bytes:
    """Build the lines of metagit's event stream for lines of the log."""
    return b"".join(build_event(load(line)) + b"\n" for line in lines)  # type: ignore[arg-type]  # our own lines
