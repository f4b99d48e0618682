"""A line of metagit's event stream, as ``--record`` appends it for each decision."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record


class EventPayload(Record):
    """What was decided."""

    decision_id: str
    graph_id: str
    node_id: str
    score: float
    skipped: bool
    reasons: list[str]


class EventRecord(Record):
    """One event."""

    event_id: str
    """A digest of the type and the decision's id: a decision that is recorded again writes no second event."""
    type: Literal["ScheduleDecision", "ScheduleSkipped"]
    at: str | None
    source: Literal["scheduler"]
    payload: EventPayload
