"""Parts of Markdown that summary and comment share: tables, names, problems, and shortening until a text fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from git_sched.model.phrases import count
from git_sched.render.markdown.escape import escape_inline, escape_prose, format_code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from git_sched import record
    from git_sched.render.redact import Redaction

_SENTENCE_END = re.compile(r"\? |\. (?=[A-Z])")  # other dots are part of a name

PROBLEMS = 5
"""Number of problems that are written out."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> list[str]:
    """Write the lines of a table; the columns whose heads are in ``right`` are aligned to the right."""
    rule = "|".join("--:" if word in right else "---" for word in head)
    return [_row(head), f"|{rule}|", *(_row(row) for row in rows)]


def _row(cells: Sequence[str]) -> str:
    # An empty cell is one space wide, as people write it.
    return f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in cells)}|"


def fold(title: str, lines: Sequence[str]) -> list[str]:
    """Write a part that is closed until the reader opens it."""
    return [f"<details><summary>{title}</summary>", "", *lines, "", "</details>", ""]


def first_that_fits(
    build: Callable[[int], str], steps: Sequence[int], *, size: Callable[[str], int], limit: int
) -> str:
    """Build the text with each step in turn until one is within ``limit``; that of the last step is returned anyway."""
    for step in steps[:-1]:
        text = build(step)
        if size(text) <= limit:
            return text
    return build(steps[-1])


def count_bytes(text: str) -> int:
    """Count the bytes of a text in UTF-8."""
    return len(text.encode(errors="surrogatepass"))


def name_task(name: str, title: str, shows: Redaction, *, bold: bool = False) -> str:
    """Write a task with its title, if that can be shown, and its id as code."""
    text = escape_inline(shows.title(title))
    if not text:
        return f"**{format_code(name)}**" if bold else format_code(name)
    return f"{f'**{text}**' if bold else text} {format_code(name)}"


def write_why(parts: Sequence[record.WhyRecord], shows: Redaction) -> str:
    """Write the sentence that says why, with names as code."""
    return "".join(_piece(part, shows) for part in parts)


def _piece(part: record.WhyRecord, shows: Redaction) -> str:
    text = shows.words(part["text"])
    if part["name"] and text == part["text"]:
        return format_code(text)
    # Spaces at the ends are part of the sentence.
    inner = escape_inline(text)
    return f"{' ' if text[:1] == ' ' else ''}{inner}{' ' if inner and text[-1:] == ' ' else ''}"


def warn(problems: Sequence[record.ProblemRecord], total: int, shows: Redaction, *, new: bool = False) -> list[str]:
    """Write the block with the errors in the task files; ``total`` is the number of all errors."""
    errors = [p for p in problems if p["severity"] == "error"][:PROBLEMS]
    if total <= 0:
        return []
    lead = f"> {count(total, 'new error' if new else 'error')} in the task files"
    if not errors:
        return ["> [!WARNING]", f"{lead}: run `git sched check`", ""]
    if total == 1:
        return ["> [!WARNING]", f"{lead}: {write_problem(errors[0], shows)}", ""]
    lines = ["> [!WARNING]", f"{lead}:", ">", *(f"> - {write_problem(error, shows)}" for error in errors)]
    if total > len(errors):
        lines.append(f"> - {total - len(errors)} more: run `git sched check`")
    return [*lines, ""]


def write_problem(problem: record.ProblemRecord, shows: Redaction) -> str:
    """Write what is wrong, where, and what to do, in at most two sentences."""
    line = f":{problem['line']}" if problem["line"] else ""
    place = f" ({format_code(problem['path'] + line)})" if problem["path"] else ""
    hint = _first_sentence(shows.words(problem["hint"]))
    stop = "" if not hint or hint.endswith((".", "?", "!")) else "."
    return f"{escape_prose(shows.words(problem['message']))}{place}.{' ' if hint else ''}{escape_prose(hint)}{stop}"


def _first_sentence(text: str) -> str:
    end = _SENTENCE_END.search(text)
    first = text[: end.start() + 1] if end else text
    return first[:1].upper() + first[1:]


def shorten_revision(object_id: str | None) -> str:
    """Write a commit as code, shortened, so that GitHub makes no link of it."""
    return format_code(object_id[:7]) if object_id else "no commit"
