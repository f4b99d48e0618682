"""The record of ``plan``: who would take which node, from when to when. Minutes are counted from now."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.parts import BasisRecord, ProblemRecord, PublishRecord, RequestRecord


class LaneRecord(Record):
    """One of the agents the forecast is for."""

    lane: int
    """Its number, from 1."""
    agent_id: str | None
    """Nothing for one without a name."""
    tasks: int
    busy_minutes: float


class StintRecord(Record):
    """A node, who would take it, and when."""

    graph_id: str
    node_id: str
    title: str
    repository: str | None
    lane: int | None
    """Which of the agents; nothing for somebody who is at it now and takes nothing after it."""
    agent_id: str | None
    start: float
    end: float
    minutes: float
    """What the node itself takes; for one that is running, what is taken to be left of it."""
    minutes_filled: bool
    """Whether these minutes were filled in rather than given."""
    cold_start_minutes: float
    """What entering the repository takes on top; 0 where the agent is warm."""
    running: bool
    finish: bool
    """Whether the node is a container whose parts are all finished."""
    critical: bool
    """Whether the end hangs on it."""


class CriticalRecord(Record):
    """A step of the chain that the end hangs on; each begins when the one before it ends."""

    graph_id: str
    node_id: str
    lane: int | None
    length: float
    """Minutes from its start to its end."""
    after: Literal["start", "dependency", "agent", "room", "hold"]
    """Why it begins no earlier: it begins at once; it waits for the step before it, for its agent, or for a limit or a
    colliding file; or a hold on it ends."""


class NeverRecord(Record):
    """A node that never starts, and why."""

    graph_id: str
    node_id: str
    title: str
    repository: str | None
    kind: str
    """The gate that holds it, or the reason why it is not ready."""
    why: str


class ForecastCountsRecord(Record):
    """How many nodes the forecast is about, of the graphs that were asked for. open = tasks + containers + never."""

    nodes: int
    open: int
    tasks: int
    containers: int
    """Containers that end with their last part."""
    running: int
    never: int
    in_error: int
    agents: int
    cold_starts: int


class ForecastRecord(Record):
    """The answer of ``plan``: a forecast for some agents."""

    schema_version: Literal[1]
    kind: Literal["forecast"]
    outcome: Literal["decided", "nothing-ready", "stuck", "all-done", "empty", "refused"]
    """That of ``next`` for these agents."""
    basis: BasisRecord
    request: RequestRecord
    """Its ``limit`` is the number of agents."""
    lanes: list[LaneRecord]
    makespan_minutes: float
    """When the last node ends."""
    makespan_filled: bool
    """Whether minutes on the chain that the end hangs on were filled in rather than given."""
    shortest_minutes: float
    """The longest path without cold starts: no number of agents ends earlier."""
    work_minutes: float
    """The minutes of all tasks together, without cold starts."""
    cold_start_minutes: float
    """What entering a repository costs where the agent is not warm."""
    cold_start_filled: bool
    """Whether this is half the median estimate, for want of the policy's ``cold_start_minutes``."""
    counts: ForecastCountsRecord
    tasks: list[StintRecord]
    """The first of them, in the order they begin in; ``counts`` has the number of all."""
    critical: list[CriticalRecord]
    """The last steps of what the end hangs on, the earliest first."""
    critical_steps: int
    """How many steps there are in all."""
    never: list[NeverRecord]
    """The first of them; ``counts`` has the number of all."""
    looked_for: list[str]
    """The places in which task files are looked for."""
    problems: list[ProblemRecord]
    publish: PublishRecord
