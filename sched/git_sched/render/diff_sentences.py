"""The sentences of a comparison, shared by text, Markdown and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from git_sched.model.phrases import count, join_words
from git_sched.render.counts import count_free
from git_sched.render.tasks import format_total

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from git_sched import record

ListName = Literal[
    "finished", "freed", "reopened", "added", "removed", "cancelled", "newly_blocked", "begun", "returned"
]

LISTS: Final[tuple[ListName, ...]] = get_args(ListName)
"""The lists of tasks in the order in which they are printed."""

LABELS: Final[dict[ListName, str]] = {
    "finished": "Finished",
    "freed": "Freed",
    "reopened": "Reopened",
    "added": "Added",
    "removed": "Removed",
    "cancelled": "Cancelled",
    "newly_blocked": "Newly blocked",
    "begun": "Started",
    "returned": "Put back",
}

_VERBS: Final[dict[ListName, tuple[str, str]]] = {
    "finished": ("finishes", "finished"),
    "freed": ("frees", "freed"),
    "reopened": ("reopens", "reopened"),
    "added": ("adds", "added"),
    "removed": ("removes", "removed"),
    "cancelled": ("cancels", "cancelled"),
    "newly_blocked": ("blocks", "blocked"),
    "begun": ("starts", "started"),
    "returned": ("puts back", "put back"),
}
"""Each list's verb: what a change does, and what it did."""


class ComparedRow(NamedTuple):
    """A row of the table: what is compared, before and after."""

    label: str
    before: str
    after: str


def write_headline(found: record.ComparisonRecord, show: Callable[[str], str]) -> str:
    """Say what the change does, as a sentence without its subject; ``show`` writes the name of a file.

    Where something breaks, only that is in the sentence. Without a base the text is empty.
    """
    changes = found["changes"]
    if changes is None:
        return ""
    if changes["broken"]:
        return f"breaks {describe_broken(changes['broken'], show)}"
    parts = [f"brings {count(found['new_errors'], 'new error')}"] if found["new_errors"] else []
    if changes["deleted"]:
        parts.append(f"deletes {name_files(changes['deleted'], show)}")
    parts += write_counts(changes, past=False)
    if found["fixed_errors"]:
        parts.append(f"fixes {count(found['fixed_errors'], 'error')}")
    if parts:
        return join_words(parts)
    if is_led_anew(found):
        return "changes what comes next"
    return "changes the policy" if found["policy_changes"] else "does not change what comes next"


def describe_unread(found: record.ComparisonRecord) -> list[str]:
    """Say for each side what of it could not be read, if it is not among what breaks: nothing is known of its tasks."""
    basis, before, changes = found["basis"], found["before"], found["changes"]
    after = basis["revision"][:7] or "the work tree"
    sides = [(basis["requested"], before["unread"] if before else []), (after, found["after"]["unread"])]
    broken = [row["problem"] for row in changes["broken"]] if changes else []
    lines = []
    for name, unread in sides:
        rows = [row for row in unread if row not in broken]
        more = f" (and {len(rows) - 1} more)" if rows[1:] else ""
        lines += [f"{name} cannot be read completely: {rows[0]['message']}{more}"] if rows else []
    return lines


def describe_broken(broken: Sequence[record.BrokenFileRecord], show: Callable[[str], str]) -> str:
    """Name the files that break and what cannot be read then: ``checkout.yml: 6 tasks cannot be read``."""
    tasks = sum(row["tasks"] for row in broken)
    lost = [f"{count(tasks, 'task')} cannot be read"] if tasks else []
    if any(not row["tasks"] for row in broken):
        lost.append("nothing can be decided")
    return f"{name_files([row['path'] for row in broken], show)}: {' and '.join(lost)}"


def name_files(paths: Sequence[str], show: Callable[[str], str]) -> str:
    """Name a file without its folder, or count several."""
    return show(paths[0].rpartition("/")[2]) if len(paths) == 1 else count(len(paths), "file")


def write_counts(changes: record.ChangesRecord, *, past: bool, only: Sequence[ListName] = LISTS) -> list[str]:
    """Write how many tasks are in each list: ``finishes 1 task``, ``frees 2``."""
    parts: list[str] = []
    for key in only:
        if number := count_tasks(changes[key]):
            parts.append(f"{_VERBS[key][past]} {number if parts else count(number, 'task')}")
    return parts


def count_tasks(listed: record.NamesRecord) -> int:
    """Count the tasks of a list, including those that it does not name."""
    return len(listed["tasks"]) + max(0, listed["more"])


def find_leaders(side: record.SideRecord | None) -> list[record.PlaceRecord]:
    """Return what comes next on one side: the first task, or with named agents one for each."""
    order = side["order"] if side else []
    named = [place for place in order if place["agent_id"]]
    return named or order[:1]


def find_reasons(found: record.ComparisonRecord) -> list[record.PickRecord]:
    """Return the picks after the change whose reason is shown: where something else comes next, all first ones."""
    if not is_led_anew(found):
        return []
    return found["after"]["decisions"][: len(find_leaders(found["after"]))]


def name_place(place: record.PlaceRecord) -> str:
    """Return the full name of a task in the order."""
    return f"{place['graph_id']}/{place['node_id']}"


def is_led_anew(found: record.ComparisonRecord) -> bool:
    """Whether something else comes next after the change."""
    before, after = (find_leaders(side) for side in (found["before"], found["after"]))
    return [(name_place(p), p["agent_id"]) for p in before] != [(name_place(p), p["agent_id"]) for p in after]


def compare_figures(found: record.ComparisonRecord) -> list[ComparedRow]:
    """Return the rows of figures that differ, those about tasks only where all files can be read on both sides.

    Without a base there are only the figures after the change.
    """
    before, after, changes = found["before"], found["after"], found["changes"]
    rows = _list_figures(after)
    if before is None or changes is None:
        return [ComparedRow(label, "", value) for label, value in rows]
    pairs = list(zip(_list_figures(before), rows, strict=True))
    comparable = pairs[-1:] if changes["broken"] or changes["repaired"] else pairs
    return [ComparedRow(label, old, new) for (label, old), (_, new) in comparable if old != new]


def _list_figures(side: record.SideRecord) -> list[tuple[str, str]]:
    counts = side["counts"]
    return [
        ("ready / blocked", f"{count_free(counts)} / {counts['blocked']}"),
        ("longest path", format_total(side["longest_path"])),
        ("work left", format_total(side["work_left"])),
        ("problems", describe_problems(side) or "none"),
    ]


def describe_problems(side: record.SideRecord) -> str:
    """Write ``1 error, 2 warnings``; empty where there are none."""
    numbers = ((side["errors"], "error"), (side["warnings"], "warning"))
    return ", ".join(count(number, noun) for number, noun in numbers if number)


def describe_nothing(side: record.SideRecord) -> str:
    """Say why a side has nothing that comes next."""
    if side["outcome"] == "empty" and side["errors"]:
        return "nothing: no tasks could be read"
    return _NOTHING.get(side["outcome"], "nothing")


_NOTHING: Final = {
    "refused": "nothing: the policy cannot be trusted",
    "empty": "nothing: there are no tasks",
    "all-done": "nothing: all tasks are done",
    "stuck": "nothing: no open task can ever become ready",
    "nothing-ready": "nothing: no task is ready",
}
