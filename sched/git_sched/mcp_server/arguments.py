"""Arguments of the tools: input schemas are made from these types, and arguments are checked against them.

Every type is a plain one, since clients choose by it how to read what a person types. A null counts as not given.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required

from pydantic import Field

from git_sched.record.base import Record

Finite = Annotated[float, Field(allow_inf_nan=False)]
Word = Annotated[str, Field(pattern=r"^[^\x00]+$")]
"""A text without a NUL character, as arguments of a command line are."""

Count = Annotated[int, Field(ge=1)]
Now = Annotated[
    str, Field(description="The current time: ISO 8601, commit or wall (default: the clock; for a revision, commit).")
]
Full = Annotated[bool, Field(description="Return the whole record, which can be very long (default: false).")]


class NextArguments(Record, total=False):
    """Arguments of ``metagit_schedule_next``."""

    agents: list[str]
    """Your id, or several to pick for several agents (default: this worktree's agent)."""
    dispatch: bool
    """Log that these agents start these tasks now, so that nobody else gets them (default: false)."""
    limit: Count
    """Number of tasks (default: 1, or one per agent in agents)."""
    graph_id: str
    """Only tasks of this graph."""
    record: bool
    """Log the decision without reserving the task (default: false)."""
    now: Now
    full: Full


class StatusArguments(Record, total=False):
    """Arguments of ``metagit_schedule_status``."""

    graph_id: str
    """Only tasks of this graph."""
    recent: Annotated[int, Field(ge=0)]
    """Number of recorded decisions to show (default: 10)."""
    now: Now
    full: Full


class PolicyArguments(Record, total=False):
    """Arguments of ``metagit_schedule_policy``. All keys but ``action`` and ``full`` are for ``set``."""

    action: Literal["show", "set"]
    """show or set (default: show). All other arguments but full are for set."""
    weights: dict[str, Finite]
    """Weights by the names of their factors."""
    priority: Finite
    """The weight of priority."""
    affinity: Finite
    """The weight of affinity."""
    cost: Finite
    """The weight of cost."""
    fairness: Finite
    """The weight of fairness."""
    graph_id: str
    """Set the weights for this graph only."""
    preset: str
    """The preset that the weights start from: balanced or rfc-0012."""
    merge_queue_threshold: int
    """Number of queued merges from which on merge pressure counts."""
    merge_pressure_penalty: Finite
    """Points that merge pressure subtracts."""
    skip_on_merge_pressure: bool
    """Skip tasks under merge pressure."""
    limits: dict[str, int]
    """Limits by name: total, per_graph, per_repository, per_agent, tokens."""
    set: dict[str, Any]
    """Any other keys of the policy; dots join the keys that lead to a nested one."""
    full: Full


class ExplainArguments(Record, total=False):
    """Arguments of ``schedule_explain``."""

    node: Required[Word]
    """The task's id as answers have it, graph/id; the bare id where only one graph has it."""
    agents: list[str]
    """Answer as for these agents (default: this worktree's agent)."""
    now: Now
    full: Full


class TakeArguments(Record, total=False):
    """Arguments of ``schedule_take`` and ``schedule_release``."""

    node: Required[Word]
    """The task's id as answers have it, graph/id; the bare id where only one graph has it."""
    agent: str
    """Your id (default: this worktree's agent)."""
    now: Now
    full: Full


class PlanArguments(Record, total=False):
    """Arguments of ``schedule_plan``."""

    limit: Annotated[int, Field(ge=1, le=1_000)]
    """Number of agents, including those in agents (default: the policy's pool, or as many as have a running task)."""
    agents: list[str]
    """Ids of the agents to forecast for."""
    graph_id: str
    """Forecast only tasks of this graph."""
    now: Now
    full: Full


class CheckArguments(Record, total=False):
    """Arguments of ``schedule_check``."""

    paths: list[Word]
    """Report only problems in these files or folders of the workspace (default: all)."""
    all: bool
    """Report problems of finished tasks that no open task waits for as well (default: false)."""
    now: Now
    full: Full


class DiffArguments(Record, total=False):
    """Arguments of ``schedule_diff``."""

    base: Word
    """The revision to compare with (default: HEAD)."""
    head: Word
    """The revision to compare (default: the work tree, or the revision that the server reads)."""
    limit: Count
    """Number of picks to compare (default: 3)."""
    agents: list[str]
    """Ids of the agents to pick for."""
    now: Now
    full: Full
