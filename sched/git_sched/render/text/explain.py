"""Renders ``explain`` as text: why a task is or is not next, and what would change that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import count, format_duration, format_ordinal, join_words
from git_sched.render.layout import align_columns, build_score_table, clean, format_points
from git_sched.render.tasks import name_task
from git_sched.render.terminal import DIM, PIPE, RED, YELLOW, paint, wrap
from git_sched.render.text.next import find_pressure, for_whom, head, place
from git_sched.render.text.table import Row, lay_out, write_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.model.screen import Screen

LISTED: Final = 8
"""Number of tasks of a list that are named."""

PATHS: Final = 3
"""Number of patterns of files that are named."""

COUNTED: Final = 1_000
"""The largest number of waiting tasks that is counted exactly."""


def render(found: record.ExplanationRecord, screen: Screen = PIPE) -> str:
    """Render the record of ``explain``."""
    name = name_task(found["graph_id"], found["node_id"], qualified=found["qualified"])
    state, style = _state(found), YELLOW if found["state"] == "held" else RED if found["state"] == "in_error" else ""
    lines = [
        *head(name, found["title"], screen),
        *(paint(line, style, screen) for line in wrap(state, screen, first="  ", rest="    ")),
        *(paint(line, DIM, screen) for line in place(found, screen, note=_who_has_it(found))),
        *(paint(line, DIM, screen) for line in for_whom(found["for_agents"], indent="  ")),
    ]
    match found["state"]:
        case "ready" | "skipped":
            lines += _numbers(found, screen)
        case "held" if found["held"] is not None:
            lines += _held(found, found["held"], screen)
        case "running" | "completed" | "cancelled" | "in_error":
            pass
        case _:
            lines += _blocked(found, screen)
    lines += _frees(found, screen)
    for problem in found["problems"]:
        where = ":".join(str(part) for part in (problem["path"], problem["line"]) if part)
        text = f"{problem['severity']}: {clean(problem['message'])} ({clean(where)})"
        painted = RED if problem["severity"] == "error" else ""
        lines += (paint(line, painted, screen) for line in wrap(text, screen, first="  ", rest="    "))
    return "\n".join(lines).rstrip("\n") + "\n"


def _state(found: record.ExplanationRecord) -> str:
    """Write the state of a task, with its score and rank if it has any."""
    scored = "" if found["score"] is None else format_points(found["score"])
    match found["state"]:
        case "ready" if not scored:
            return "ready; the policy cannot be trusted, so nothing is ranked by it"
        case "ready":
            rank, of = max(1, found["rank"] or 1), found["of"]
            where = f"{format_ordinal(rank)} of {of}" if of > 1 else "the only one"
            return f"ready, {where}: {scored}{_behind(found)}"
        case "held" if found["held"] is not None:
            return f"held (it would score {format_points(found['held']['score'])})"
        case "skipped":
            return (
                f"ready, but skipped (it would score {scored or 'nothing'}): {clean(find_pressure(found['factors']))}"
            )
        case "running" | "completed" | "cancelled":
            return found["state"]
        case "in_error":
            return "in error: it cannot be used until its file is fixed"
        case _:
            return f"blocked{_first_reason(found['also'])}"


def _behind(found: record.ExplanationRecord) -> str:
    if not found["behind"]:
        return ""
    name = write_name(found["behind"], qualified=found["qualified"])
    return f", behind {name} ({format_points(found['behind_score'] or 0.0)})"


def _who_has_it(found: record.ExplanationRecord) -> str:
    """Say who has the repository of a ready task checked out, in the words of the factor; empty if no factor does."""
    if found["state"] != "ready":
        return ""
    rows = [row for row in found["factors"] if row["factor"] == "affinity" and "affinity" not in found["idle_factors"]]
    why = rows[0]["why"] if rows else ""
    return clean(why).replace(clean(found["repository"] or ""), "it") if found["repository"] else ""


def _numbers(found: record.ExplanationRecord, screen: Screen) -> list[str]:
    """Write the rows of the score that are not idle, and what would bring the task first."""
    if found["score"] is None:
        return []
    rows = [row for row in found["factors"] if row["factor"] not in found["idle_factors"]]
    lines = ["", *build_score_table(rows, found["score"], screen=screen, indent="  "), ""]
    if screen.verbose and found["scales"]:
        lines += [*_scales(found, screen), ""]
    if change := found["would_come_first_if"]:
        repository = clean(change["repository"])
        what = {
            "checked_out": f"{_name_agents(found)} had {repository} checked out",
            "in_agent_pool": f"a worktree of {repository} belonged to an agent in agent_pool",
            "merge_queue_empty": f"no merges were queued in {repository}",
        }[change["change"]]
        text = f"It would come first if {what} (+{format_points(change['points'])})."
        lines += wrap(text, screen, first="  ", rest="    ")
    return lines


def _name_agents(found: record.ExplanationRecord) -> str:
    """Name who could get the task."""
    return " or ".join(map(clean, found["for_agents"])) or clean(found["assigned_to"] or "somebody")


def _scales(found: record.ExplanationRecord, screen: Screen) -> list[str]:
    """Write the largest values that ratings are divided by."""
    rows = [
        [scale["factor"], clean(scale["text"]), write_name(scale["node"], qualified=found["qualified"])
         if scale["node"] else ""]
        for scale in found["scales"] if scale["factor"] not in found["idle_factors"]
    ]  # fmt: skip
    table = align_columns(rows)
    return ["  measured against", *(line for row in table for line in wrap(row, screen, first="    ", rest="      "))]


def _frees(found: record.ExplanationRecord, screen: Screen) -> list[str]:
    """Write how many tasks wait for this one, and which of them directly."""
    direct, later = found["frees"], found["frees_later"]
    if not direct and not later:
        return []
    many = len(direct) + later > COUNTED
    total = "1 000+" if many else str(len(direct) + later)
    wait = "1 task waits" if total == "1" else f"{total} tasks wait"
    names = ", ".join(write_name(name, qualified=found["qualified"]) for name in direct[:LISTED])
    more = f" and {len(direct) - LISTED} more" if len(direct) > LISTED else ""
    tail = ", the others later" if later and many else f", {later} later" if later else ""
    if not direct:
        text = f"{wait} for it, and for other tasks too."
    elif total == "1":
        text = f"1 task waits for it: {names}."
    else:
        text = f"{wait} for it: {len(direct)} directly ({names}{more}){tail}."
    return wrap(text, screen, first="  ", rest="    ")


def _held(found: record.ExplanationRecord, held: record.HeldRecord, screen: Screen) -> list[str]:
    """Write why a task is held, and what would end that."""
    qualified = found["qualified"]
    texts = [_why_held(found, held)]
    if names := [write_name(name, qualified=qualified) for name in found["free_again_when"]]:
        texts.append(
            f"It is free again when {join_words(names)} {'is' if len(names) == 1 else 'are'} no longer running."
        )
    if held["gate"] == "assigned_to" and held["by"]:
        texts.append(f"Ask with --agent {clean(held['by'][0])}, or without --agent.")
    if held["gate"] == "redispatch" and held["until"]:
        texts.append(f"It is free again at {clean(held['until'])}.")
    return [line for text in texts for line in wrap(text, screen, first="  ", rest="    ")]


def _why_held(found: record.ExplanationRecord, held: record.HeldRecord) -> str:
    """Say why a task is held; for a collision, which files it changes, and the state of the other task."""
    paths, others = found["paths"], found["collides_with"]
    if not paths or not others:
        return clean(held["why"])
    more = f" and {len(paths) - PATHS} more" if len(paths) > PATHS else ""
    own = ", ".join(clean(path) for path in paths[:PATHS]) + more
    names = [write_name(other["name"], qualified=found["qualified"]) for other in others]
    states = [clean(other["text"]) for other in others]
    if len(set(states)) == 1:
        same = f"{join_words(names)}, which {'is' if len(names) == 1 else 'are'} {states[0]}"
    else:
        same = join_words([f"{name} ({state})" for name, state in zip(names, states, strict=True)])
    at = f": {clean(held['at_path'])}" if held["at_path"] else ""
    return f"it touches {own}, and so {'does' if len(names) == 1 else 'do'} {same}{at}"


def _blocked(found: record.ExplanationRecord, screen: Screen) -> list[str]:
    """List what a task waits for, each with its state, and how much work there is before it."""
    steps, to_go = found["waits_for"], found["to_go"]
    rows = [
        Row(write_name(step["name"], qualified=found["qualified"]), clean(step["title"]), note=clean(step["text"]))
        for step in steps[:LISTED]
    ]
    lines = ["", *lay_out(rows, screen, indent="  ")] if rows else []
    if len(steps) > LISTED:
        lines.append(f"  and {len(steps) - LISTED} more")
    for reason in found["also"][1:]:
        if reason["kind"] not in {"waits_for", "container"}:
            lines += wrap(f"also: it {clean(reason['text'])}", screen, first="  ", rest="    ")
    if found["minutes_with_one"] is not None and found["minutes_with_two"] is not None:
        two, one = format_duration(found["minutes_with_two"]), format_duration(found["minutes_with_one"])
        partly = "" if to_go["estimated"] == to_go["tasks"] else f" ({to_go['estimated']} of them estimated)"
        text = f"{count(to_go['tasks'], 'task')} to go{partly}: {two} with two agents, {one} with one"
        lines += wrap(text, screen, first="  ", rest="    ")
    return lines


def _first_reason(reasons: Sequence[record.ReasonRecord]) -> str:
    """Return the reason that is shown first; a stored record might have none."""
    if not reasons:
        return ""
    waits = f"waits for {count(len(reasons[0]['nodes']), 'task')}"
    return f": it {waits if reasons[0]['kind'] == 'waits_for' else clean(reasons[0]['text'])}"
