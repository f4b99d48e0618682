"""The record of ``plan``: who would take which task, from when to when. Times are minutes from now."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Outcome, Record
from git_sched.record.basis import BasisRecord, ProblemRecord, PublishRecord, RequestRecord
from git_sched.record.task import EstimatesRecord, TaskRecord, TotalRecord


class LaneRecord(Record):
    """One of the agents the forecast is for."""

    lane: int
    """Its number, from 1."""
    agent_id: str | None
    """Its id; ``null`` for an agent without a name."""
    tasks: int
    """How many tasks it takes."""
    busy_minutes: float | None
    """The minutes it works; ``null`` where the unit is the task."""


class AssignmentRecord(TaskRecord):
    """A task, who would take it, and when."""

    lane: int | None
    """Which of the agents; ``null`` for somebody who works on it now and takes nothing after it, and for a task that an
    agent does from now on besides another one that takes it longer."""
    agent_id: str | None
    """Id of that agent; ``null`` for an agent without a name."""
    start: float | None
    """When it starts, in minutes from now; ``null`` where the unit is the task."""
    end: float | None
    """When it ends, in minutes from now; ``null`` where the unit is the task."""
    scheduled_minutes: float | None
    """Minutes in the schedule: half its size for one in progress; ``null`` where the unit is the task."""
    assumed: bool
    """Whether ``scheduled_minutes`` is assumed: the file gives no size, or the task is in progress."""
    cold_start_minutes: float
    """Additional minutes to enter the repository; 0 where the agent has it checked out."""
    running: bool
    """Whether it is in progress now."""
    finish: bool
    """Whether it is a container whose parts are all finished."""
    critical: bool
    """Whether it is on the critical path, or on the longest chain where the unit is the task."""
    after: list[str]
    """Full names of the first few unfinished tasks that it depends on."""
    after_more: int
    """How many more it depends on."""


class CriticalRecord(Record):
    """A step of the critical path; each starts when the one before it ends."""

    graph_id: str
    """The graph of the task."""
    node_id: str
    """Its id in that graph."""
    title: str
    """Its title."""
    lane: int | None
    """Which of the agents takes it."""
    length: float | None
    """Minutes from its start to its end; ``null`` where the unit is the task."""
    after: Literal["start", "dependency", "agent", "room", "hold"]
    """Why it starts no earlier: it starts now; it waits for the step before it, for its agent, or for a limit or a
    colliding file; or a hold on it ends."""


class UnstartedRecord(TaskRecord):
    """A task that cannot start, and why."""

    kind: str
    """The gate that holds it, or the reason why it is not ready."""
    why: str
    """That gate or reason in words."""


class ForecastCountsRecord(Record):
    """How many tasks of the requested graphs the forecast is about. open = tasks + containers + unstarted."""

    nodes: int
    """Tasks that were read, those in error included."""
    open: int
    """Tasks still to do."""
    tasks: int
    """Tasks that the forecast schedules."""
    containers: int
    """Containers that end with their last part."""
    running: int
    """Tasks in progress."""
    unstarted: int
    """Tasks that cannot start."""
    in_error: int
    """Tasks that cannot be used until their file is fixed."""
    agents: int
    """Agents the forecast is for."""
    cold_starts: int
    """How often an agent enters a repository that it does not have checked out."""


class ForecastRecord(Record):
    """The answer of ``plan``: a forecast for some agents."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["forecast"]
    """What kind of record this is."""
    outcome: Outcome
    """The outcome of ``next`` for these agents."""
    basis: BasisRecord
    """What the answer was computed from."""
    request: RequestRecord
    """The request; its ``limit`` is the number of agents."""
    qualified: bool
    """Whether ids are written as graph/node in texts, since more than one graph has open tasks."""
    lanes: list[LaneRecord]
    """The agents the forecast is for."""
    estimates: EstimatesRecord
    """The unit of sizes, and how much of the open work is estimated."""
    makespan_minutes: float | None
    """When the last task ends, in minutes from now; ``null`` where the unit is the task."""
    longest_chain: TotalRecord
    """The longest remaining path through the scheduled tasks, without cold starts: no number of agents ends earlier."""
    work: TotalRecord
    """All scheduled tasks, without cold starts."""
    cold_start_minutes: float
    """Minutes to enter a repository that the agent does not have checked out; 0 where the unit is the task."""
    cold_start_assumed: bool
    """Whether that is half the median estimate, because the policy has no ``cold_start_minutes``."""
    counts: ForecastCountsRecord
    """How many tasks the forecast is about."""
    tasks: list[AssignmentRecord]
    """The first of them, in the order in which they start; ``counts`` has the number of all."""
    critical: list[CriticalRecord]
    """The last steps of the critical path, the earliest first; the longest chain where the unit is the task."""
    critical_steps: int
    """How many steps there are in all."""
    unstarted: list[UnstartedRecord]
    """The first tasks that cannot start; ``counts`` has the number of all."""
    looked_for: list[str]
    """The places in which task files are looked for."""
    problems: list[ProblemRecord]
    """What is wrong in task files, policy and signals."""
    publish: PublishRecord
    """What the policy allows in summaries, comments and pages."""
