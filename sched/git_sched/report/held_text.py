"""Wording for gates: what keeps a ready node back, in one phrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.times import format_time

if TYPE_CHECKING:
    from git_sched.model.request import Held

_SHOWN = 3


def explain_gate(held: Held) -> str:
    """Say in one phrase why a node is held."""
    by = ", ".join(held.by[:_SHOWN]) + (f" and {len(held.by) - _SHOWN} more" if len(held.by) > _SHOWN else "")
    match held.gate:
        case "collision":
            return f"same files as {by} ({held.at})"
        case "assigned_to":
            return f"assigned to {by}"
        case "redispatch":
            until = f" until {format_time(held.until)}" if held.until is not None else ""
            return f"handed out to {by}; held{until}"
        case "merge_pressure":
            return f"{by}, threshold {held.value:.15g}"
        case "budget":
            return f"limits.tokens is {held.value:.15g}; taken by {by or 'nothing yet, it needs more alone'}"
        case _:
            return (
                f"limits.{held.limit} is {held.value:.15g}; taken by {by}"
                if by
                else f"limits.{held.limit} is {held.value:.15g}"
            )
