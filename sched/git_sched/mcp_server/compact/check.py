"""The compact record of ``check``: how much is wrong, and the first problems, each with its place and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.mcp_server.compact.fit import Part, build
from git_sched.mcp_server.compact.rows import problems, severities

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.mcp_server.compact.fit import Row

MOST: Final = 10
"""Number of problems that are shown."""


def compact_check(found: record.CheckRecord) -> Row:
    """Return the compact record of ``check``."""
    head = {
        "graphs": found["graphs"],
        "tasks": found["nodes"],
        "policies": found["policies"],
        "errors": 0,
        "warnings": 0,
        **severities(found["problems"]),
    }
    return build("check", head, (problems(found["problems"], most=MOST), Part("not_read", found["not_read"], MOST)))
