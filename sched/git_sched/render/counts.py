"""The line that counts: how many tasks are open, ready, running, blocked, and how many problems there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count

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
    """Count the ready tasks that nothing keeps back, those of graphs that were not asked for included."""
    return counts["ready"] - counts["held"] - counts["skipped"]


def count_edited(basis: record.BasisRecord) -> int:
    """Count the files that differ from the revision, those that the record leaves out included."""
    return len(basis["dirty"]) + basis["dirty_left_out"]


def format_severities(problems: Sequence[record.ProblemRecord]) -> str:
    """Write ``1 error, 2 warnings``, or an empty text where there is neither."""
    errors = sum(p["severity"] == "error" for p in problems)
    warnings = len(problems) - errors
    parts = [count(errors, "error")] if errors else []
    return ", ".join([*parts, count(warnings, "warning")] if warnings else parts)


def format_pointer(problems: Sequence[record.ProblemRecord]) -> str:
    """Write the line that points at the problems, or an empty text where there are none."""
    found = format_severities(problems)
    return f"{found} in the task files: git sched check" if found else ""
