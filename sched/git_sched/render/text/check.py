"""``git sched check`` as text: one problem a line as editors read it, the hint below, the sum at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count
from git_sched.render.counts import format_severities
from git_sched.render.layout import clean, guard_line

if TYPE_CHECKING:
    from git_sched import record


def render(found: record.CheckRecord) -> str:
    """Render the record of ``check``."""
    lines: list[str] = []
    for problem in found["problems"]:
        place = ":".join(
            str(part) for part in (clean(problem["path"]) or "workspace", problem["line"], problem["column"]) if part
        )
        lines.append(guard_line(f"{place}: {problem['severity']}: {clean(problem['message'])} [{problem['code']}]"))
        if problem["hint"]:
            lines.append(f"    {guard_line(clean(problem['hint']))}")
    if lines:
        lines.append("")
    read = [
        count(found["graphs"], "graph"),
        count(found["nodes"], "node"),
        count(found["policies"], "policy", "policies"),
    ]
    lines.append(f"{', '.join(read)}: {format_severities(found['problems']) or 'no problems'}")
    return "\n".join(lines) + "\n"
