"""The compact record of ``next``: what to do now and where it is written, what comes after it, and what is held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.mcp_server.compact.fit import Part, build, measure, row
from git_sched.mcp_server.compact.rows import brief, counts, held, name, place, problems, severities, task
from git_sched.render.text.next import find_pressure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.mcp_server.compact.fit import Row

MOST: Final = 5
"""Number of tasks that are shown of what comes after the picks, and of what is held or skipped."""

DETAILED: Final = 4_500
"""Characters up to which picks are shown with everything; more of them are shown without what can be looked up."""


def compact_decisions(found: record.DecisionsRecord) -> Row:
    """Return the compact record of ``next``."""
    tally = found["counts"]
    head = {
        "outcome": found["outcome"],
        "free_at": found["free_at"],
        "now": found["basis"]["now"],
        "counts": counts(tally),
        **severities(found["problems"]),
    }
    later = [task(one, note=one["note"]) for one in found["ranking"] if one["state"] == "lower-ranked"]
    skipped = [brief(one, why=find_pressure(one["factors"])) for one in found["skipped"]]
    titles = {name(one): one["title"] for one in found["running"]}
    working_on = [
        row(agent=one["agent_id"], id=task_name, title=titles.get(task_name))
        for one in found["agents"]
        for task_name in one["running"]
    ]
    empty = found["looked_for"] if found["outcome"] == "empty" else []
    parts = (
        Part("picks", _picks(found["decisions"]), len(found["decisions"])),
        Part("working_on", working_on, MOST),
        Part("causes", [_cause(one) for one in found["roots"]], MOST),
        Part("cut", [_cut(found["cut"])] if found["cut"] else [], 1),
        Part("next_in_line", later, MOST, tally["lower_ranked"]),
        Part("held", [held(one) for one in found["held"]], MOST, tally["held"]),
        Part("skipped", skipped, MOST, tally["skipped"]),
        problems(found["problems"]),
        Part("looked_for", empty, len(empty)),
    )
    return build("decision", head, parts)


def _picks(decisions: Sequence[record.DecisionRecord]) -> list[Row]:
    """Return the picks with everything that starting them takes, or, where that is too long, what names them."""
    whole = [_pick(one) for one in decisions]
    if measure(whole) <= DETAILED:
        return whole
    return [brief(one, agent=one["agent_id"], place=place(one)) for one in decisions]


def _pick(found: record.DecisionRecord) -> Row:
    hints = found["dispatch_hints"]
    return task(
        found,
        agent=found["agent_id"],
        why=found["why"],
        place=place(found),
        finish=found["finish"],
        decision_id=found["decision_id"],
        score=found["score"],
        priority=hints["priority"],
        project=hints["project"],
        commands=len(found["acl_commands"]) + (found["compile_command"] is not None) or None,
    )


def _cause(found: record.RootRecord) -> Row:
    return brief(found, state=found["state"], frees=found["frees"], why=found["text"], place=place(found))


def _cut(found: record.CutRecord) -> Row:
    return {"id": found["task"], "dependency": found["dependency"], "frees": found["frees"]}
