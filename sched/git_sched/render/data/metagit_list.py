"""The bare list that ``metagit schedule next --json`` prints, for whatever reads that today."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.json_dump import dump

if TYPE_CHECKING:
    from git_sched import record

KEYS: Final = (
    "decision_id", "at", "graph_id", "node_id", "score", "reasons", "dispatch_hints", "acl_commands",
    "compile_command", "skipped",
)  # fmt: skip
"""What metagit writes of a decision, in its order."""


def render(found: record.DecisionsRecord) -> str:
    """Render the record of ``next``; skipped nodes stand among the picks, by score."""
    rows = sorted([*found["decisions"], *found["skipped"]], key=lambda row: -row["score"])
    return dump([{key: row[key] for key in KEYS} for row in rows], indent=2).decode() + "\n"
