"""The compact record of ``release``: the task that was given back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.mcp_server.compact.fit import build
from git_sched.mcp_server.compact.rows import name

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.mcp_server.compact.fit import Row


def compact_release(found: record.ReleaseRecord) -> Row:
    """Return the compact record of ``release``."""
    head = {"id": name(found), "title": found["title"], "agent": found["agent_id"], "at": found["at"]}
    return build("release", head, ())
