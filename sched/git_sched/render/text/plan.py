"""Renders ``plan`` as text: when everything ends, the critical path, who does what, and what cannot start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import count, format_duration, join_words
from git_sched.render.layout import align_columns, clean, drop_empty_columns
from git_sched.render.outcome import describe_empty, has_task_files, name_places
from git_sched.render.tasks import format_coverage, format_estimated, format_total, name_task, shorten_name
from git_sched.render.terminal import PIPE, wrap
from git_sched.render.text.table import Row, build_row, lay_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.model.screen import Screen

STEPS: Final = 12
"""Number of steps of the critical path that are named."""

BEGINNING: Final = 3
"""Number of first steps that are named of a longer chain, besides the last one."""

JOINTS: Final = {"start": "", "dependency": " -> ", "agent": ", then ", "room": ", then there is room for ", "hold": ""}
"""What joins a step to the one before it, by why it starts no earlier."""


def render(found: record.ForecastRecord, screen: Screen = PIPE) -> str:
    """Render the record of ``plan``."""
    lines = wrap(headline(found), screen, rest="  ")
    if found["outcome"] == "refused":
        lines += [f"  {clean(p['path'])}: {clean(p['message'])}" for p in found["problems"] if p["severity"] == "error"]
    if found["outcome"] == "empty" and not has_task_files(found["basis"]):
        lines += name_places(found["looked_for"], found["problems"])
    if found["tasks"]:
        for line in describe(found):
            lines += wrap(line, screen, first="  ", rest="    ")
        lines += ["", *(_timetable(found, screen) if is_timed(found) else _order(found, screen))]
    if found["unstarted"]:
        lines += ["", "Cannot start", *_unstarted(found, screen)]
    if done := found["request"]["assumed_done"]:
        lines += ["", f"what if: {', '.join(done)} {'were' if len(done) > 1 else 'was'} completed"]
    return "\n".join(lines) + "\n"


def ids(found: record.ForecastRecord) -> str:
    """Render only the ids of the tasks, one a line, in the order in which they start."""
    rows = (row for row in found["tasks"] if not row["running"])
    return "".join(f"{name(found, row)}\n" for row in rows)


def name(found: record.ForecastRecord, row: record.AssignmentRecord | record.UnstartedRecord) -> str:
    """Write the id of a row as it can be pasted."""
    return name_task(row["graph_id"], row["node_id"], qualified=found["qualified"])


def is_timed(found: record.ForecastRecord) -> bool:
    """Whether a forecast has times, since enough of its tasks are estimated."""
    return found["estimates"]["unit"] == "minute"


def headline(found: record.ForecastRecord) -> str:
    """Say in one line when everything ends, or how much there is to do, or why nothing starts."""
    counts = found["counts"]
    if found["outcome"] == "refused":
        return "refused: the policy cannot be trusted, so there is no plan"
    if found["tasks"]:
        stuck = f"; {counts['unstarted']} cannot start" if counts["unstarted"] else ""
        return f"{_extent(found)}{stuck}{'' if is_timed(found) else f'. {_untimed(found)}'}"
    if counts["open"]:
        return f"nothing can start: {count(counts['open'], 'open task')}"
    if counts["nodes"]:
        return "all done: no task is open"
    return f"nothing to schedule: {describe_empty(found['basis'], found['problems'])}"


def _extent(found: record.ForecastRecord) -> str:
    tasks, work = count(found["counts"]["tasks"], "task"), found["work"]
    if found["makespan_minutes"] is not None:
        end = format_duration(found["makespan_minutes"])
        return f"{end} for {tasks}{format_coverage(work)} with {name_agents(found)}"
    if _has_chain(found):
        return f"{tasks}; the longest chain has {found['longest_chain']['tasks']}"
    return tasks if found["counts"]["tasks"] == 1 else f"{tasks}; none has to wait for another"


def _untimed(found: record.ForecastRecord) -> str:
    if some := format_estimated(found["estimates"]):
        return f"Only {some}, so there are no times."
    whom = "it" if found["counts"]["tasks"] == 1 else "any of them"
    return f"Nobody estimated {whom}, so there are no times."


def _has_chain(found: record.ForecastRecord) -> bool:
    return found["longest_chain"]["tasks"] > 1


def is_marked(found: record.ForecastRecord, row: record.AssignmentRecord) -> bool:
    """Whether a row gets a mark: it is on the critical path, or without times on a longest chain of several tasks."""
    return row["critical"] and (is_timed(found) or _has_chain(found))


def name_agents(found: record.ForecastRecord) -> str:
    """Name the agents of a forecast, and count those without a name."""
    named = [lane["agent_id"] for lane in found["lanes"] if lane["agent_id"]]
    others = len(found["lanes"]) - len(named)
    parts = [*named, *([count(others, "other") if named else count(others, "agent")] if others else [])]
    return join_words(parts)


def describe(found: record.ForecastRecord) -> list[str]:
    """Name the longest chain; where there are times, the critical path, and how much of the time is work."""
    end = found["makespan_minutes"]
    if end is None:
        return [f"longest chain: {_chain(found)}"] if _has_chain(found) else []
    lines = [f"critical path: {_critical_path(found)}", f"{_bound(found, end)}; {_work(found, end)}"]
    if number := found["counts"]["cold_starts"]:
        each = f"{'about ' if found['cold_start_assumed'] else ''}{format_duration(found['cold_start_minutes'])}"
        what = "an agent enters a repository that it does not have checked out"
        lines.append(f"{count(number, 'cold start')} of {each}: {what}")
    return lines


def _bound(found: record.ForecastRecord, end: float) -> str:
    chain = format_total(found["longest_chain"])
    if round((found["longest_chain"]["minutes"] or 0.0) - end, 6) >= 0:
        return f"the longest chain takes {chain}, so more agents do not help"
    return f"at least {chain}, however many agents"


def _work(found: record.ForecastRecord, end: float) -> str:
    busy = sum(lane["busy_minutes"] or 0.0 for lane in found["lanes"])
    share = round(100 * min(1.0, busy / (end * len(found["lanes"])))) if end and found["lanes"] else 0
    return f"{format_duration(found['work']['minutes'] or 0.0)} of work, agents busy {share} % of the time"


def _critical_path(found: record.ForecastRecord) -> str:
    """Name the last steps of the critical path, each with the time it takes."""
    steps = found["critical"][-STEPS:]
    left = found["critical_steps"] - len(steps)
    text = f"{count(left, 'step')}, then " if left else ""
    for n, step in enumerate(steps):
        joint = JOINTS[step["after"]] if n else ""
        node = name_task(step["graph_id"], step["node_id"], qualified=found["qualified"])
        text += f"{joint}{node} {format_duration(step['length'] or 0.0)}"
    return text


def _chain(found: record.ForecastRecord) -> str:
    """Name the steps of the longest chain: all of a short one, else the first few and the last."""
    qualified = found["qualified"]
    steps = [name_task(step["graph_id"], step["node_id"], qualified=qualified) for step in found["critical"]]
    if found["critical_steps"] > len(steps):
        return f"... -> {' -> '.join(steps[-BEGINNING:])}"
    return " -> ".join(steps if len(steps) <= STEPS else [*steps[:BEGINNING], "...", steps[-1]])


def name_agent(row: record.AssignmentRecord) -> str:
    """Name the agent of a task: by its id, else by its number; an unknown one is a dash."""
    return row["agent_id"] or (f"#{row['lane']}" if row["lane"] else "-")


def name_needs(found: record.ForecastRecord, row: record.AssignmentRecord) -> str:
    """Name the unfinished tasks that one depends on."""
    names = ", ".join(shorten_name(need, qualified=found["qualified"]) for need in row["after"])
    return f"{names} and {row['after_more']} more" if row["after_more"] else names


def describe_task(row: record.AssignmentRecord) -> list[str]:
    """Say what is special about a row."""
    notes = ["running"] if row["running"] else []
    notes += ["only needs closing"] if row["finish"] else []
    notes += ["no estimate"] if row["assumed"] and row["minutes"] is None else []
    return [*notes, "cold start"] if row["cold_start_minutes"] else notes


def _timetable(found: record.ForecastRecord, screen: Screen) -> list[str]:
    leads = [["start", "end", "", "agent"]]
    for row in found["tasks"]:
        times = (format_duration(row["start"] or 0.0), format_duration(row["end"] or 0.0))
        leads.append([*times, "*" if row["critical"] else "", name_agent(row)])
    rows = [_row(found, row, describe_task(row)) for row in found["tasks"]]
    return _table(found, leads, [Row("task", ""), *rows], screen, key="* on the critical path")


def _order(found: record.ForecastRecord, screen: Screen) -> list[str]:
    leads = [["order", ""]]
    leads += [[str(n), "*" if is_marked(found, row) else ""] for n, row in enumerate(found["tasks"], 1)]
    word = "" if screen.width is None else "after "  # on a narrow screen it is below the task, far from the heading
    rows = []
    for row in found["tasks"]:
        needs = [f"{word}{needed}"] if (needed := name_needs(found, row)) else []
        rows.append(_row(found, row, [*describe_task(row), *needs])._replace(repository=""))
    heading = Row("task", "", note="" if word or not any(row["after"] for row in found["tasks"]) else "after")
    key = "* on the longest chain" if _has_chain(found) else ""
    return _table(found, leads, [heading, *rows], screen, key=key)


def _row(found: record.ForecastRecord, row: record.AssignmentRecord, notes: Sequence[str]) -> Row:
    built = build_row(row, qualified=found["qualified"], note=", ".join(notes))
    return built._replace(size="" if is_timed(found) else built.size, picked=is_marked(found, row))


def _table(
    found: record.ForecastRecord, leads: list[list[str]], rows: Sequence[Row], screen: Screen, *, key: str
) -> list[str]:
    aligned = align_columns(drop_empty_columns(leads, heads=1), right=(0, 1) if is_timed(found) else (0,))
    left = found["counts"]["tasks"] - len(found["tasks"])
    lines = lay_out([row._replace(lead=lead) for row, lead in zip(rows, aligned, strict=True)], screen, indent="")
    return [*lines, *([f"and {left} more"] if left > 0 else []), *([key] if key else [])]


def _unstarted(found: record.ForecastRecord, screen: Screen) -> list[str]:
    rows = [
        build_row(row, qualified=found["qualified"], note=row["why"])._replace(repository="", size="")
        for row in found["unstarted"]
    ]
    left = found["counts"]["unstarted"] - len(rows)
    return [*lay_out(rows, screen, indent="  "), *([f"  and {left} more"] if left > 0 else [])]
