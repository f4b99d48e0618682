"""``git sched diff`` as text: what the change does, the answer before and after, and the nodes behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.render import diff_sentences
from git_sched.render.layout import align_columns, clean

if TYPE_CHECKING:
    from git_sched import record

SHOWN = 8
"""How many names of a list, or keys of the policy, are printed."""


def render(found: record.ComparisonRecord) -> str:
    """Render a comparison."""
    lines = []
    if found["missing"]:
        lines += [f"no comparison: {clean(found['missing'])}", ""]
    if said := diff_sentences.headline(found):
        lines += [f"this {said}", ""]
    lines += [*_table(found), *_changes(found)]
    if lead := diff_sentences.lead(found, _show, clean):
        lines += ["", lead]
    return "\n".join([*lines, *_policy(found)]) + "\n"


def ids(found: record.ComparisonRecord) -> str:
    """Render the picks after the change, one a line."""
    return "".join(f"{name}\n" for name in diff_sentences.names(found["after"]))


def _show(name: str) -> str:
    return clean(name, limit=420)


def _table(found: record.ComparisonRecord) -> list[str]:
    rows = diff_sentences.table(found, _show, limit=found["limit"])
    if found["before"] is None:
        return align_columns([[row.label, row.after] for row in rows])
    return align_columns([["", "before", "after"], *rows])


def _changes(found: record.ComparisonRecord) -> list[str]:
    if found["changes"] is None:
        return []
    listed = diff_sentences.lists(found["changes"])
    rows = []
    for key in diff_sentences.VERBS:
        names = listed[key]["names"]
        if names or key in diff_sentences.ALWAYS:
            more = len(names[SHOWN:]) + listed[key]["more"]
            shown = [_show(name) for name in names[:SHOWN]] + ([f"{more} more"] if more else [])
            rows.append([key.replace("_", " "), ", ".join(shown) or "none"])
    return ["", *align_columns(rows)]


def _policy(found: record.ComparisonRecord) -> list[str]:
    if found["before"] is not None and found["after"]["outcome"] == "refused":
        return ["", "the policy cannot be trusted after this change, so nothing is decided by it"]
    changes = found["policy_changes"]
    if not changes:
        return []
    rows = [[f"  {clean(c['key'])}", f"{_value(c['old'])} -> {_value(c['new'])}"] for c in changes[:SHOWN]]
    more = len(changes[SHOWN:]) + found["policy_changes_more"]
    return ["", "policy", *align_columns(rows), *([f"  {more} more"] if more else [])]


def _value(value: str | None) -> str:
    return "not set" if value is None else clean(value)
