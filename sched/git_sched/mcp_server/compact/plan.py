"""The compact record of ``plan``: how long it takes, who begins with what, the critical path, and what cannot start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.mcp_server.compact.fit import Part, build, row
from git_sched.mcp_server.compact.rows import brief, counts, problems, severities, total

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.mcp_server.compact.fit import Row

AGENTS: Final = 8
"""Number of agents that are shown."""

TASKS: Final = 8
"""Number of tasks that are shown, the earliest first."""

STEPS: Final = 8
"""Number of steps of the critical path that are shown."""

UNSTARTED: Final = 4
"""Number of tasks that cannot start and are shown."""


def compact_forecast(found: record.ForecastRecord) -> Row:
    """Return the compact record of ``plan``."""
    tally = found["counts"]
    head = {
        "outcome": found["outcome"],
        "now": found["basis"]["now"],
        "unit": found["estimates"]["unit"],
        "makespan_minutes": found["makespan_minutes"],
        "longest_chain": total(found["longest_chain"]),
        "work": total(found["work"]),
        "counts": counts(tally),
        **severities(found["problems"]),
    }
    critical = [brief(one, lane=one["lane"], minutes=one["length"], after=one["after"]) for one in found["critical"]]
    unstarted = [brief(one, reason=one["kind"], why=one["why"]) for one in found["unstarted"]]
    parts = (
        Part("agents", [_lane(one) for one in found["lanes"]], AGENTS),
        Part("tasks", [_assignment(one) for one in found["tasks"]], TASKS, tally["tasks"]),
        Part("critical", critical, STEPS, found["critical_steps"]),
        Part("cannot_start", unstarted, UNSTARTED, tally["unstarted"]),
        problems(found["problems"]),
    )
    return build("forecast", head, parts)


def _lane(found: record.LaneRecord) -> Row:
    return row(lane=found["lane"], agent=found["agent_id"], tasks=found["tasks"], busy_minutes=found["busy_minutes"])


def _assignment(found: record.AssignmentRecord) -> Row:
    marks = {"running": found["running"], "critical": found["critical"], "assumed": found["assumed"]}
    return brief(found, lane=found["lane"], agent=found["agent_id"], start=found["start"], end=found["end"], **marks)
