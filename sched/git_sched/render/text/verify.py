"""``git sched verify`` as text: the sum first, then each line of the log that does not hold or cannot be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.render.layout import clean, guard_line

if TYPE_CHECKING:
    from git_sched import record

_WORDS = {"mismatch": "does not hold", "not-checkable": "not checkable", "verified": "holds"}


def render(found: record.VerificationRecord) -> str:
    """Render what ``verify`` found."""
    if not found["checked"]:
        return f"nothing to verify: no decisions in {clean(found['log'])}\n"
    parts = [f"{found['verified']} verified"]
    parts += [f"{found['mismatched']} do not hold"] if found["mismatched"] else []
    parts += [f"{found['not_checkable']} not checkable"] if found["not_checkable"] else []
    lines = [guard_line(f"{clean(found['log'])}: {found['checked']} recorded: {', '.join(parts)}")]
    lines += [
        f"  line {row['line']}: {clean(row['node'], limit=420)} {_WORDS[row['result']]}: {clean(row['why'])}"
        for row in found["rows"]
    ]
    left = found["mismatched"] + found["not_checkable"] - len(found["rows"])
    return "\n".join([*lines, f"  {left} more"] if left > 0 else lines) + "\n"
