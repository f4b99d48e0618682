"""Renders the pull request comment: what merging breaks, finishes and frees, and what comes next then.

The marker is not part of it, and the footer is separate: a change to them alone does not update a comment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from git_sched.render import diff_sentences
from git_sched.render.markdown.blocks import (
    first_that_fits,
    fold,
    name_task,
    shorten_revision,
    table,
    warn,
    write_problem,
    write_why,
)
from git_sched.render.markdown.escape import count_utf16, escape_inline, escape_prose, format_code
from git_sched.render.redact import redact_diff
from git_sched.render.tasks import shorten_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.render.redact import Redaction

LIMIT: Final = 65_000
"""The largest number of UTF-16 units of a comment, marker and footer included; GitHub rejects more than 65,536."""

APART: Final = 1_000
"""UTF-16 units that are reserved for marker and footer."""

STEPS: Final = (50, 10, 3, 1)
"""Numbers of ranks, names and policy keys to write out in folded parts, tried in turn until the comment fits."""

NAMED: Final = 5
"""Number of tasks of one list, and of broken files, that are named; the others are counted."""

UNCHANGED: Final = "This pull request does not change what comes next"


def render(found: record.ComparisonRecord) -> str:
    """Render a comparison as the whole comment without its marker."""
    return f"{body(found)}\n{footer(found)}\n"


def body(found: record.ComparisonRecord) -> str:
    """Render the part of the comment whose change is a reason to update it."""
    shows = redact_diff(found)
    if not found["changed"]:
        return "\n".join([*_unread(found, shows), f"### {UNCHANGED}{_where(found)}\n"])
    return first_that_fits(lambda step: _build(found, shows, step), STEPS, size=count_utf16, limit=LIMIT - APART)


def footer(found: record.ComparisonRecord, *, run: str = "", fork: bool = False) -> str:
    """Say what was compared; ``run`` names the workflow run, ``fork`` is whether the change comes from a fork."""
    compared = found["basis"]
    what = "merge commit" if compared["head"] != compared["revision"] else "commit"
    of = f"{what} {shorten_revision(compared['revision'])}" if compared["revision"] else "the work tree"
    against = f" against {shorten_revision(compared['base'])}" if compared["base"] else ""
    origin = " It comes from a fork." if fork else ""
    note = f"A forecast for {of}{against}; nothing is given out from a pull request.{origin}"
    return f"<sub>{note}{f' {run}' if run else ''}</sub>"


def _build(found: record.ComparisonRecord, shows: Redaction, step: int) -> str:
    lines = [*_unread(found, shows), f"### {_heading(found)}{_where(found)}", ""]
    if found["missing"]:
        lines += [f"No comparison: {escape_prose(found['missing'])}", ""]
    lines += [*_broken(found, shows), *_new_errors(found, shows), *_lists(found, shows)]
    lines += [*_table(found, shows), *_why(found, shows), *_policy(found, shows, step)]
    lines += [*_order(found, shows, step), *_long_lists(found, step)]
    return "\n".join(lines)


def _unread(found: record.ComparisonRecord, shows: Redaction) -> list[str]:
    """Say first what of a side could not be read: what follows is only about the rest."""
    rows = [f"> {escape_prose(shows.words(line))}" for line in diff_sentences.describe_unread(found)]
    return ["> [!CAUTION]", *(f"{row}  " for row in rows[:-1]), rows[-1], ""] if rows else []


def _heading(found: record.ComparisonRecord) -> str:
    headline = diff_sentences.write_headline(found, format_code)
    return f"Merging this {headline}" if headline else "What comes next after the merge"


def _where(found: record.ComparisonRecord) -> str:
    """Name the workspace where it is not the top of the repository."""
    return f" in {format_code(found['basis']['workspace'])}" if found["basis"]["workspace"] else ""


def _broken(found: record.ComparisonRecord, shows: Redaction) -> list[str]:
    broken = found["changes"]["broken"] if found["changes"] else []
    if not broken:
        return []
    rows = [write_problem(row["problem"], shows) for row in broken[:NAMED]]
    more = len(broken) - len(rows)
    rows += [f"{more} more files"] if more else []
    return ["> [!CAUTION]", *(f"> {row}" if len(rows) == 1 else f"> - {row}" for row in rows), ""]


def _new_errors(found: record.ComparisonRecord, shows: Redaction) -> list[str]:
    if found["changes"] is None:
        return warn(found["problems"], found["after"]["errors"], shows)
    shown = [row["problem"] for row in found["changes"]["broken"]]
    new = [problem for problem in found["problems"][: max(0, found["new_errors"])] if problem not in shown]
    hidden = len({str(problem) for problem in shown})
    return warn(new, found["new_errors"] - hidden, shows, new=True)


def _lists(found: record.ComparisonRecord, shows: Redaction) -> list[str]:
    """Write a line for each list that is not empty; two spaces at the end keep the lines apart."""
    changes = found["changes"]
    if changes is None:
        return []
    lines = [_files(word, changes[key]) for word, key in _FILES if changes[key]]
    for key in diff_sentences.LISTS:
        if changes[key]["tasks"]:
            names = [_task(found, task, shows) for task in changes[key]["tasks"][:NAMED]]
            lines.append(_list(diff_sentences.LABELS[key], names, diff_sentences.count_tasks(changes[key])))
    return [*(f"{line}  " for line in lines[:-1]), lines[-1], ""] if lines else []


_FILES: Final[tuple[tuple[str, Literal["repaired", "deleted"]], ...]] = (
    ("Readable again", "repaired"),
    ("Deleted", "deleted"),
)


def _files(word: str, paths: Sequence[str]) -> str:
    return _list(word, [format_code(path) for path in paths[:NAMED]], len(paths))


def _list(word: str, names: list[str], total: int) -> str:
    more = f" and {total - len(names)} more" if total > len(names) else ""
    return f"**{word}:** {', '.join(names)}{more}"


def _task(found: record.ComparisonRecord, task: record.NamedTaskRecord, shows: Redaction) -> str:
    return name_task(shorten_name(task["name"], qualified=found["qualified"]), task["title"], shows)


def _table(found: record.ComparisonRecord, shows: Redaction) -> list[str]:
    """Write the table of the rows that differ, first what comes next."""
    before = found["before"]
    figures = diff_sentences.compare_figures(found)
    if before is None:
        rows = [["next", _leaders(found, found["after"], shows)], *([row.label, row.after] for row in figures)]
        return [*table(["", "after the merge"], rows), ""]
    rows = []
    if (anew := diff_sentences.is_led_anew(found)) or found["after_by_base_policy"]:
        after = _leaders(found, found["after"], shows, bold=anew)
        if own := found["after_by_base_policy"]:
            after += f" (by the old policy: {_leaders(found, own, shows)})"
        rows.append(["next", _leaders(found, before, shows), after])
    rows += [list(row) for row in figures]
    return [*table(["", "now", "after the merge"], rows), ""] if rows else []


def _leaders(found: record.ComparisonRecord, side: record.SideRecord, shows: Redaction, *, bold: bool = False) -> str:
    places = diff_sentences.find_leaders(side)[:NAMED]
    return ", ".join(_place(found, place, shows, bold=bold) for place in places) or escape_inline(
        diff_sentences.describe_nothing(side)
    )


def _place(found: record.ComparisonRecord, place: record.PlaceRecord, shows: Redaction, *, bold: bool = False) -> str:
    name = shorten_name(diff_sentences.name_place(place), qualified=found["qualified"])
    agent = f" for {format_code(place['agent_id'])}" if place["agent_id"] else ""
    return f"{name_task(name, place['title'], shows, bold=bold)}{agent}"


def _why(found: record.ComparisonRecord, shows: Redaction) -> list[str]:
    picks = [pick for pick in diff_sentences.find_reasons(found)[:NAMED] if pick["why_parts"]]
    lines = []
    for pick in picks:
        name = shorten_name(f"{pick['graph_id']}/{pick['node_id']}", qualified=found["qualified"])
        about = f" {format_code(name)}" if len(picks) > 1 else ""
        lines += [f"Why{about}: {write_why(pick['why_parts'], shows)}.", ""]
    return lines


def _policy(found: record.ComparisonRecord, shows: Redaction, step: int) -> Sequence[str]:
    changes = found["policy_changes"]
    if not changes:
        return []
    rows = [
        f"> - {format_code(change['key'])}: {_value(change['old'], shows)}, then {_value(change['new'], shows)}"
        for change in changes[:step]
    ]
    more = len(changes) - len(rows) + max(0, found["policy_changes_more"])
    rows += [f"> - {more} more"] if more else []
    return ["> [!WARNING]", "> This pull request changes the policy:", ">", *rows, ""]


def _value(value: str | None, shows: Redaction) -> str:
    return "not set" if value is None else format_code(shows.words(value))


def _order(found: record.ComparisonRecord, shows: Redaction, step: int) -> list[str]:
    """Write the ranking before and after, folded, where both sides have one and more than its first place differs."""
    before, after = found["before"], found["after"]
    sides = [side["order"] for side in (before, after) if side]
    names = [[diff_sentences.name_place(place) for place in order] for order in sides]
    if before is None or not all(names) or names[0] == names[1] or max(map(len, names)) == 1:
        return []
    length = min(step, max(map(len, names)))
    rows = [[str(n + 1), *(_ranked(found, order, n, shows) for order in sides)] for n in range(length)]
    more = max(map(len, names)) - length
    rows += [["", f"{more} more", ""]] if more else []
    return fold("The order before and after", table(["#", "now", "after the merge"], rows, right=("#",)))


def _ranked(found: record.ComparisonRecord, order: Sequence[record.PlaceRecord], number: int, shows: Redaction) -> str:
    if number >= len(order):
        return ""
    return f"{_place(found, order[number], shows)} {order[number]['score']:.3f}"


def _long_lists(found: record.ComparisonRecord, step: int) -> list[str]:
    """Write the ids of the lists that are only counted above, folded."""
    changes = found["changes"]
    rows = []
    for key in diff_sentences.LISTS:
        if changes and len(changes[key]["tasks"]) > NAMED:
            listed = changes[key]
            names = [shorten_name(task["name"], qualified=found["qualified"]) for task in listed["tasks"][:step]]
            more = diff_sentences.count_tasks(listed) - len(names)
            ids = [format_code(name) for name in names]
            rows.append([diff_sentences.LABELS[key], ", ".join([*ids, f"{more} more"] if more else ids)])
    return fold("All tasks by id", table(["", "tasks"], rows)) if rows else []
