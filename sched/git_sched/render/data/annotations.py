"""Renders problems as GitHub annotations: workflow commands that GitHub shows at the files, at most ten of a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.render import redact
from git_sched.render.layout import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record

EACH = 10
"""The largest number of annotations of one kind that the runner keeps for a step."""

MESSAGE = 4_000
"""The largest number of characters of a message; the runner cuts at 4096."""


def data(text: str) -> str:
    """Escape the text of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def attribute(text: str) -> str:
    """Escape a property of a workflow command."""
    return data(text).replace(":", "%3A").replace(",", "%2C")


def render(found: record.CheckRecord) -> str:
    """Render the record of ``check``."""
    return annotate(found["problems"], shows=redact.redact(found["publish"], ()))


def of_decisions(found: record.DecisionsRecord) -> str:
    """Render the problems of a decision record."""
    return annotate(found["problems"], shows=redact.redact_next(found))


def of_comparison(found: record.ComparisonRecord) -> str:
    """Render the problems after a change; before them what could not be read on either side."""
    sides = [side for side in (found["before"], found["after"]) if side]
    unread = [problem for side in sides for problem in side["unread"]]
    first = [problem for number, problem in enumerate(unread) if problem not in unread[:number]]
    return annotate([*first, *(p for p in found["problems"] if p not in first)], shows=redact.redact_diff(found))


def annotate(
    problems: Sequence[record.ProblemRecord], *, shows: redact.Redaction | None = None, each: int = EACH
) -> str:
    """Write one command for each problem, up to ``each`` of a kind; the last of a kind counts what is left out."""
    lines = []
    for severity in ("error", "warning"):
        chosen = [p for p in problems if p["severity"] == severity]
        shown = chosen if len(chosen) <= each else chosen[: each - 1]
        lines += [_command(problem, shows) for problem in shown]
        if len(shown) < len(chosen):
            lines.append(f"::{severity} title=git-sched::{len(chosen) - len(shown)} more: run git sched check")
    return "".join(f"{text}\n" for text in lines)


def _command(problem: record.ProblemRecord, shows: redact.Redaction | None) -> str:
    properties = [f"file={attribute(clean(problem['path']))}"] if problem["path"] else []
    if problem["line"]:
        properties.append(f"line={problem['line']}")
    if problem["column"]:
        properties.append(f"col={problem['column']}")
    properties.append(f"title={attribute('git-sched: ' + problem['code'])}")
    hint = f" ({problem['hint']})" if problem["hint"] else ""
    place = f" [{problem['path']}]" if problem["path"] else ""
    said = problem["message"] + hint
    text = data(clean((shows.words(said) if shows else said) + place, limit=MESSAGE))
    return f"::{problem['severity']} {','.join(properties)}::{text}"
