"""The compact record of ``diff``: what a change breaks, finishes, frees and blocks, and what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.mcp_server.compact.fit import Part, build, row
from git_sched.mcp_server.compact.rows import brief, counts, problems, total
from git_sched.render.diff_sentences import LISTS, describe_unread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.mcp_server.compact.fit import Row

MOST: Final = 5
"""Number of rows of a list that are shown."""


def compact_comparison(found: record.ComparisonRecord) -> Row:
    """Return the compact record of ``diff``."""
    basis, before, other = found["basis"], found["before"], found["after_by_base_policy"]
    head = {
        "base": basis["base"],
        "requested": basis["requested"],
        "revision": basis["revision"],
        "missing": found["missing"],
        "unread": describe_unread(found) or None,
        "now": basis["now"],
        "changed": found["changed"] or None,
        "before": _side(before) if before else None,
        "after": _side(found["after"]),
        **{key: found[key] or None for key in ("new_errors", "new_warnings", "fixed_errors", "fixed_warnings")},
    }
    changes = found["policy_changes"]
    new = found["problems"][: found["new_errors"] + found["new_warnings"]]
    parts = (
        *_broken(found["changes"]),
        problems(new),
        Part("next_before", _picks(before["decisions"] if before else ()), MOST),
        Part("next_after", _picks(found["after"]["decisions"]), MOST),
        Part("next_after_by_old_policy", _picks(other["decisions"] if other else ()), MOST),
        *_lists(found["changes"]),
        Part("policy_changes", [row(**one) for one in changes], MOST, len(changes) + found["policy_changes_more"]),
        Part(
            "changed_files",
            found["changed_files"],
            MOST,
            len(found["changed_files"]) + found["changed_files_more"],
        ),
    )
    return build("comparison", head, parts)


def _side(found: record.SideRecord) -> Row:
    sums = {"work_left": total(found["work_left"]), "longest_path": total(found["longest_path"])}
    errors = counts({"errors": found["errors"], "warnings": found["warnings"]})
    return {"outcome": found["outcome"], "counts": counts(found["counts"]), **sums, **errors}


def _picks(decisions: Sequence[record.PickRecord]) -> list[Row]:
    return [brief(one, agent=one["agent_id"], why=one["why"]) for one in decisions]


def _broken(changes: record.ChangesRecord | None) -> list[Part]:
    if changes is None:
        return []
    broken = [row(path=one["path"], tasks=one["tasks"], message=one["problem"]["message"]) for one in changes["broken"]]
    return [
        Part("broken_files", broken, MOST),
        Part("repaired_files", changes["repaired"], MOST),
        Part("deleted_files", changes["deleted"], MOST),
    ]


def _lists(changes: record.ChangesRecord | None) -> list[Part]:
    if changes is None:
        return []
    listed = ((key, changes[key]) for key in LISTS)
    return [
        Part(key, [row(id=one["name"], title=one["title"]) for one in names["tasks"]], MOST,
             len(names["tasks"]) + names["more"])
        for key, names in listed
    ]  # fmt: skip
