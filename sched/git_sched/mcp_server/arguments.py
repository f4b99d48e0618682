"""Arguments of the tools: input schemas are made from these types, and arguments are checked against them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required

from pydantic import Field

from git_sched.record.base import Record

Finite = Annotated[float, Field(allow_inf_nan=False)]
Word = Annotated[str, Field(pattern=r"^[^\x00]+$")]
"""A text without a NUL character, as arguments of a command line are."""


class NextArguments(Record, total=False):
    """Arguments of ``metagit_schedule_next``."""

    graph_id: str | None
    """Only tasks of this graph."""
    limit: Annotated[int, Field(ge=1)] | None
    """Number of tasks (default: 1, or one per agent in agents)."""
    agents: list[str]
    """Ids of the agents to pick for."""
    now: str | None
    """Use this as the current time: ISO 8601, commit or wall (default: the clock; for a revision, the commit's)."""
    record: bool
    """Log the decision."""
    dispatch: bool
    """Log the decision as dispatched: set this when you start the work."""


class StatusArguments(Record, total=False):
    """Arguments of ``metagit_schedule_status``."""

    graph_id: str | None
    """Only tasks of this graph."""
    recent: Annotated[int, Field(ge=0)] | None
    """Number of recorded decisions to show (default: 10)."""
    now: str | None
    """Use this as the current time: ISO 8601, commit or wall (default: the clock; for a revision, the commit's)."""


class PolicyArguments(Record, total=False):
    """Arguments of ``metagit_schedule_policy``. All keys but ``action`` are for ``set``."""

    action: Literal["show", "set"]
    """show or set (default: show)."""
    weights: dict[str, Finite]
    """Weights by the names of their factors."""
    priority: Finite | None
    """The weight of priority, as metagit names it."""
    affinity: Finite | None
    """The weight of affinity, as metagit names it."""
    cost: Finite | None
    """The weight of cost, as metagit names it."""
    fairness: Finite | None
    """The weight of fairness, as metagit names it."""
    graph_id: str | None
    """Set the weights for this graph only."""
    preset: str | None
    """The preset that the weights start from: balanced or rfc-0012."""
    merge_queue_threshold: int | None
    """Number of queued merges from which on merge pressure counts."""
    merge_pressure_penalty: Finite | None
    """Points that merge pressure subtracts."""
    skip_on_merge_pressure: bool | None
    """Skip tasks under merge pressure."""
    limits: dict[str, int]
    """Limits by name: total, per_graph, per_repository, per_agent, tokens."""
    set: dict[str, Any]
    """Any other keys of the policy; dots join the keys that lead to a nested one."""


class ExplainArguments(Record, total=False):
    """Arguments of ``schedule_explain``."""

    node: Required[Word]
    """The task's id, or graph/id if two graphs have the same id."""
    agents: list[str]
    """Answer as for these agents."""
    now: str | None
    """Use this as the current time: ISO 8601, commit or wall (default: the clock; for a revision, the commit's)."""


class PlanArguments(Record, total=False):
    """Arguments of ``schedule_plan``."""

    graph_id: str | None
    """Forecast only tasks of this graph."""
    limit: Annotated[int, Field(ge=1, le=1_000)] | None
    """Number of agents, including those in agents (default: the policy's pool, or as many as have a running task)."""
    agents: list[str]
    """Ids of the agents to forecast for."""
    now: str | None
    """Use this as the current time: ISO 8601, commit or wall (default: the clock; for a revision, the commit's)."""


class CheckArguments(Record, total=False):
    """Arguments of ``schedule_check``."""

    paths: list[Word]
    """Report only problems in these files or folders of the workspace (default: all)."""
    all: bool
    """Report problems of finished tasks that no open task waits for as well (default: false)."""
    now: str | None
    """Use this as the current time: ISO 8601, commit or wall (default: the clock; for a revision, the commit's)."""


class DiffArguments(Record, total=False):
    """Arguments of ``schedule_diff``."""

    base: Word
    """The revision to compare with (default: HEAD)."""
    head: Word
    """The revision to compare (default: the work tree, or the revision that the server reads)."""
    limit: Annotated[int, Field(ge=1)] | None
    """Number of picks to compare (default: 3)."""
    agents: list[str]
    """Ids of the agents to pick for."""
    now: str | None
    """Use this as the current time: ISO 8601, commit or wall (default: the time of head)."""
