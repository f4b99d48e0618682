"""The keys of a native graph and of its nodes, each with type, range, default and meaning.

Reader, schema and reference page follow from them. Keys of kind ``anything`` are metagit's: they are known and ignored.
"""

from __future__ import annotations

from typing import Final

from git_sched.model.graph import GRAPH_STATUSES, PRIORITY_LIMIT, STATUSES
from git_sched.model.keys import Choice, Items, Key, Number, Table, Whole

_TOKENS: Final = Whole(-(2**53), 2**53)
_IGNORED: Final = Key("anything", "Written by metagit; ignored.")

ACL_KEYS: Final[dict[str, Key]] = {
    "branch": _IGNORED,
    "lease_id": _IGNORED,
    "worktree_id": _IGNORED,
    "claim_ids": _IGNORED,
    "acl_commands": Key(
        Items("text"),
        "Commands to pass on with the decision. Whoever may write these may run them: they are as powerful as code.",
        absent="none",
    ),
}
"""The keys of a node's ``acl``."""

NODE_KEYS: Final[dict[str, Key]] = {
    "node_id": Key("id", "The task's id, unique in its graph.", required=True),
    "title": Key("text", "What the task is called, for people; it decides nothing.", absent="empty"),
    "depends_on": Key(
        Items("reference"), "The tasks to complete before: ids of this graph, or `graph_id/node_id`.", absent="none"
    ),
    "status": Key(
        Choice(STATUSES),
        "How far the task is. ready proves nothing: a task is ready when all that it depends on is completed.",
        default="pending",
    ),
    "priority": Key(
        Whole(-PRIORITY_LIMIT, PRIORITY_LIMIT), "How important the task is; higher is more important.", default=0
    ),
    "estimated_tokens": Key(
        _TOKENS, "How many tokens the task takes; below 0 counts as absent.", absent="context_budget, or 1000"
    ),
    "context_budget": Key(_TOKENS, "How many tokens the task takes, where estimated_tokens is absent.", absent="1000"),
    "estimated_minutes": Key(
        Number(0, 1e9, above=True), "How many minutes the task takes.", absent="estimated from tokens and other tasks"
    ),
    "project": Key("name", "The project of the repository: `repository: r` with `project: p` is `p/r`.", absent="none"),
    "repository": Key(
        "name or .", "The repository in which the work happens; `.` is the workspace's own.", absent="none"
    ),
    "agent_id": Key("id", "The agent that the task is assigned to.", absent="unassigned"),
    "due": Key("end date", "When the task is due; a date alone is the end of that day (UTC).", absent="never"),
    "created_at": Key(
        "date", "When the task was created; a date alone is the start of that day (UTC).", absent="unknown"
    ),
    "paths": Key(
        Items("pattern"),
        "The files that the task will change, as in .gitignore; tasks that change the same files are not given out "
        "together.",
        absent="unknown",
    ),
    "labels": Key(Items("text"), "Words to sort tasks by; they decide nothing.", absent="none"),
    "blocker_reason": Key("text", "Why the task is blocked, where its status is blocked.", absent="empty"),
    "acl": Key(Table(ACL_KEYS, is_open=True), "metagit's access block; only acl_commands is read.", absent="none"),
    "graph_id": Key("text", "Written by metagit; a warning where it differs from the graph's own, which holds."),
    **dict.fromkeys(("intent_id", "objective_id", "handoff_id", "compiled_context_path", "updated_at"), _IGNORED),
}
"""The keys of a node."""

GRAPH_KEYS: Final[dict[str, Key]] = {
    "graph_id": Key("id", "The graph's id, unique in the workspace.", required=True),
    "title": Key("text", "What the graph is called, for people; it decides nothing.", absent="empty"),
    "status": Key(
        Choice(GRAPH_STATUSES), "How far the graph is; only tasks of active graphs are given out.", default="active"
    ),
    "nodes": Key(Items(Table(NODE_KEYS)), "The tasks.", absent="none"),
    **dict.fromkeys(("root_intent_id", "objective_id", "handoff_id", "intent", "created_at", "updated_at"), _IGNORED),
}
"""The keys of a graph."""
