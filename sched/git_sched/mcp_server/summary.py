"""The text of a tool's result: only ids, numbers and codes. Text of task files is only in the fields of records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from git_sched.model.phrases import count, format_ordinal
from git_sched.render.counts import format_counts, format_severities
from git_sched.render.layout import clean
from git_sched.render.tasks import name_task, shorten_name
from git_sched.render.text.plan import headline

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
    if found["kind"] == "check":
        read = f"{count(found['graphs'], 'graph')}, {count(found['nodes'], 'task')}"
        unread = f"; not read: {', '.join(map(clean, found['not_read']))}" if found["not_read"] else ""
        return f"{read}: {wrong or 'no problems'}{unread}"
    return f"{_answer(found)}{f'; {wrong} in the task files: call schedule_check' if wrong else ''}"


def _answer(found: Mapping[str, Any]) -> str:
    match found["kind"]:
        case "decision":
            counts = found["counts"]
            return f"{_picks(found, found)}{f'; {format_counts(counts)}' if counts['open'] else ''}"
        case "status":
            ready = ", ".join(_name(row, found) for row in found["ranking"][:SHOWN] if row["state"] != "held")
            return f"{format_counts(found['counts'])}{f'; ready: {ready}' if ready else ''}"
        case "explanation":
            rank = "" if found["rank"] is None else f", {format_ordinal(found['rank'])} of {found['of']}"
            score = "" if found["score"] is None else f", score {found['score']:.3f}"
            return f"{shorten_name(found['node'], qualified=found['qualified'])}: {found['state']}{rank}{score}"
        case "forecast":
            return headline(found)  # type: ignore[arg-type]  # a record of its kind
        case "policy":
            return f"preset {found['presets']['in_force']}"
        case "comparison":
            return " -> ".join(_picks(found[key], found) for key in ("before", "after"))
        case kind:
            return str(kind)


def _picks(side: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    picks = ", ".join(_name(row, found) for row in side["decisions"][:SHOWN])
    return f"next: {picks}" if picks else str(side["outcome"]).replace("-", " ")


def _name(row: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    return name_task(row["graph_id"], row["node_id"], qualified=found["qualified"])


def _listed(problems: Sequence[Mapping[str, Any]]) -> list[str]:
    errors = [p for p in problems if p["severity"] == "error"]
    lines = [
        ":".join([clean(p["path"]) or "workspace", *(str(p[key]) for key in ("line", "column") if p[key] is not None)])
        + f": {p['code']}"
        for p in errors[:SHOWN]
    ]
    return [*lines, f"{len(errors) - SHOWN} more"] if len(errors) > SHOWN else lines
