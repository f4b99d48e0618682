"""The line that counts: how many tasks are open, ready, running, blocked, and how many problems there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record


ASKED: Final = ("picked", "outranked", "held", "skipped")
"""What can become of a ready node of the graphs that were asked for."""


def format_counts(counts: record.CountsRecord) -> str:
    """Write ``14 open: 5 ready (1 picked, 3 outranked, 1 held), 1 running, 8 blocked``."""
    states = [format_ready(counts)]
    states += [f"{counts[key]} {key}" for key in ("running", "blocked") if counts[key]]
    tail = f"; {counts['in_error']} more in error" if counts["in_error"] else ""
    return f"{counts['open']} open: {', '.join(states)}{tail}"


def format_ready(counts: record.CountsRecord) -> str:
    """Write ``5 ready (1 picked, 3 outranked, 1 held)``; what is left belongs to graphs that were not asked for."""
    parts = [f"{counts[key]} {key}" for key in ASKED if counts[key]]
    elsewhere = counts["ready"] - sum(counts[key] for key in ASKED)
    if elsewhere > 0:
        parts.append(f"{elsewhere} in other graphs")
    inner = f" ({', '.join(parts)})" if parts else ""
    return f"{counts['ready']} ready{inner}"


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
    said = format_severities(problems)
    return f"{said} in the task files: run git sched check" if said else ""
