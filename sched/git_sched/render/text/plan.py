"""``git sched plan`` as text: when all ends and what that hangs on, then who would do what, and what never starts."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import count, format_amount, format_minutes
from git_sched.render.layout import TITLE, align_columns, clean
from git_sched.render.text.nothing import name_places

if TYPE_CHECKING:
    from git_sched import record

WIDTH: Final = 110

STEPS: Final = 12
"""Steps of what the end hangs on that are named."""

JOINTS: Final = {"start": "", "dependency": " -> ", "agent": ", then ", "room": ", then there is room for ", "hold": ""}
"""What stands before a step, by why it begins no earlier."""


def render(found: record.ForecastRecord) -> str:
    """Render the record of ``plan``."""
    lines = [headline(found)]
    if found["outcome"] == "refused":
        lines += [f"  {clean(p['path'])}: {clean(p['message'])}" for p in found["problems"] if p["severity"] == "error"]
    if found["outcome"] == "empty" and not found["basis"]["inputs"]:
        lines += name_places(found)
    if found["tasks"]:
        for reason in reasons(found):
            lines += wrap(reason, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
        lines += ["", *_table(found)]
    if found["never"]:
        lines += ["", "never starts", *_never(found)]
    if done := found["request"]["assumed_done"]:
        lines += ["", f"what if: {', '.join(done)} {'were' if len(done) > 1 else 'was'} completed"]
    return "\n".join(lines) + "\n"


def ids(found: record.ForecastRecord) -> str:
    """Render the ids of the tasks alone, one a line, in the order they begin in."""
    return "".join(f"{row['graph_id']}/{row['node_id']}\n" for row in found["tasks"] if not row["running"])


def headline(found: record.ForecastRecord) -> str:
    """Say in a line when everything ends, or why nothing begins."""
    counts = found["counts"]
    if found["outcome"] == "refused":
        return "refused: the policy cannot be trusted, so nothing is forecast by it"
    if found["tasks"]:
        length = format_minutes(found["makespan_minutes"], filled=found["makespan_filled"])
        never = f"; {counts['never']} never {'starts' if counts['never'] == 1 else 'start'}" if counts["never"] else ""
        return f"{length} for {count(counts['tasks'], 'task')} with {who(found)}{never}"
    if counts["open"]:
        return f"nothing ever starts: {count(counts['open'], 'open task')}"
    if counts["nodes"]:
        return "all done: none open"
    if found["basis"]["inputs"]:
        return "nothing to schedule: the task files hold no tasks"
    return "nothing to schedule: no task files here"


def who(found: record.ForecastRecord) -> str:
    """Name the agents of a forecast, and count those without a name."""
    named = [lane["agent_id"] for lane in found["lanes"] if lane["agent_id"]]
    others = len(found["lanes"]) - len(named)
    parts = [*named, *([count(others, "other") if named else count(others, "agent")] if others else [])]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)


def reasons(found: record.ForecastRecord) -> list[str]:
    """Say what the end hangs on, and how much of the time is work."""
    lines = [f"it hangs on {chain(found)}"]
    least, end = found["shortest_minutes"], found["makespan_minutes"]
    busy = sum(lane["busy_minutes"] for lane in found["lanes"])
    share = round(100 * min(1.0, busy / (end * len(found["lanes"])))) if end and found["lanes"] else 0
    bound = (
        "no number of agents ends earlier"
        if least == end
        else f"at least {format_amount(least)} min, however many agents"
    )
    lines.append(f"{bound}; {format_amount(found['work_minutes'])} min of work, agents busy {share} % of the time")
    if number := found["counts"]["cold_starts"]:
        each = format_minutes(found["cold_start_minutes"], filled=found["cold_start_filled"])
        lines.append(
            f"{count(number, 'cold start')} of {each}: an agent enters a repository that it has no worktree of"
        )
    return lines


def chain(found: record.ForecastRecord) -> str:
    """Name the last steps of what the end hangs on with the minutes each takes; they add up where none is left out."""
    steps = found["critical"][-STEPS:]
    left = found["critical_steps"] - len(steps)
    text = f"{count(left, 'step')}, then " if left else ""
    for n, step in enumerate(steps):
        joint = JOINTS[step["after"]] if n else ""
        text += f"{joint}{step['graph_id']}/{step['node_id']} {format_amount(step['length'])}"
    return text


def agent(row: record.StintRecord) -> str:
    """Name who does a task: by id, else by the number among the agents; nobody known is a dash."""
    return row["agent_id"] or (f"#{row['lane']}" if row["lane"] else "-")


def notes(row: record.StintRecord) -> list[str]:
    """Say what is special about a row."""
    said = ["running"] if row["running"] else []
    said += ["finish it"] if row["finish"] else []
    if row["minutes_filled"]:
        said.append(f"about {format_amount(row['minutes'])} min")
    if row["cold_start_minutes"]:
        said.append("cold")
    return said


def _table(found: record.ForecastRecord) -> list[str]:
    tasks = found["tasks"]
    width = max(len(format_amount(row["start"])) for row in tasks)
    homes = any(row["repository"] for row in tasks)
    rows = [["minutes", "agent", "task", *(["repository"] if homes else []), "title"]]
    for row in tasks:
        time = f"{format_amount(row['start']):>{width}} - {format_amount(row['end'])}{' *' if row['critical'] else ''}"
        note = f" ({', '.join(said)})" if (said := notes(row)) else ""
        title = f"{clean(row['title'], limit=TITLE)}{note}".strip()
        home = [row["repository"] or ""] if homes else []
        rows.append([time, agent(row), f"{row['graph_id']}/{row['node_id']}", *home, title])
    lines = align_columns(rows)
    if (left := found["counts"]["tasks"] - len(tasks)) > 0:
        lines.append(f"and {left} more")
    return [*lines, "* the end hangs on it"]


def _never(found: record.ForecastRecord) -> list[str]:
    rows = [[f"  {row['graph_id']}/{row['node_id']}", clean(row["why"])] for row in found["never"]]
    left = found["counts"]["never"] - len(rows)
    return [*align_columns(rows), *([f"  and {left} more"] if left else [])]
