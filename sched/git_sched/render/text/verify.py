"""Renders ``verify`` as text: the sum first, then each line of the log that is not reproduced or cannot be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count
from git_sched.render.layout import clean, guard_line
from git_sched.render.terminal import PIPE, RED, paint

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.model.screen import Screen

_WORDS = {"mismatch": "cannot be reproduced", "not-checkable": "cannot be checked", "verified": "is reproduced"}


def render(found: record.VerificationRecord, screen: Screen = PIPE) -> str:
    """Render the record of ``verify``."""
    if not found["checked"]:
        return f"nothing to verify: no decisions in {clean(found['log'])}\n"
    parts = [f"{found['verified']} reproduced"]
    parts += [f"{found['mismatched']} cannot be reproduced"] if found["mismatched"] else []
    parts += [f"{found['not_checkable']} cannot be checked"] if found["not_checkable"] else []
    lines = [guard_line(f"{clean(found['log'])}: {count(found['checked'], 'decision')}: {', '.join(parts)}")]
    for row in found["rows"]:
        line = f"  line {row['line']}: {clean(row['node'], limit=420)} {_WORDS[row['result']]}: {clean(row['why'])}"
        lines.append(paint(line, RED if row["result"] == "mismatch" else "", screen))
    left = found["mismatched"] + found["not_checkable"] - len(found["rows"])
    return "\n".join([*lines, f"  {left} more"] if left > 0 else lines) + "\n"
