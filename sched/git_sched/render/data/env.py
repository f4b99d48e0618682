"""Renders lines of ``KEY=VALUE`` that a shell can evaluate: ids and numbers only, so that nothing needs quoting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from git_sched import record

_SAFE: Final = re.compile(r"[A-Za-z0-9_.:/-]*")


def render(found: record.DecisionsRecord) -> str:
    """Render the record of ``next``: the first pick without a number, further ones as ``NEXT_2_TASK`` and so on."""
    rows = found["decisions"]
    lines = [_line("OUTCOME", found["outcome"]), _line("COUNT", len(rows)), _line("READY", found["counts"]["ready"])]
    for number, row in enumerate(rows, 1):
        head = "" if number == 1 else f"{number}_"
        lines += [_line(head + key, value) for key, value in _values(row).items()]
    return "".join(lines)


def _values(row: record.DecisionRecord) -> dict[str, str | float | None]:
    return {
        "TASK": f"{row['graph_id']}/{row['node_id']}",
        "GRAPH_ID": row["graph_id"],
        "NODE_ID": row["node_id"],
        "AGENT_ID": row["dispatch_hints"]["agent_id"],
        "REPOSITORY": row["repository"],
        "SCORE": row["score"],
        "MINUTES": row["minutes"],
        "DECISION_ID": row["decision_id"],
    }


def _line(key: str, value: str | float | None) -> str:
    """Write one line; a value that a shell could take for anything but text is left empty."""
    text = "" if value is None else str(value)
    return f"NEXT_{key}={text if _SAFE.fullmatch(text) else ''}\n"
