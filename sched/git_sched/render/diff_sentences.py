"""What a comparison says, in the words that its text and its comment share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.model.phrases import count, format_amount
from git_sched.render.layout import measure_lead, round_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched import record


VERBS: Final = {
    "finished": "finishes",
    "added": "adds",
    "removed": "removes",
    "cancelled": "cancels",
    "reopened": "reopens",
    "begun": "begins",
    "returned": "puts back",
    "freed": "frees",
    "newly_blocked": "blocks",
}
"""The lists of changes, with the verb of the headline, in the order in which they are said."""

ALWAYS: Final = ("finished", "freed", "newly_blocked")
"""Lists that are printed also where they are empty."""

_RANKS: Final = ("next", "then", "and")


class ComparedRow(NamedTuple):
    """A row of the table: what is compared, before and after."""

    label: str
    before: str
    after: str


def headline(found: record.ComparisonRecord) -> str:
    """Say what the change does, as a sentence without its subject."""
    changes = found["changes"]
    if changes is None:
        return ""
    numbers = {key: _number(changes, key) for key in VERBS}
    said = [(verb, numbers[key]) for key, verb in VERBS.items() if numbers[key]]
    if said:
        parts = [f"{verb} {count(n, 'task') if i == 0 else n}" for i, (verb, n) in enumerate(said)]
        return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return "changes what comes next" if is_reordered(found) else "does not change what comes next"


def is_reordered(found: record.ComparisonRecord) -> bool:
    """Whether the picks differ."""
    before = found["before"]
    return before is not None and names(before) != names(found["after"])


def names(side: record.SideRecord) -> list[str]:
    """Give the full names of what comes next, then, and so on."""
    return [f"{place['graph_id']}/{place['node_id']}" for place in side["order"]]


def _number(changes: record.ChangesRecord, key: str) -> int:
    listed = lists(changes)[key]
    return len(listed["names"]) + max(0, listed["more"])


def lists(changes: record.ChangesRecord) -> dict[str, record.NamesRecord]:
    """Give the lists by their keys."""
    return {
        "added": changes["added"],
        "removed": changes["removed"],
        "finished": changes["finished"],
        "cancelled": changes["cancelled"],
        "reopened": changes["reopened"],
        "begun": changes["begun"],
        "returned": changes["returned"],
        "freed": changes["freed"],
        "newly_blocked": changes["newly_blocked"],
    }


def table(found: record.ComparisonRecord, show: Callable[[str], str], *, limit: int) -> list[ComparedRow]:
    """Give the rows: the picks, then the figures; ``limit`` bounds the picks."""
    before, after, own = found["before"], found["after"], found["after_by_base_policy"]
    length = min(limit, max(len(before["order"]) if before else 0, len(after["order"]), 1))
    rows = [
        ComparedRow(_RANKS[min(n, len(_RANKS) - 1)], _pick(before, n, show), _pick(after, n, show))
        for n in range(length)
    ]
    if own:
        rows.append(ComparedRow("next with the old policy", _pick(before, 0, show), _pick(own, 0, show)))
    if not before:
        return [*rows, *(ComparedRow(label, "", value) for label, value in _figures(after, show))]
    pairs = zip(_figures(before, None), _figures(after, show), strict=True)
    rows += [ComparedRow(label, old, new) for (label, old), (_, new) in pairs]
    return [*rows, ComparedRow("problems", problems(before), _problems_after(found))]


def _pick(side: record.SideRecord | None, n: int, show: Callable[[str], str]) -> str:
    if side is None:
        return ""
    if n >= len(side["order"]):
        return side["outcome"] if n == 0 else ""
    pick = side["order"][n]
    who = f" for {show(pick['agent_id'])}" if pick["agent_id"] else ""
    return f"{show(names(side)[n])} {pick['score']:.3f}{who}"


def _figures(side: record.SideRecord, show: Callable[[str], str] | None) -> list[tuple[str, str]]:
    counts = side["counts"]
    about = "about " if side["longest_path_filled"] else ""
    path = f"{about}{format_amount(side['longest_path_minutes'])} min"
    if show is not None and side["longest_path"]:
        path += f", through {show(side['longest_path'][0])}"
    left = "about " if side["work_left_filled"] else ""
    return [
        ("open / ready / blocked", f"{counts['open']} / {counts['ready']} / {counts['blocked']}"),
        ("longest path", path),
        ("work left", f"{left}{format_amount(side['work_left_minutes'])} min"),
    ]


def problems(side: record.SideRecord) -> str:
    """Write ``1 error, 2 warnings``, or ``none``."""
    errors, warnings = side["errors"], side["warnings"]
    parts = [count(errors, "error")] if errors else []
    return ", ".join([*parts, count(warnings, "warning")] if warnings else parts) or "none"


def _problems_after(found: record.ComparisonRecord) -> str:
    new, mended = found["new_problems"], found["mended_problems"]
    if not new and not mended:
        return "the same"
    parts = [f"{number} {word}" for number, word in ((new, "new"), (mended, "mended")) if number]
    return f"{problems(found['after'])} ({', '.join(parts)})"


def lead(found: record.ComparisonRecord, show: Callable[[str], str], why: Callable[[str], str]) -> str:
    """Say why the first pick would lead, where it was not the first before."""
    before, after = found["before"], found["after"]
    first = next(iter(after["decisions"]), None)
    if first is None or (before is not None and names(before)[:1] == names(after)[:1]):
        return ""
    second, name = first["runner_up"], show(f"{first['graph_id']}/{first['node_id']}")
    if second is None:
        return f"{name} would be the only one."
    other = show(f"{second['graph_id']}/{second['node_id']}")
    if second["decided_by"] != "score":
        by = {"tokens": "it needs fewer tokens", "priority": "its own priority is higher", "id": "its id comes first"}
        return f"{name} would be level with {other}: {by[second['decided_by']]}."
    apart, margins = measure_lead(first["score"], second), second["margins"]
    if apart < 0:
        return f"{name} would come first by look-ahead, {-apart:.3f} behind {other}."
    points = round_rows([m["points"] for m in margins], apart)
    reasons = {factor["factor"]: factor["why"] for factor in first["factors"]}
    said = []
    for n, (margin, value) in enumerate(zip(margins, points, strict=True)):
        if value:
            reason = reasons.get(margin["factor"], "") if n == 0 and value > 0 else ""
            said.append(f"{why(margin['factor'])} {value:+.3f}{f' ({why(reason)})' if reason else ''}")
    return f"{name} would lead by {apart:.3f}{': ' if said else ''}{', '.join(said)}."
