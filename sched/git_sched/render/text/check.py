"""Renders ``check`` as text: one problem a line in the form that editors read, the hint below, the sum at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count
from git_sched.render.counts import format_severities
from git_sched.render.layout import clean, guard_line
from git_sched.render.terminal import DIM, PIPE, RED, paint, wrap

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.model.screen import Screen


def render(found: record.CheckRecord, screen: Screen = PIPE) -> str:
    """Render the record of ``check``."""
    lines: list[str] = []
    for problem in found["problems"]:
        place = ":".join(
            str(part) for part in (clean(problem["path"]) or "workspace", problem["line"], problem["column"]) if part
        )
        style = RED if problem["severity"] == "error" else ""
        severity = paint(problem["severity"], style, screen)
        lines.append(guard_line(f"{place}: {severity}: {clean(problem['message'])} [{problem['code']}]"))
        if problem["hint"]:
            hint = wrap(guard_line(clean(problem["hint"])), screen, first="    ", rest="    ")
            lines += (paint(line, DIM, screen) for line in hint)
    if lines:
        lines.append("")
    lines += (f"{clean(path)} is not read" for path in found["not_read"])
    read = [
        count(found["graphs"], "graph"),
        count(found["nodes"], "node"),
        count(found["policies"], "policy", "policies"),
    ]
    verdict = format_severities(found["problems"]) or ("" if found["not_read"] else "no problems")
    lines.append(f"{', '.join(read)}{f': {verdict}' if verdict else ''}")
    return "\n".join(lines) + "\n"
