"""The dispatch plan: what metagit's orchestrators start one agent from (metagit's AgentDispatchPlan)."""

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
