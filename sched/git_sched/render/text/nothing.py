"""Renders the text of ``next`` where nothing is picked: why, and what would change that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.render.layout import clean, guard_line
from git_sched.render.outcome import describe_nothing, describe_time_gate, has_task_files, name_places
from git_sched.render.tasks import name_task
from git_sched.render.terminal import RED, YELLOW, paint, wrap
from git_sched.render.text.table import Row, lay_out, write_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.model.screen import Screen


def explain_nothing(answer: record.DecisionsRecord, screen: Screen) -> list[str]:
    """Write the lines that say why nothing is picked."""
    why = describe_nothing(answer)
    match answer["outcome"]:
        case "refused":
            return [paint(f"{why}, so nothing is decided by it", RED, screen), *name_errors(answer["problems"])]
        case "empty":
            return (
                [why]
                if has_task_files(answer["basis"])
                else [why, *name_places(answer["looked_for"], answer["problems"])]
            )
        case "all-done":
            return [why]
        case "stuck":
            return [why, *_stuck(answer, screen)]
        case _:
            return [why, *_roots(answer, screen), *deferral(answer)]


def name_errors(problems: Sequence[record.ProblemRecord]) -> list[str]:
    """Name the first errors, each with its file."""
    errors = [problem for problem in problems if problem["severity"] == "error"]
    return [f"  {clean(problem['path'])}: {clean(problem['message'])}" for problem in errors[:3]]


def _stuck(answer: record.DecisionsRecord, screen: Screen) -> list[str]:
    total, in_error = answer["counts"]["open"], answer["counts"]["in_error"]
    if not total:
        return []
    lines = [f"  {in_error} more in error"] if in_error else []
    groups = [group for group in answer["waiting"] if group["nodes"]]
    for group in groups:
        lines += _group(group, screen, qualified=answer["qualified"])
    rest = total - sum(len(group["nodes"]) + group["more"] for group in groups)
    if rest > 0:
        lines.append(f"  {rest} {'waits' if rest == 1 else 'wait'}{' for these' if groups else ''}")
    if cut := answer["cut"]:
        task, needed = (write_name(name, qualified=answer["qualified"]) for name in (cut["task"], cut["dependency"]))
        freed = f"all {total}" if cut["frees"] == total else f"{cut['frees']} of {total}"
        lines.append(guard_line(f"  Dropping {task}'s dependency on {needed} frees {freed}."))
    return lines


def _group(group: record.WaitingRecord, screen: Screen, *, qualified: bool) -> list[str]:
    """Write why a group of tasks is blocked; a single task has a row with its title."""
    number = len(group["nodes"]) + group["more"]
    if number > 1:
        return wrap(f"{number} {clean(group['why'])}", screen, first="  ", rest="    ")
    name = write_name(group["nodes"][0], qualified=qualified)
    title = "".join(group["titles"][:1])  # none in a record that was cut by hand
    return lay_out([Row(name, clean(title), note=clean(group["why"]))], screen, indent="  ")


def _roots(answer: record.DecisionsRecord, screen: Screen) -> list[str]:
    rows = [
        Row(
            name_task(root["graph_id"], root["node_id"], qualified=answer["qualified"]),
            clean(root["title"]),
            note=_explain_root(root, qualified=answer["qualified"]),
            style=YELLOW if root["state"] == "held" else "",
        )
        for root in answer["roots"]
    ]
    return lay_out(rows, screen, indent="  ")


def _explain_root(root: record.RootRecord, *, qualified: bool) -> str:
    """Say why a task waits, and what follows once it no longer does."""
    state = {"running": "running", "held": f"held: {root['text']}"}.get(root["state"], root["text"])
    return clean(f"{state}; would free {_freed(root, qualified=qualified)}" if root["frees"] else state)


def _freed(root: record.RootRecord, *, qualified: bool) -> str:
    rest = root["frees"] - len(root["freed"])
    number, others = f"{root['frees']}{' in the end' if rest else ''}", f" and {rest} more" if rest else ""
    if root["frees"] > 1000:  # noqa: PLR2004 - counted exactly up to this number
        number, others = "1 000+ in the end", " and more"
    return f"{number}: {', '.join(write_name(name, qualified=qualified) for name in root['freed'])}{others}"


def deferral(answer: record.DecisionsRecord) -> list[str]:
    """Say until when a date or a recent dispatch holds tasks back, and how to use the clock instead."""
    gate = describe_time_gate(answer)
    by_the_clock = "; --now wall asks by the clock" if answer["basis"]["now_source"] in {"commit", "given"} else ""
    return [f"  {gate}{by_the_clock}"] if gate else []
