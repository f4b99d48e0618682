"""The text of a tool's result: only ids, numbers and codes. Text of task files is only in the fields of records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from git_sched.model.phrases import count, format_amount
from git_sched.render.counts import format_counts, format_severities
from git_sched.render.layout import clean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SHOWN = 20
"""Number of problems that an error lists; it always states how many there are."""


def is_refused(found: Mapping[str, Any]) -> bool:
    """Return whether a record has no answer because its policy was refused."""
    return found.get("outcome") == "refused" or (found["kind"] == "policy" and not found["policy"])


def summarize(found: Mapping[str, Any]) -> str:
    """Return a record in one line, or, if there is no answer, the problems that prevent one."""
    if is_refused(found):
        return "\n".join(["refused: the policy cannot be trusted", *_listed(found["problems"])])
    wrong = format_severities(found["problems"])
    return f"{_answer(found)}{f'; {wrong}: call schedule_check' if wrong else ''}"


def _answer(found: Mapping[str, Any]) -> str:
    match found["kind"]:
        case "decision":
            picks = ", ".join(f"{_name(row)} ({row['score']:.3f})" for row in found["decisions"][:SHOWN])
            return f"{found['outcome']}{': ' if picks else ''}{picks}; {format_counts(found['counts'])}"
        case "status":
            ready = ", ".join(_name(row) for row in found["ranking"][:SHOWN] if row["state"] != "held")
            return f"{format_counts(found['counts'])}{f'; ready: {ready}' if ready else ''}"
        case "explanation":
            score = "" if found["score"] is None else f", score {found['score']:.3f}"
            rank = "" if found["rank"] is None else f", {found['rank']} of {found['of']}"
            return f"{found['node']}: {found['state']}{rank}{score}"
        case "forecast":
            tasks = count(found["counts"]["tasks"], "task")
            return f"{format_amount(found['makespan_minutes'])} min, {tasks}, {_lanes(found)}"
        case "policy":
            return f"preset {found['presets']['in_force']}"
        case "check":
            return f"{count(found['graphs'], 'graph')}, {count(found['nodes'], 'node')}"
        case "comparison":
            sides = [_picks(found[key]) for key in ("before", "after") if found[key] is not None]
            missing = "the base is not here, so nothing is compared; " if found["missing"] else ""
            return missing + " -> ".join(sides)
        case kind:
            return str(kind)


def _lanes(found: Mapping[str, Any]) -> str:
    never = found["counts"]["never"]
    return f"{count(found['counts']['agents'], 'agent')}{f', {never} never start' if never else ''}"


def _picks(side: Mapping[str, Any]) -> str:
    return ", ".join(_name(row) for row in side["decisions"][:SHOWN]) or str(side["outcome"])


def _name(row: Mapping[str, Any]) -> str:
    return f"{row['graph_id']}/{row['node_id']}"


def _listed(problems: Sequence[Mapping[str, Any]]) -> list[str]:
    errors = [p for p in problems if p["severity"] == "error"]
    lines = [
        ":".join([clean(p["path"]) or "workspace", *(str(p[key]) for key in ("line", "column") if p[key] is not None)])
        + f": {p['code']}"
        for p in errors[:SHOWN]
    ]
    return [*lines, f"{len(errors) - SHOWN} more"] if len(errors) > SHOWN else lines
