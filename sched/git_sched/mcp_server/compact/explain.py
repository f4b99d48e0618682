"""The compact record of ``explain``: where a task is, why, what it waits for, and what waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.mcp_server.compact.fit import Part, build, row
from git_sched.mcp_server.compact.rows import place, problems, severities, task, total

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.mcp_server.compact.fit import Row

MOST: Final = 5
"""Number of tasks or reasons of a list that are shown."""

FACTORS: Final = 10
"""Number of rows of the score that are shown."""


def compact_explanation(found: record.ExplanationRecord) -> Row:
    """Return the compact record of ``explain``."""
    gate = found["held"]
    head = {
        **task(found, state=found["state"], place=place(found)),
        "score": found["score"],
        "rank": found["rank"],
        "of": found["of"] if found["rank"] else None,
        "behind": found["behind"],
        "behind_score": found["behind_score"],
        "held_by": row(gate=gate["gate"], why=gate["why"], until=gate["until"]) if gate else None,
        "would_come_first_if": found["would_come_first_if"],
        "to_go": total(found["to_go"]) if found["to_go"]["tasks"] else None,
        "minutes_with_one": found["minutes_with_one"],
        "frees_later": found["frees_later"] or None,
        **severities(found["problems"]),
    }
    scored = [one for one in found["factors"] if one["factor"] not in found["idle_factors"]]
    parts = (
        Part("reasons", [row(kind=one["kind"], why=one["text"]) for one in found["also"]], MOST),
        Part("waits_for", [_step(one) for one in found["waits_for"]], MOST),
        Part("collides_with", [_step(one) for one in found["collides_with"]], MOST),
        Part("free_again_when", found["free_again_when"], MOST),
        Part("factors", [_factor(one) for one in scored], FACTORS),
        Part("frees", found["frees"], MOST),
        problems(found["problems"]),
    )
    return build("explanation", head, parts)


def _step(found: record.StepRecord) -> Row:
    return row(id=found["name"], title=found["title"], state=found["state"], why=found["text"])


def _factor(found: record.FactorRecord) -> Row:
    unknown = not found["known"]
    return row(factor=found["factor"], points=found["points"], unknown=unknown, why=found["why"])
