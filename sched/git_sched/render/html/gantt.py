"""A forecast as a chart in SVG: a lane for each agent, a bar for each task, minutes from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import format_amount
from git_sched.render.html.page import Html, element, text
from git_sched.render.html.style import COLOURS
from git_sched.render.text.plan import agent, notes

if TYPE_CHECKING:
    from git_sched import record

WIDTH: Final = 1_000
LABELS: Final = 120
"""Room for the names of lanes, left of the bars."""
LANE: Final = 34
BAR: Final = 24
TOP: Final = 22
LETTER: Final = 6.6
"""Width that a letter of a label takes at most, nearly."""
LANES: Final = 100
SHORTEST: Final = 0.001
"""Minutes that a chart spans at least."""
TICKS: Final = 10


def chart(found: record.ForecastRecord, title: str) -> Html:
    """Draw the tasks that a record lists."""
    rows = _rows(found["tasks"])
    graphs = sorted({row["graph_id"] for row in found["tasks"]})
    colour = {graph_id: f"c{n % COLOURS}" for n, graph_id in enumerate(graphs)}
    end = max(SHORTEST, *(row["end"] for row in found["tasks"]))
    scale = (WIDTH - LABELS) / end
    height = TOP + LANE * len(rows)
    lines = _grid(end, scale, height)
    for n, (label, assignments) in enumerate(rows):
        y = TOP + LANE * n
        lines.append(element("text", text(_cut(label, LABELS - 8)), x="0", y=str(y + 20)))
        lines += [_bar(row, scale, y, colour[row["graph_id"]]) for row in assignments]
    lines += _legend(colour, height + 6)
    box = f"0 0 {WIDTH} {height + 30}"
    drawn = element("svg", *(Html(f"\n{line}") for line in lines), viewBox=box, role="img", aria_label=title)
    return element("div", drawn, class_="wide")


def _rows(tasks: list[record.StintRecord]) -> list[tuple[str, list[record.StintRecord]]]:
    """Give the lanes with their labels; who only finishes a task has one of their own."""
    lanes: dict[int, list[record.StintRecord]] = {}
    others = []
    for row in tasks:
        if row["lane"] is None:
            others.append((row["agent_id"] or "somebody", [row]))
        else:
            lanes.setdefault(row["lane"], []).append(row)
    return [*((_label(n, assignments), assignments) for n, assignments in sorted(lanes.items())), *others][:LANES]


def _label(lane: int, assignments: list[record.StintRecord]) -> str:
    who = {agent(row) for row in assignments}
    return who.pop() if len(who) == 1 else f"#{lane}"


def _grid(end: float, scale: float, height: int) -> list[Html]:
    step = _step(end)
    lines = []
    for n in range(int(end / step) + 1):
        x = f"{LABELS + n * step * scale:.1f}"
        lines.append(element("line", class_="grid", x1=x, x2=x, y1="16", y2=str(height)))
        anchor = "end" if LABELS + n * step * scale > WIDTH - 30 else "middle"
        lines.append(element("text", text(format_amount(n * step)), class_="soft", x=x, y="12", text_anchor=anchor))
    return [element("text", text("minutes"), class_="soft", x="0", y="12"), *lines]


def _step(end: float) -> float:
    """Give the smallest round step that needs few ticks."""
    step = 1.0
    while True:
        for times in (1, 2, 3, 6):
            if end <= TICKS * step * times:
                return step * times
        step *= 10


def _legend(colour: dict[str, str], y: int) -> list[Html]:
    """Name the graphs beside their colours, as far as there is room."""
    x, lines = float(LABELS), [element("text", text("graphs"), class_="soft", x="0", y=str(y + 13))]
    for graph_id, fill in colour.items():
        label = _cut(graph_id, 160)
        if x + 24 + LETTER * len(label) > WIDTH:
            break
        lines.append(element("rect", class_=f"bar {fill}", x=f"{x:.1f}", y=str(y + 1), width="16", height="16", rx="3"))
        lines.append(element("text", text(label), x=f"{x + 22:.1f}", y=str(y + 13)))
        x += 48 + LETTER * len(label)
    return lines


def _bar(row: record.StintRecord, scale: float, y: int, colour: str) -> Html:
    x, width = LABELS + row["start"] * scale, max(1.5, (row["end"] - row["start"]) * scale - 1)
    words = ["bar", colour, *(["about"] if row["minutes_filled"] else []), *(["critical"] if row["critical"] else [])]
    name = f"{row['graph_id']}/{row['node_id']}"
    said = [f"{format_amount(row['start'])} - {format_amount(row['end'])} min", f"by {agent(row)}", *notes(row)]
    if row["critical"]:
        said.append("the end hangs on it")
    at = {"x": f"{x:.1f}", "y": str(y + (LANE - BAR) // 2), "height": str(BAR)}
    parts = [
        element("title", text(f"{name}: {', '.join(said)}")),
        element("rect", class_=" ".join(words), width=f"{width:.1f}", rx="3", **at),
    ]
    if cold := row["cold_start_minutes"]:
        parts.append(element("rect", class_="cold", width=f"{min(width, cold * scale):.1f}", rx="3", **at))
    if label := _cut(row["node_id"], width - 8):
        parts.append(element("text", text(label), x=f"{x + 5:.1f}", y=str(y + 21)))
    return element("g", *parts)


def _cut(label: str, width: float) -> str:
    """Give as much of a label as there is room for; less than four letters are none."""
    room = int(width / LETTER)
    return label if len(label) <= room else f"{label[: room - 2]}.." if room > 5 else ""  # noqa: PLR2004 - as it says
