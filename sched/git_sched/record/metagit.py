"""What metagit reads of us: the dispatch plan that starts one agent, and a line of its event stream."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record


class InstallRecord(Record):
    """How the agent's definition gets where the vendor looks for it."""

    needed: bool
    """Always true: git-sched does not look whether the definition is there, and installing again does no harm."""
    path: str
    """Where the vendor looks for it, relative to the workspace or the home folder."""
    command: str


class HandoffRecord(Record):
    """What whoever starts the agent runs and tells it."""

    context_pack: str
    """The command that packs the context."""
    prompt: str
    """The command that prints metagit's own prompt."""
    prompt_kind: str
    prompt_scope: Literal["workspace", "project", "repo"]
    effective_instructions: str
    """What to do, by ids alone; the task's own words stand in a fence and are quoted."""
    mcp_resources: list[str]
    acl_commands: list[str]
    """The node's own, else metagit's where repository and agent are known. They are as powerful as code."""


class PlanRecord(Record):
    """One agent to start, for one pick."""

    template_id: str
    vendor: str
    scope: Literal["project", "user"]
    project: str | None
    repo: str | None
    task: str | None
    """The full name of the node, ``graph/node``."""
    install: InstallRecord
    launch: dict[str, str]
    """How to start the agent, by vendor."""
    handoff: HandoffRecord
    out_of_scope: list[str]
    delegates_to: list[str]
    mcp_tools: list[str]
    recommended_skills: list[str]
    required_profile_skills: list[str]
    missing_profile_skills: list[str]
    profile_apply_command: str | None


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
