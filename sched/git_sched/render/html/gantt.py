"""Renders a forecast as a chart in SVG: a lane for each agent, a bar for each task, time from left to right."""

from __future__ import annotations

from itertools import chain
from itertools import count as count_from
from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import DAY_HOURS, HOUR, count, format_duration
from git_sched.render.html.page import Html, element, text
from git_sched.render.html.style import COLORS
from git_sched.render.redact import OTHER
from git_sched.render.text.plan import describe_task, name_agent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.render.html.sections import Naming

Lanes = list[tuple[str, list["record.AssignmentRecord"]]]
"""The bars of a chart: for each agent a label and the tasks."""

WIDTH: Final = 1_000
LABELS: Final = 120
"""Width of the names of lanes, left of the bars."""
LANE: Final = 34
BAR: Final = 24
TOP: Final = 22
LETTER: Final = 6.6
"""Nearly the largest width of a letter of a label."""
LANES: Final = 100
SHORTEST: Final = 0.001
"""The smallest number of minutes that a chart spans."""
TICKS: Final = 10

DAY: Final = DAY_HOURS * HOUR
"""Minutes in a day."""

STEPS: Final = (1, 2, 5, 10, 15, 30, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR)
"""Minutes between two ticks, below a day; from there days in steps of 1, 2, 5, 10, 20, 50 and so on."""


def lay_out(tasks: Sequence[record.AssignmentRecord]) -> Lanes:
    """Sort tasks into lanes, as many as are drawn; an agent that only finishes its running task has its own lane."""
    lanes: dict[int, list[record.AssignmentRecord]] = {}
    others = []
    for row in tasks:
        if row["lane"] is None:
            others.append((row["agent_id"] or "somebody", [row]))
        else:
            lanes.setdefault(row["lane"], []).append(row)
    return [*((_label(n, assignments), assignments) for n, assignments in sorted(lanes.items())), *others][:LANES]


def _label(lane: int, assignments: list[record.AssignmentRecord]) -> str:
    names = {name_agent(row) for row in assignments}
    return names.pop() if len(names) == 1 else f"#{lane}"


def chart(found: record.ForecastRecord, naming: Naming, lanes: Lanes, title: str) -> Html:
    """Draw lanes; bars are colored by graph, or by repository where there is only one graph."""
    tasks = found["tasks"]
    by_graph = len({row["graph_id"] for row in tasks}) > 1
    groups = [row["graph_id"] if by_graph else _home(row, naming) for row in tasks]
    colors = {group: f"c{n % COLORS}" for n, group in enumerate(sorted(set(groups)))}
    end = max(SHORTEST, *(row["end"] or 0.0 for row in tasks))
    scale = (WIDTH - LABELS) / end
    height = TOP + LANE * len(lanes)
    lines = _grid(end, scale, height)
    for n, (label, assignments) in enumerate(lanes):
        y = TOP + LANE * n
        lines.append(element("text", text(_cut(label, LABELS - 8)), x="0", y=str(y + 20)))
        for row in assignments:
            lines.append(_bar(row, naming, scale, y, colors[row["graph_id"] if by_graph else _home(row, naming)]))
    if len(colors) > 1:
        lines += _legend("graphs" if by_graph else "repositories", colors, height + 6)
    box = f"0 0 {WIDTH} {height + 30}"
    drawn = element("svg", *(Html(f"\n{line}") for line in lines), viewBox=box, role="img", aria_label=title)
    return element("div", drawn, class_="wide")


def _home(row: record.AssignmentRecord, naming: Naming) -> str:
    return naming.shows.repository(row["repository"]) or (OTHER if row["repository"] else "no repository")


def _grid(end: float, scale: float, height: int) -> list[Html]:
    step = _step(end)
    lines = []
    for n in range(int(end / step) + 1):
        x = f"{LABELS + n * step * scale:.1f}"
        lines.append(element("line", class_="grid", x1=x, x2=x, y1="16", y2=str(height)))
        anchor = "end" if LABELS + n * step * scale > WIDTH - 30 else "middle"
        lines.append(element("text", text(_time(n * step)), class_="soft", x=x, y="12", text_anchor=anchor))
    return lines


def _step(end: float) -> int:
    """Return the smallest round step, in minutes, with few enough ticks."""
    days = (DAY * times * int(10**power) for power in count_from() for times in (1, 2, 5))
    return next(step for step in chain(STEPS, days) if end <= TICKS * step)


def _time(minutes: int) -> str:
    """Write a tick: hours as durations are written elsewhere, whole days as days."""
    if not minutes:
        return "now"
    days, rest = divmod(minutes, DAY)
    return format_duration(minutes) if rest else count(days, "day")


def _legend(title: str, colors: dict[str, str], y: int) -> list[Html]:
    """Write the legend of the colors, as far as there is room."""
    x, lines = float(LABELS), [element("text", text(title), class_="soft", x="0", y=str(y + 13))]
    for group, fill in colors.items():
        label = _cut(group, 160)
        if x + 24 + LETTER * len(label) > WIDTH:
            break
        lines.append(element("rect", class_=f"bar {fill}", x=f"{x:.1f}", y=str(y + 1), width="16", height="16", rx="3"))
        lines.append(element("text", text(label), x=f"{x + 22:.1f}", y=str(y + 13)))
        x += 48 + LETTER * len(label)
    return lines


def _bar(row: record.AssignmentRecord, naming: Naming, scale: float, y: int, color: str) -> Html:
    start, end = row["start"] or 0.0, row["end"] or 0.0
    x, width = LABELS + start * scale, max(1.5, (end - start) * scale - 1)
    classes = ["bar", color, *(["about"] if row["assumed"] else []), *(["critical"] if row["critical"] else [])]
    name = ": ".join(part for part in (naming.name(row), naming.shows.title(row["title"])) if part)
    notes = [f"{format_duration(start)} to {format_duration(end)}", f"by {name_agent(row)}", *describe_task(row)]
    notes += ["on the critical path"] if row["critical"] else []
    at = {"x": f"{x:.1f}", "y": str(y + (LANE - BAR) // 2), "height": str(BAR)}
    parts = [
        element("title", text(f"{name} ({', '.join(notes)})")),
        element("rect", class_=" ".join(classes), width=f"{width:.1f}", rx="3", **at),
    ]
    if cold := row["cold_start_minutes"]:
        parts.append(element("rect", class_="cold", width=f"{min(width, cold * scale):.1f}", rx="3", **at))
    if label := _cut(row["node_id"], width - 8):
        parts.append(element("text", text(label), x=f"{x + 5:.1f}", y=str(y + 21)))
    return element("g", *parts)


def _cut(label: str, width: float) -> str:
    """Cut a label to the room for it; with room for less than four letters it is empty."""
    room = int(width / LETTER)
    return label if len(label) <= room else f"{label[: room - 2]}.." if room > 5 else ""  # noqa: PLR2004 - as it says
