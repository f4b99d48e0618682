"""Renders ``diff`` as text: what breaks, what the change does, what comes next before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.render import diff_sentences
from git_sched.render.layout import TITLE, align_columns, clean
from git_sched.render.tasks import name_task, shorten_name

if TYPE_CHECKING:
    from git_sched import record

SHOWN: Final = 8
"""Number of names of a list, or keys of the policy, that are printed."""


def render(found: record.ComparisonRecord) -> str:
    """Render a comparison."""
    unread = [clean(line) for line in diff_sentences.describe_unread(found)]
    blocks = [unread, _headline(found), *_lists(found), _next(found), _figures(found), _policy(found)]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def ids(found: record.ComparisonRecord) -> str:
    """Render what comes next after the change, one id a line."""
    names = (name_task(p["graph_id"], p["node_id"], qualified=found["qualified"]) for p in found["after"]["order"])
    return "".join(f"{name}\n" for name in names)


def _headline(found: record.ComparisonRecord) -> list[str]:
    changes = found["changes"]
    if changes is None:
        return [f"no comparison: {clean(found['missing'])}"]
    lines = [f"this {diff_sentences.write_headline(found, clean)}"]
    for row in changes["broken"]:
        lines += _problem(row["problem"])
    lines += [f"  {clean(path)} could not be read before" for path in changes["repaired"][:SHOWN]]
    lines += [f"  {clean(path)} is deleted" for path in changes["deleted"][:SHOWN]]
    shown = [row["problem"] for row in changes["broken"]]
    new = [p for p in found["problems"][: found["new_errors"]] if p not in shown]
    return [*lines, *(line for problem in new[:SHOWN] for line in _problem(problem))]


def _problem(problem: record.ProblemRecord) -> list[str]:
    line = f":{problem['line']}" if problem["line"] else ""
    place = f"{clean(problem['path'])}{line}: " if problem["path"] else ""
    hint = clean(problem["hint"])
    return [f"  {place}{clean(problem['message'])}", *([f"      {hint}"] if hint else [])]


def _lists(found: record.ComparisonRecord) -> list[list[str]]:
    changes = found["changes"]
    blocks = []
    for key in diff_sentences.LISTS:
        listed = changes[key] if changes else {"tasks": [], "more": 0}
        if not listed["tasks"]:
            continue
        rows = [["", shorten_name(clean(task["name"], limit=420), qualified=found["qualified"]), _title(task["title"])]
                for task in listed["tasks"][:SHOWN]]  # fmt: skip
        more = diff_sentences.count_tasks(listed) - len(rows)
        blocks.append([diff_sentences.LABELS[key], *align_columns(rows), *([f"  and {more} more"] if more else [])])
    return blocks


def _title(title: str) -> str:
    return clean(title, limit=TITLE)


def _next(found: record.ComparisonRecord) -> list[str]:
    before, after, own = found["before"], found["after"], found["after_by_base_policy"]
    if before is None or not (diff_sentences.is_led_anew(found) or own):
        return ["Next", *align_columns(_places(found, after, ""))]
    rows = [*_places(found, before, "before"), *_places(found, after, "after")]
    rows += _places(found, own, "after, by the old policy") if own else []
    picks = diff_sentences.find_reasons(found)
    reasons = [f"  Why{f' {_id(found, p)}' if len(picks) > 1 else ''}: {clean(p['why'])}." for p in picks if p["why"]]
    return ["Next", *align_columns(rows), *reasons]


def _id(found: record.ComparisonRecord, row: record.PickRecord | record.PlaceRecord) -> str:
    return name_task(clean(row["graph_id"]), clean(row["node_id"]), qualified=found["qualified"])


def _places(found: record.ComparisonRecord, side: record.SideRecord, label: str) -> list[list[str]]:
    """Write a row for each task that comes next on a side, or one that says why there is none."""
    head = f"  {label}" if label else ""
    rows: list[list[str]] = []
    for place in diff_sentences.find_leaders(side):
        agent = f"for {clean(place['agent_id'])}" if place["agent_id"] else ""
        rows.append(["" if rows else head, _id(found, place), _title(place["title"]), agent])
    return rows or [[head, "", diff_sentences.describe_nothing(side)]]


def _figures(found: record.ComparisonRecord) -> list[str]:
    rows = diff_sentences.compare_figures(found)
    if found["before"] is None:
        return align_columns([[row.label, row.after] for row in rows])
    return align_columns([["", "before", "after"], *rows]) if rows else []


def _policy(found: record.ComparisonRecord) -> list[str]:
    changes = found["policy_changes"]
    rows = [[f"  {clean(c['key'])}", f"{_value(c['old'])} -> {_value(c['new'])}"] for c in changes[:SHOWN]]
    more = len(changes[SHOWN:]) + found["policy_changes_more"]
    return ["Policy", *align_columns(rows), *([f"  and {more} more"] if more else [])] if changes else []


def _value(value: str | None) -> str:
    return "not set" if value is None else clean(value)
