"""What the tools are asked with; the input schemas are made from these types, and arguments are checked by them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required

from pydantic import Field

from git_sched.record.base import Record

Finite = Annotated[float, Field(allow_inf_nan=False)]
Word = Annotated[str, Field(pattern=r"^[^\x00]+$")]
"""What could stand on a command line."""


class NextArguments(Record, total=False):
    """What ``metagit_schedule_next`` is asked."""

    graph_id: str | None
    """Ask for tasks of this graph only."""
    limit: Annotated[int, Field(ge=1)] | None
    """How many tasks; 1, or one for each agent."""
    agents: list[str]
    """The ids of the agents to pick for."""
    now: str | None
    """The time to reckon with, as ISO 8601, or wall for the clock; the commit's if it is not given."""
    record: bool
    """Log the decision."""
    dispatch: bool
    """Log the decision as handed out: say so when you start the work."""


class StatusArguments(Record, total=False):
    """What ``metagit_schedule_status`` is asked."""

    graph_id: str | None
    """Ask for tasks of this graph only."""
    recent: Annotated[int, Field(ge=0)] | None
    """How many recorded decisions to show; 10 if it is not given."""
    now: str | None
    """The time to reckon with, as ISO 8601, or wall for the clock; the commit's if it is not given."""


class PolicyArguments(Record, total=False):
    """What ``metagit_schedule_policy`` is asked. Everything but ``action`` is for ``set``."""

    action: Literal["show", "set"]
    """show, if it is not given, or set."""
    weights: dict[str, Finite]
    """What factors weigh, by their names."""
    priority: Finite | None
    """The weight of priority, as metagit names it."""
    affinity: Finite | None
    """The weight of affinity, as metagit names it."""
    cost: Finite | None
    """The weight of cost, as metagit names it."""
    fairness: Finite | None
    """The weight of fairness, as metagit names it."""
    graph_id: str | None
    """Set the weights for this graph alone."""
    preset: str | None
    """balanced or rfc-0012."""
    merge_queue_threshold: int | None
    """Merges queued before pressure counts."""
    merge_pressure_penalty: Finite | None
    """Points that merge pressure costs."""
    skip_on_merge_pressure: bool | None
    """Pass over tasks under pressure."""
    limits: dict[str, int]
    """Limits by name: total, per_graph, per_repository, per_agent, tokens."""
    set: dict[str, Any]
    """Any other keys of the policy, dots between the keys that lead to one."""


class ExplainArguments(Record, total=False):
    """What ``schedule_explain`` is asked."""

    node: Required[Word]
    """The task's id, or graph/id where an id exists in two graphs."""
    agents: list[str]
    """As these agents would be answered."""
    now: str | None
    """The time to reckon with, as ISO 8601, or wall for the clock; the commit's if it is not given."""


class PlanArguments(Record, total=False):
    """What ``schedule_plan`` is asked."""

    graph_id: str | None
    """Forecast for tasks of this graph only."""
    limit: Annotated[int, Field(ge=1, le=1_000)] | None
    """How many agents, named ones included; the policy's pool, or as many as are at work, if it is not given."""
    agents: list[str]
    """The ids of the agents to forecast for."""
    now: str | None
    """The time to reckon with, as ISO 8601, or wall for the clock; the commit's if it is not given."""


class CheckArguments(Record, total=False):
    """What ``schedule_check`` is asked."""

    paths: list[Word]
    """Files or folders of the workspace whose problems are reported; all if none is given."""
    all: bool
    """Whether problems of finished tasks that no open task waits for are reported as well."""
    now: str | None
    """The time to reckon with, as ISO 8601, or wall for the clock; the commit's if it is not given."""


class DiffArguments(Record, total=False):
    """What ``schedule_diff`` is asked."""

    base: Required[Word]
    """The revision to compare with."""
    head: Word
    """The revision that is compared; HEAD if it is not given."""
    limit: Annotated[int, Field(ge=1)] | None
    """How many picks are compared; 3 if it is not given."""
    agents: list[str]
    """The ids of the agents to pick for."""
    now: str | None
    """The time to reckon with, as ISO 8601, or wall for the clock; that of head if it is not given."""
