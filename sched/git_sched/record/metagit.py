"""What metagit reads: the dispatch plan that starts one agent, and a line of its event stream."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record


class InstallRecord(Record):
    """How the agent's definition is installed where the vendor looks for it."""

    needed: bool
    """Always true: git-sched does not check whether the definition is there, and installing it again is harmless."""
    path: str
    """Where the vendor looks for it, relative to the workspace or the home folder."""
    command: str
    """The command that installs it; running it again is harmless."""


class HandoffRecord(Record):
    """The commands and instructions for whoever starts the agent."""

    context_pack: str
    """The command that packs the context."""
    prompt: str
    """The command that prints metagit's own prompt."""
    prompt_kind: str
    """The kind of prompt that command prints."""
    prompt_scope: Literal["workspace", "project", "repo"]
    """What the prompt is about."""
    effective_instructions: str
    """What to do, in ids only; the task's own words are quoted in a fence."""
    mcp_resources: list[str]
    """Addresses of metagit's MCP resources that the agent can read."""
    acl_commands: list[str]
    """The node's own, else metagit's where repository and agent are known. They are as powerful as code."""


class PlanRecord(Record):
    """One agent to start, for one pick."""

    template_id: str
    """The template to start the agent from."""
    vendor: str
    """The vendor whose agent it is."""
    scope: Literal["project", "user"]
    """Where its definition is installed."""
    project: str | None
    """The task's project."""
    repo: str | None
    """The task's repository, without its project."""
    task: str | None
    """The full name of the node, ``graph/node``."""
    install: InstallRecord
    """How its definition is installed where the vendor looks for it."""
    launch: dict[str, str]
    """How to start the agent, by vendor."""
    handoff: HandoffRecord
    """The commands and instructions for whoever starts the agent."""
    out_of_scope: list[str]
    """metagit's list of what the agent must leave alone; always empty here."""
    delegates_to: list[str]
    """metagit's list of agents to which it can delegate; always empty here."""
    mcp_tools: list[str]
    """MCP tools that metagit would name; always empty here."""
    recommended_skills: list[str]
    """Skills that metagit would recommend; always empty here."""
    required_profile_skills: list[str]
    """Skills of metagit's profile; always empty here."""
    missing_profile_skills: list[str]
    """Skills of that profile that are missing; always empty here."""
    profile_apply_command: str | None
    """metagit's command that applies the profile; always ``null`` here."""


class EventPayload(Record):
    """What was decided."""

    decision_id: str
    """The id of the decision."""
    graph_id: str
    """The graph of the task."""
    node_id: str
    """Its id in that graph."""
    score: float
    """Its score."""
    skipped: bool
    """Whether it was skipped for merge pressure."""
    reasons: list[str]
    """The lines behind its score."""


class EventRecord(Record):
    """One event."""

    event_id: str
    """A digest of the type and the decision's id: a decision that is recorded again writes no second event."""
    type: Literal["ScheduleDecision", "ScheduleSkipped"]
    """What happened."""
    at: str | None
    """When, ISO 8601 in UTC."""
    source: Literal["scheduler"]
    """Who writes it."""
    payload: EventPayload
    """What was decided."""
