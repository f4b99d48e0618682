"""The comment under a pull request: what merging it changes, then the answer before and after, in GitHub's Markdown.

The marker is not part of it, and the footer stands apart: neither says whether a comment has to be written anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.render import diff_sentences
from git_sched.render.markdown.blocks import first_that_fits, revision, table, warnings
from git_sched.render.markdown.escape import count_utf16, escape_prose, format_code
from git_sched.render.redact import redact_diff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.render.redact import Redaction

LIMIT: Final = 65_000
"""UTF-16 units a comment may have, marker and footer included; GitHub refuses more than 65,536."""

APART: Final = 1_000
"""Units left for marker and footer."""

STEPS: Final = (50, 10, 3, 1)
"""Picks, names and policy keys that are written out, tried in turn."""

UNCHANGED: Final = "### This pull request does not change what comes next"


def render(found: record.ComparisonRecord) -> str:
    """Render a comparison as the whole comment but for the marker."""
    return f"{body(found)}\n{footer(found)}\n"


def body(found: record.ComparisonRecord) -> str:
    """Give the part of the comment whose change makes it worth writing anew."""
    if not found["changed"]:
        return f"{UNCHANGED}\n"
    shows = redact_diff(found)
    return first_that_fits(lambda step: _build(found, shows, step), STEPS, size=count_utf16, limit=LIMIT - APART)


def footer(found: record.ComparisonRecord, *, run: str = "", fork: bool = False) -> str:
    """Say what was compared; ``run`` names the run in words of the caller's, ``fork`` says where it comes from."""
    compared = found["basis"]
    what = "merge commit" if compared["head"] != compared["revision"] else "commit"
    against = f" against {revision(compared['base'])}" if compared["base"] else ""
    said = f"A forecast for {what} {revision(compared['revision'])}{against}"
    if compared["workspace"]:
        said += f", in {format_code(compared['workspace'])}"
    said += "; nothing is dispatched from a pull request."
    if fork:
        said += " It comes from a fork."
    return f"<sub>{said}{f' {run}' if run else ''}</sub>"


def _build(found: record.ComparisonRecord, shows: Redaction, step: int) -> str:
    lines = [_heading(found), ""]
    if found["missing"]:
        lines += [f"No comparison: {escape_prose(found['missing'])}", ""]
    lines += [*_table(found, step), "", *_changes(found, step), *_lead(found, shows)]
    lines += [*_new_problems(found, shows), *_policy(found, shows, step)]
    return "\n".join(lines)


def _heading(found: record.ComparisonRecord) -> str:
    said = diff_sentences.headline(found)
    return f"### Merging this {said}" if said else "### What comes next after the merge"


def _table(found: record.ComparisonRecord, step: int) -> list[str]:
    rows = diff_sentences.table(found, format_code, limit=step)
    first = rows[0]
    if first.before and first.before != first.after:
        rows[0] = first._replace(after=f"**{first.after}**")
    if found["before"] is None:
        return table(["", "after the merge"], [[row.label, row.after] for row in rows])
    lines = table(["", "now", "after the merge"], rows)
    longest = max(len(side["order"]) for side in (found["before"], found["after"]))
    return [*lines, "", f"{longest - step} more picks are left out."] if longest > step else lines


def _changes(found: record.ComparisonRecord, step: int) -> list[str]:
    if found["changes"] is None:
        return []
    parts = []
    for key, listed in diff_sentences.lists(found["changes"]).items():
        if listed["names"] or key in diff_sentences.ALWAYS:
            word = key.replace("_", " ")
            parts.append((list(diff_sentences.VERBS).index(key), f"**{word}** {_names(listed, step)}"))
    said = " · ".join(text for _, text in sorted(parts))
    return [f"**{said[2:3].upper()}{said[3:]}", ""]


def _names(listed: record.NamesRecord, step: int) -> str:
    shown = [format_code(name) for name in listed["names"][:step]]
    more = len(listed["names"]) - len(shown) + max(0, listed["more"])
    return ", ".join([*shown, f"{more} more"] if more else shown) or "none"


def _lead(found: record.ComparisonRecord, shows: Redaction) -> list[str]:
    said = diff_sentences.lead(found, format_code, lambda text: escape_prose(shows.words(text)))
    return [said, ""] if said else []


def _new_problems(found: record.ComparisonRecord, shows: Redaction) -> list[str]:
    if found["before"] is None:
        return warnings(found["problems"], found["after"]["errors"], shows)
    new = found["problems"][: found["new_problems"]]
    errors = sum(problem["severity"] == "error" for problem in new)
    return warnings(new, errors, shows, new=True)


def _policy(found: record.ComparisonRecord, shows: Redaction, step: int) -> Sequence[str]:
    if found["before"] is None:
        return []
    if found["after"]["outcome"] == "refused":
        return ["> [!WARNING]", "> The policy cannot be trusted after this change, so nothing is decided by it.", ""]
    changes = found["policy_changes"]
    if not changes:
        return ["The policy is not changed by this pull request.", ""]
    lines = ["> [!WARNING]", "> This pull request changes the policy:", ">"]
    lines += [
        f"> - {format_code(change['key'])}: {_value(change['old'], shows)}, then {_value(change['new'], shows)}"
        for change in changes[:step]
    ]
    more = len(changes) - len(changes[:step]) + max(0, found["policy_changes_more"])
    return [*lines, f"> - {more} more", ""] if more else [*lines, ""]


def _value(value: str | None, shows: Redaction) -> str:
    return "not set" if value is None else format_code(shows.words(value))
