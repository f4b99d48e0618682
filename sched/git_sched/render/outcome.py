"""What is said where nothing is picked or planned, the same way in text, Markdown and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record


def name_places(looked_for: Sequence[str]) -> list[str]:
    """Say where task files were looked for, and what to do where there are none."""
    hint = "hint: git sched init writes an example; --graph PATH names a file elsewhere"
    return [f"  looked for {', '.join(looked_for)}", hint]


def headline_nothing(found: record.DecisionsRecord) -> str:
    """Say in a heading why nothing is picked."""
    counts = found["counts"]
    match found["outcome"]:
        case "refused":
            return "Refused: the policy cannot be trusted"
        case "all-done":
            return f"All done: {counts['completed']} completed, none open"
        case "empty":
            there = found["basis"]["inputs"] or counts["graphs"] or found["problems"]
            what = "the task files hold no tasks" if there else "no task files here"
            return f"Nothing to schedule: {what}"
        case "stuck" if not counts["open"]:
            return f"Stuck: {count(counts['in_error'], 'task')} in error, no other is open"
        case "stuck":
            return f"Stuck: {count(counts['open'], 'open task')}, none can ever become ready"
        case _:
            parts = [f"{counts[key]} {key}" for key in ("running", "blocked", "held", "skipped") if counts[key]]
            return f"Nothing ready: {', '.join(parts)}"


SOURCES: Final = {"wall": "the clock's", "commit": "the commit's", "given": "as given"}
"""Whose time was used, in words."""


def describe_time_gate(found: record.DecisionsRecord) -> str:
    """Say until when a date or a recent hand-out keeps everything back; empty where none does."""
    if found["free_at"] is None:
        return ""
    now, source = found["basis"]["now"], found["basis"]["now_source"]
    used = f"; time used: {now} ({SOURCES.get(source, source)})" if now else ""
    return f"the next task can start at {found['free_at']}{used}"
