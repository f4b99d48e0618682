"""JSON Lines: one decision a line, picks first, then what was skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.json_dump import dump

if TYPE_CHECKING:
    from git_sched import record


def render(found: record.DecisionsRecord) -> str:
    """Render the record of ``next``."""
    return "".join(dump(row).decode() + "\n" for row in (*found["decisions"], *found["skipped"]))
