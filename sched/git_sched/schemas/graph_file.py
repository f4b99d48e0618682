"""The shape of a native graph's file, for editors and validators. What is read, and how, is for ``formats.native``."""

from __future__ import annotations

from typing import Annotated, Literal, Required

from pydantic import Field

from git_sched.model.graph import PRIORITY_LIMIT
from git_sched.record.base import Record

ID_PATTERN = r"^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$"
NAME_PATTERN = r"^\s*[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*\s*$"
REFERENCE_PATTERN = r"^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,199})?$"

Id = Annotated[str, Field(json_schema_extra={"pattern": ID_PATTERN})]
Name = Annotated[str, Field(json_schema_extra={"pattern": NAME_PATTERN})]
Reference = Annotated[str, Field(json_schema_extra={"pattern": REFERENCE_PATTERN})]


class AclFile(Record, total=False):
    """metagit's access block."""

    branch: object
    lease_id: object
    worktree_id: object
    claim_ids: object
    acl_commands: list[str] | None
    """Passed on in the decision. Whoever may write these may run them: they are as powerful as code."""


AclFile.__pydantic_config__ = {"extra": "allow", "use_attribute_docstrings": True}  # type: ignore[attr-defined]  # pydantic's own


class NodeFile(Record, total=False):
    """One task."""

    node_id: Required[Id]
    title: str | None
    depends_on: list[Reference] | None
    """What must be completed before: ids of this graph, or graph_id/node_id."""
    status: Literal["pending", "ready", "blocked", "running", "completed", "cancelled"] | None
    """pending where it is absent. ready proves nothing: a task is ready when what it depends on is completed."""
    priority: Annotated[int, Field(ge=-PRIORITY_LIMIT, le=PRIORITY_LIMIT)] | None
    """Higher wins; 0 where it is absent."""
    estimated_tokens: int | None
    context_budget: int | None
    estimated_minutes: Annotated[float, Field(gt=0, le=1e9)] | None
    project: Name | None
    repository: Name | None
    """repository r with project p is the same as repository p/r."""
    agent_id: Id | None
    """Who it is assigned to."""
    due: str | None
    """ISO 8601; a date alone means its end."""
    created_at: str | None
    """ISO 8601; a date alone means its start."""
    paths: list[str] | None
    """Patterns, as in .gitignore, of the files the task will touch."""
    labels: list[str] | None
    blocker_reason: str | None
    acl: AclFile | None
    graph_id: str | None
    """metagit's; the graph's own holds."""
    intent_id: object
    objective_id: object
    handoff_id: object
    compiled_context_path: object
    updated_at: object


class GraphFile(Record, total=False):
    """A task graph: tasks and what each depends on."""

    graph_id: Required[Id]
    title: str | None
    status: Literal["active", "completed", "cancelled"] | None
    """active where it is absent; only active graphs are scheduled."""
    nodes: list[NodeFile] | None
    root_intent_id: object
    objective_id: object
    handoff_id: object
    intent: object
    created_at: object
    updated_at: object
