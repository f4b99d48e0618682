"""Compact records: what an agent with a small context needs of a record, in a bounded number of characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from git_sched.mcp_server.compact.check import compact_check
from git_sched.mcp_server.compact.diff import compact_comparison
from git_sched.mcp_server.compact.explain import compact_explanation
from git_sched.mcp_server.compact.fit import LIMIT as LIMIT
from git_sched.mcp_server.compact.next import compact_decisions
from git_sched.mcp_server.compact.plan import compact_forecast
from git_sched.mcp_server.compact.policy import compact_policy
from git_sched.mcp_server.compact.release import compact_release
from git_sched.mcp_server.compact.status import compact_status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

COMPACTED: Final[dict[str, Callable[[Any], dict[str, Any]]]] = {
    "decision": compact_decisions,
    "status": compact_status,
    "policy": compact_policy,
    "explanation": compact_explanation,
    "forecast": compact_forecast,
    "check": compact_check,
    "comparison": compact_comparison,
    "release": compact_release,
}
"""The function that makes the compact record, by kind of record."""


def compact(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the compact record of a record: a pure function of it, with the same ``kind`` and with ``full`` false.

    Raises:
        KeyError: records of this kind have no compact form.
    """
    return COMPACTED[found["kind"]](found)
