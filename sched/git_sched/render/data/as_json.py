"""Renders JSON: the record itself, its decisions one a line, or the bare list that metagit prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.json_codec import dump

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched import record


def render(found: Mapping[str, object]) -> str:
    """Render any record."""
    return dump(found, indent=2).decode() + "\n"


def render_lines(found: record.DecisionsRecord) -> str:
    """Render the record of ``next`` as one decision a line, picks first, then skipped tasks."""
    return "".join(dump(row).decode() + "\n" for row in (*found["decisions"], *found["skipped"]))


METAGIT_KEYS: Final = (
    "decision_id", "at", "graph_id", "node_id", "score", "reasons", "dispatch_hints", "acl_commands",
    "compile_command", "skipped",
)  # fmt: skip
"""The keys of a decision that metagit writes, in its order."""


def render_metagit(found: record.DecisionsRecord) -> str:
    """Render the bare list that ``metagit schedule next --json`` prints: picked and skipped nodes, by score."""
    rows = sorted([*found["decisions"], *found["skipped"]], key=lambda row: -row["score"])
    return dump([{key: row[key] for key in METAGIT_KEYS} for row in rows], indent=2).decode() + "\n"
