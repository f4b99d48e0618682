"""Writes the counts: how many tasks are open, ready, running and blocked, and how many problems there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count
from git_sched.model.problems import KEPT_OUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record


def format_counts(counts: record.CountsRecord, *, whole: bool = True) -> str:
    """Write ``14 open: 4 ready, 1 held, 1 running, 8 blocked``; not ``whole`` is an answer about some graphs alone."""
    states = [f"{count_free(counts)} ready"]
    states += [f"{counts[key]} {key}" for key in ("held", "skipped", "running", "blocked") if counts[key]]
    tail = f"; {counts['in_error']} more in error" if counts["in_error"] else ""
    return f"{counts['open']} open{'' if whole else ' in all graphs'}: {', '.join(states)}{tail}"


def count_free(counts: record.CountsRecord) -> int:
    """Count the ready tasks that nothing keeps back, also in graphs that were not requested."""
    return counts["ready"] - counts["held"] - counts["skipped"]


def count_edited(basis: record.BasisRecord) -> int:
    """Count the files that differ from the revision, including those that the record does not list."""
    return len(basis["dirty"]) + basis["dirty_left_out"]


def format_severities(problems: Sequence[record.ProblemRecord]) -> str:
    """Write ``1 error, 2 warnings``, or an empty text where there is neither."""
    errors = sum(p["severity"] == "error" for p in problems)
    warnings = len(problems) - errors
    parts = [count(errors, "error")] if errors else []
    return ", ".join([*parts, count(warnings, "warning")] if warnings else parts)


def format_pointer(problems: Sequence[record.ProblemRecord]) -> str:
    """Write the line that counts the problems and names ``git sched check``; empty where there are none.

    Files that are read from the commit need no fixing; the line that says so comes first.
    """
    found = format_severities([p for p in problems if p["code"] != KEPT_OUT])
    lines = [p["message"] for p in problems if p["code"] == KEPT_OUT]
    return "\n".join([*lines, f"{found} in the task files: git sched check"] if found else lines)
