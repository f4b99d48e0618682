"""The sentences for answers that pick or plan nothing, shared by text, Markdown and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record


def name_places(looked_for: Sequence[str]) -> list[str]:
    """Say where git-sched looked for task files, and what to do if there are none."""
    hint = "hint: git sched init writes an example; --graph PATH names a file elsewhere"
    return [f"  looked for {', '.join(looked_for)}", hint]


def has_task_files(basis: record.BasisRecord) -> bool:
    """Whether any file was read as a task file."""
    return any(read["path"] != basis["policy"]["path"] for read in basis["inputs"])


def describe_empty(basis: record.BasisRecord, problems: Sequence[record.ProblemRecord]) -> str:
    """Say why there are no tasks: no task files, errors in all of them, or nothing in them."""
    if not has_task_files(basis):
        return "no task files here"
    if any(problem["severity"] == "error" for problem in problems):
        return "no tasks could be read from the task files"
    return "the task files hold no tasks"


def headline_nothing(found: record.DecisionsRecord) -> str:
    """Say in a heading why nothing is picked."""
    counts = found["counts"]
    match found["outcome"]:
        case "refused":
            return "Refused: the policy cannot be trusted"
        case "all-done":
            return f"All done: {counts['completed']} completed, none open"
        case "empty":
            return f"Nothing to schedule: {describe_empty(found['basis'], found['problems'])}"
        case "stuck" if not counts["open"]:
            return f"Stuck: {count(counts['in_error'], 'task')} in error, no other is open"
        case "stuck":
            return f"Stuck: {count(counts['open'], 'open task')}, none can ever become ready"
        case _:
            parts = [f"{counts[key]} {key}" for key in ("running", "blocked", "held", "skipped") if counts[key]]
            return f"Nothing ready: {', '.join(parts)}"


SOURCES: Final = {"wall": "the clock's", "commit": "the commit's", "given": "as given"}
"""Where the time that was used comes from, in words."""


TIMES: Final = {"commit": " (the commit's time)", "wall": " (the clock)"}
"""Whose time it is, behind the time as of which an answer holds."""


def describe_time_gate(found: record.DecisionsRecord) -> str:
    """Say until when a date or a recent dispatch keeps everything back; empty where none does."""
    if found["free_at"] is None:
        return ""
    now, source = found["basis"]["now"], found["basis"]["now_source"]
    used = f"; time used: {now} ({SOURCES.get(source, source)})" if now else ""
    return f"the next task can start at {found['free_at']}{used}"
