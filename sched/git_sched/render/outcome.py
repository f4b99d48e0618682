"""The sentences for answers that pick or plan nothing, shared by text, Markdown and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import count
from git_sched.render.counts import count_free
from git_sched.render.layout import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record


def name_places(looked_for: Sequence[str], problems: Sequence[record.ProblemRecord]) -> list[str]:
    """Say where git-sched looked for task files, what hides them from git, and what to do if there are none."""
    lines = [f"  looked for {', '.join(looked_for)}"]
    if obstacle := find_obstacle(problems):
        return [*lines, f"  {clean(obstacle['message'])}", f"hint: {clean(obstacle['hint'])}"]
    return [*lines, "hint: git sched init writes an example; --graph PATH names a file elsewhere"]


IGNORED: Final = "ignored-by-git"
"""The code of the problem that git ignores the task files: there are none in the commit."""

OBSTACLES: Final = (IGNORED, "unreadable", "outside-workspace")
"""The codes of problems that explain why no task file was read, where none was."""


def find_obstacle(problems: Sequence[record.ProblemRecord]) -> record.ProblemRecord | None:
    """Find the problem that explains why there are no task files: git ignores them, or they cannot be read."""
    return next((problem for code in OBSTACLES for problem in problems if problem["code"] == code), None)


def has_task_files(basis: record.BasisRecord) -> bool:
    """Whether any file was read as a task file."""
    return any(read["path"] != basis["policy"]["path"] for read in basis["inputs"])


def describe_empty(basis: record.BasisRecord, problems: Sequence[record.ProblemRecord]) -> str:
    """Say why there are no tasks: no task files, errors in all of them, or nothing in them."""
    if not has_task_files(basis):
        found = find_obstacle(problems)
        return "no task files here" if found is None or found["code"] == IGNORED else "no task file could be read"
    if any(problem["severity"] == "error" for problem in problems):
        return "no tasks could be read from the task files"
    return "the task files hold no tasks"


def describe_nothing(found: record.DecisionsRecord) -> str:
    """Say why nothing is picked, in one line without a capital letter or a full stop."""
    counts = found["counts"]
    match found["outcome"]:
        case "refused":
            return "refused: the policy cannot be trusted"
        case "all-done":
            done = [f"{counts[key]} {key}" for key in ("completed", "cancelled") if counts[key]]
            return f"all done: {', '.join(done) or 'the other graphs are not active'}, none open"
        case "empty":
            return f"nothing to schedule: {describe_empty(found['basis'], found['problems'])}"
        case "stuck" if not counts["open"]:
            return f"stuck: {count(counts['in_error'], 'task')} in error, no other is open"
        case "stuck":
            return f"stuck: {count(counts['open'], 'open task')}, none can ever become ready"
        case _:
            return f"nothing ready: {', '.join(_count_kept(counts, found['roots']))}"


def _count_kept(counts: record.CountsRecord, roots: Sequence[record.RootRecord]) -> list[str]:
    """Count what is kept from being picked, by state; all that is blocked may be behind one running task."""
    behind = len(roots) == 1 and roots[0]["state"] == "running" and roots[0]["frees"] == counts["blocked"]
    parts = [f"{counts['running']} running"] if counts["running"] else []
    parts += [f"{counts['blocked']} blocked{' behind it' if behind else ''}"] if counts["blocked"] else []
    parts += [f"{counts[key]} {key}" for key in ("held", "skipped") if counts[key]]
    return [*parts, f"{elsewhere} ready in other graphs"] if (elsewhere := count_free(counts)) else parts


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
