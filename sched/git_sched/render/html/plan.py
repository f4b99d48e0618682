"""A forecast as a page: the answer, a chart with a lane for each agent, every task, and what never starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import format_amount, sentence
from git_sched.render.html.gantt import chart
from git_sched.render.html.page import Html, code, page, paragraph, section, table, text
from git_sched.render.html.sections import assumed, footer, head, name, problems, repository, waiting
from git_sched.render.markdown.escape import strip_invisible
from git_sched.render.redact import redact_plan
from git_sched.render.text.plan import agent, headline, notes, reasons

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.render.redact import Redaction

LEGEND = (
    "A thick border: the end hangs on it. A dashed border: its minutes were filled in. Shaded at its beginning: a cold "
    "start. Every task stands in the table below."
)


def render(found: record.ForecastRecord) -> str:
    """Render the record of ``plan``."""
    shows = redact_plan(found)
    title = headline(found)
    said = [paragraph(f"{sentence(line)}.") for line in reasons(found)] if found["tasks"] else []
    parts = [
        head("git sched plan", text(sentence(title)), *said, assumed(found["request"]["assumed_done"])),
        problems(found["problems"], shows),
    ]
    if found["tasks"]:
        parts.append(section("Who does what, and when", chart(found, title), paragraph(LEGEND, class_="soft")))
        parts.append(section("Tasks", _tasks(found, shows)))
    never = [(name(row), row["why"]) for row in found["never"]]
    parts.append(waiting("Never starts", never, shows, left=found["counts"]["never"] - len(never)))
    return page(f"Forecast: {title}", *parts, footer(found["basis"]))


def _tasks(found: record.ForecastRecord, shows: Redaction) -> Html:
    rows = []
    for row in found["tasks"]:
        note = f"({', '.join(said)})" if (said := notes(row)) else ""
        title = text(f"{strip_invisible(shows.title(row['title']))} {note}")
        key = text("the end hangs on it") if row["critical"] else Html("")
        times = (text(format_amount(row["start"])), text(format_amount(row["end"])))
        cells = (*times, code(agent(row)), name(row), repository(row["repository"], shows), title, key)
        rows.append(("", cells))
    if (left := found["counts"]["tasks"] - len(rows)) > 0:
        rows.append(("", (Html(""), Html(""), Html(""), text(f"{left} more"), Html(""), Html(""), Html(""))))
    heads = ["from", "to", "agent", "task", "repository", "title", ""]
    return table(heads, rows, right=(0, 1))
