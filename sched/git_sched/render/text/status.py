"""Renders ``status`` as text: what is ready, held, running and blocked, and the signals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import count
from git_sched.render.counts import format_counts
from git_sched.render.layout import clean, format_points
from git_sched.render.outcome import describe_empty
from git_sched.render.tasks import format_estimated, format_total, name_task
from git_sched.render.terminal import DIM, PIPE, RED, YELLOW, paint, separate, wrap
from git_sched.render.text.next import for_whom
from git_sched.render.text.table import build_row, lay_out, write_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.model.screen import Screen
    from git_sched.render.text.table import Row

GRAPHS: Final = 5
"""Number of graphs of a task file that are named."""

NAMED: Final = 3
"""Number of tasks with one reason that are named in the line that counts the blocked ones."""


def render(status: record.StatusRecord, screen: Screen = PIPE) -> str:
    """Render the record of ``status``."""
    lines: list[str] = []
    if status["outcome"] == "refused":
        refused = "refused: the policy cannot be trusted, so nothing is ranked by it"
        lines.append(paint(refused, RED, screen))
    lines += _lists(status, screen)
    lines = lines or [_nothing(status)]
    lines += ["", *wrap(_sum(status), screen, rest="  ")]
    facts = [*for_whom(status["for_agents"]), *_signals(status["signals"], screen)]
    lines += (paint(line, DIM, screen) for line in separate(facts, screen, indent=""))
    if screen.verbose and status["sources"]:
        lines += ["", *(line for source in status["sources"] for line in _source(source, screen))]
    return "\n".join(lines) + "\n"


def ids(status: record.StatusRecord) -> str:
    """Render the ids of the tasks that are listed, in their order; without a selection, those of the ready ones."""
    rows: list[record.TaskRecord] = [row for row in status["ranking"] if row["state"] != "held"]
    if status["selection"]["states"]:
        rows += [*status["held"], *status["running"], *status["blocked_tasks"]]
    names = (name_task(row["graph_id"], row["node_id"], qualified=status["qualified"]) for row in rows)
    return "".join(f"{name}\n" for name in names)


def _lists(status: record.StatusRecord, screen: Screen) -> list[str]:
    """List the tasks that were selected, by state."""
    qualified, counts = status["qualified"], status["counts"]
    scores = {(row["graph_id"], row["node_id"]): row["score"] for row in status["ranking"]} if screen.verbose else {}

    def build(task: record.TaskRecord, note: str, style: str = "") -> Row:
        score = scores.get((task["graph_id"], task["node_id"]))
        lead = "" if score is None else f"{format_points(score):>7}"
        return build_row(task, qualified=qualified, note=note, lead=lead, style=style)

    free = [row for row in status["ranking"] if row["state"] != "held"]
    ready = [build(row, _note(row))._replace(picked=row["state"] == "picked") for row in free]
    held = [build(row, row["why"], YELLOW) for row in status["held"]]
    running = [build(row, f"by {row['agent_id']}" if row["agent_id"] else "") for row in status["running"]]
    blocked = [build(row, row["why"]) for row in status["blocked_tasks"]]
    left = 0 if _is_selected(status) else counts["ready"] - counts["held"] - len(ready)
    return [
        *_list("Ready", ready, screen),
        *([f"  and {left} more: --all"] if ready and left > 0 else []),
        *_list("Held", held, screen),
        *_list("Running", running, screen),
        *(_list("Blocked", blocked, screen) or _count_blocked(status, screen)),
    ]


def _list(heading: str, rows: Sequence[Row], screen: Screen) -> list[str]:
    return [paint(heading, rows[0].style, screen), *lay_out(rows, screen, indent="  ")] if rows else []


def _note(row: record.RankedRecord) -> str:
    """Say whether a task comes next or is skipped, and what is against it."""
    state = {"picked": "next", "skipped": "skipped"}.get(row["state"], "")
    return "; ".join(part for part in (state, row["note"]) if part)


def _is_selected(status: record.StatusRecord) -> bool:
    """Whether options selected the tasks that are listed."""
    selection = status["selection"]
    return any((selection["states"], selection["labels"], selection["assignees"], selection["repositories"],
                selection["graph_ids"]))  # fmt: skip


_WORDS: Final = {
    "waits_for": ("waits for other tasks", "wait for other tasks"),
    "container": ("waits for its parts", "wait for their parts"),
    "unknown_dependency": ("for a task that does not exist", "for tasks that do not exist"),
    "ambiguous_dependency": ("for an ambiguous task", "for ambiguous tasks"),
    "cancelled_dependency": ("for a cancelled task", "for cancelled tasks"),
    "cycle": ("on a cycle", "on cycles"),
    "blocked_by_status": ("marked blocked", "marked blocked"),
    "deferred": ("deferred", "deferred"),
    "unknown_status": ("with an unknown status", "with an unknown status"),
    "graph_inactive": ("in a graph that is not active", "in graphs that are not active"),
}
"""How each reason is written after a number, for one task and for several."""


def _count_blocked(status: record.StatusRecord, screen: Screen) -> list[str]:
    """Count the blocked tasks by cause, and those in error, where they are not listed and nothing was selected."""
    if _is_selected(status):
        return []
    parts = []
    for state, number in sorted(status["blocked"].items(), key=lambda item: (-item[1], item[0])):
        singular, plural = _words(status, state)
        parts.append(f"{number} {singular if number == 1 else plural}{_named(status, state, number)}")
    lines = wrap(f"Blocked: {', '.join(parts)}. All of them: --all", screen, rest="  ") if parts else []
    in_error = status["counts"]["in_error"]
    return [*lines, f"In error: {count(in_error, 'task')}"] if in_error else lines


def _words(status: record.StatusRecord, state: str) -> tuple[str, str]:
    singular, plural = _WORDS.get(state, (state, state))
    if state == "unknown_dependency" and status["counts"]["in_error"]:
        return f"{singular} or is in error", f"{plural} or are in error"
    return singular, plural


def _named(status: record.StatusRecord, state: str, number: int) -> str:
    if state in {"waits_for", "container"} or number > NAMED:
        return ""
    names = [name for group in status["waiting"] if group["kind"] == state for name in group["nodes"]]
    return f" ({', '.join(write_name(name, qualified=status['qualified']) for name in names)})" if names else ""


def _nothing(status: record.StatusRecord) -> str:
    """Say why nothing is listed."""
    counts = status["counts"]
    if _is_selected(status) and counts["open"]:
        return "no open task is like that"
    if counts["nodes"]:
        return "nothing is open"
    return describe_empty(status["basis"], status["problems"])


def _sum(status: record.StatusRecord) -> str:
    """Count the tasks of all states, and sum up what is left to do."""
    text = format_counts(status["counts"], whole=not status["selection"]["graph_ids"])
    path, work, estimated = status["longest_path"], status["work_left"], format_estimated(status["estimates"])
    if path["tasks"]:
        text += f"; {format_total(path)} on the longest path"
    if work["minutes"] is not None and work["tasks"]:
        text += f", {format_total(work)} of work left"
    return f"{text}; {estimated}" if estimated else text


def _signals(signals: record.SignalsRecord, screen: Screen) -> list[str]:
    """Write each known signal with its source."""
    trees, queue, past = signals["worktrees"], signals["merge_queue"], signals["history"]
    depths = ", ".join(f"{clean(name)} {depth}" for name, depth in queue["depths"].items())
    waiting = f"{depths}, others 0" if depths else "nothing queued"
    source = clean(queue["source"])
    parts = {
        f"worktrees: {'' if trees['known'] else 'unknown, '}{clean(trees['source'])}": trees["known"],
        f"merge queue: {f'{waiting} ({source})' if queue['known'] else f'unknown, {source}'}": queue["known"],
        f"decisions: {clean(past['source'])}" if past["rows"] else clean(past["source"]): True,
    }
    return [part for part, is_known in parts.items() if is_known or screen.verbose]


def _source(source: record.SourceRecord, screen: Screen) -> list[str]:
    """Write what was read from a task file."""
    tasks = f"{count(source['nodes'], 'task')}, {source['open']} open"
    graphs = f"graphs: {', '.join(source['graph_ids'][:GRAPHS])}" if source["graph_ids"] else ""
    parts = [clean(source["path"]), clean(source["format"]), tasks, graphs]
    return separate([part for part in parts if part], screen, indent="")
