"""Renders a forecast as a page: the answer, a chart with a lane for each agent, every task, and what cannot start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count, format_duration, sentence
from git_sched.render.html.gantt import chart, lay_out
from git_sched.render.html.page import Html, code, page, paragraph, section, table, text
from git_sched.render.html.sections import Naming, assume, foot, head, list_problems, list_tasks
from git_sched.render.redact import redact_plan
from git_sched.render.text.plan import (
    describe,
    describe_task,
    headline,
    is_marked,
    is_timed,
    name_agent,
    name_needs,
)

if TYPE_CHECKING:
    from git_sched import record


def render(found: record.ForecastRecord) -> str:
    """Render the record of ``plan``."""
    naming, title = Naming(redact_plan(found), found["qualified"]), headline(found)
    unstarted = [(naming.task(row), text(naming.shows.reason(row["kind"], row["why"]))) for row in found["unstarted"]]
    described = [paragraph(f"{sentence(line)}.") for line in describe(found)] if found["tasks"] else []
    parts = [
        head("git sched plan", text(sentence(title)), *described, assume(found["request"]["assumed_done"])),
        *(_tasks(found, naming) if found["tasks"] else []),
        list_tasks("Cannot start", unstarted, left=found["counts"]["unstarted"] - len(unstarted), what="why"),
        list_problems(found["problems"], naming),
    ]
    return page(f"Plan: {title}", *parts, foot(found["basis"]))


def _tasks(found: record.ForecastRecord, naming: Naming) -> list[Html]:
    if not is_timed(found):
        return [section("What comes after what", _order(found, naming))]
    lanes = lay_out(found["tasks"])
    drawn, tasks = sum(len(rows) for _, rows in lanes), found["counts"]["tasks"]
    partly = [paragraph(f"The chart shows {drawn} of {count(tasks, 'task')}.")] if drawn < tasks else []
    bars = chart(found, naming, lanes, sentence(headline(found)))
    drawing = (*partly, bars, paragraph(_legend(found), class_="soft"))
    return [section("Who does what, and when", *drawing), section("Tasks", _timetable(found, naming))]


def _legend(found: record.ForecastRecord) -> str:
    marks = ["A thick border: on the critical path."]
    marks += ["A dashed border: how long it takes is assumed."] if any(row["assumed"] for row in found["tasks"]) else []
    marks += ["Faded at its beginning: a cold start."] if found["counts"]["cold_starts"] else []
    return " ".join([*marks, "Times are counted from now."])


def _timetable(found: record.ForecastRecord, naming: Naming) -> Html:
    rows = []
    for row in found["tasks"]:
        times = [text(format_duration(time or 0.0)) for time in (row["start"], row["end"])]
        place = (code(name_agent(row)), naming.repository(row["repository"]))
        rows.append(("key" if row["critical"] else "", (naming.task(row), *times, *place, _note(found, row))))
    heads = ["task", "start", "end", "agent", "repository", "note"]
    return table(heads, [*rows, *_left(found, len(heads))], right=(1, 2))


def _order(found: record.ForecastRecord, naming: Naming) -> Html:
    rows = []
    for n, row in enumerate(found["tasks"], 1):
        cells = (naming.task(row), text(str(n)), naming.size(row), text(name_needs(found, row)), _note(found, row))
        rows.append(("key" if is_marked(found, row) else "", cells))
    heads = ["task", "order", "size", "after", "note"]
    return table(heads, [*rows, *_left(found, len(heads))], right=(1, 2))


def _left(found: record.ForecastRecord, columns: int) -> list[tuple[str, list[Html]]]:
    left = found["counts"]["tasks"] - len(found["tasks"])
    return [("", [text(f"{left} more"), *[Html("")] * (columns - 1)])] if left > 0 else []


def _note(found: record.ForecastRecord, row: record.AssignmentRecord) -> Html:
    key = "on the critical path" if is_timed(found) else "on the longest chain"
    return text(", ".join([*([key] if is_marked(found, row) else []), *describe_task(row)]))
