"""Renders ``release`` as text: one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import UNNAMED
from git_sched.render.layout import TITLE, clean
from git_sched.render.tasks import name_task
from git_sched.render.terminal import PIPE, wrap

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.model.screen import Screen


def render(found: record.ReleaseRecord, screen: Screen = PIPE) -> str:
    """Render the record of ``release``."""
    name = name_task(found["graph_id"], found["node_id"], qualified=found["qualified"])
    title = f"  {clean(found['title'], limit=TITLE)}" if found["title"] else ""
    who = found["agent_id"] or UNNAMED
    lines = [*wrap(f"{name}{title}", screen, rest="    "), f"  given back by {who}; others can take it now"]
    return "\n".join(lines) + "\n"
