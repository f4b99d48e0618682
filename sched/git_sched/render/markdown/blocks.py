"""Pieces of Markdown that summary and comment share: tables, problems, and cutting in steps until a text fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from git_sched.model.phrases import count
from git_sched.render.markdown.escape import escape_prose, format_code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from git_sched import record
    from git_sched.render.redact import Redaction

_SENTENCE_END = re.compile(r"\? |\. (?=[A-Z])")  # a dot before anything else is spoken of, not meant

PROBLEMS = 5
"""How many problems are written out."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Give the lines of a table; the columns named in ``right`` stand to the right."""
    rule = "|".join("--:" if i in right else "---" for i in range(len(head)))
    return [_row(head), f"|{rule}|", *(_row(row) for row in rows)]


def _row(cells: Sequence[str]) -> str:
    # An empty cell is one blank wide, as people write it.
    return f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in cells)}|"


def first_that_fits(
    build: Callable[[int], str], steps: Sequence[int], *, size: Callable[[str], int], limit: int
) -> str:
    """Give the text of the first step that is not too large; the last one is given whatever its size."""
    for step in steps[:-1]:
        text = build(step)
        if size(text) <= limit:
            return text
    return build(steps[-1])


def count_bytes(text: str) -> int:
    """Count the bytes of a text in UTF-8."""
    return len(text.encode(errors="surrogatepass"))


def name(row: record.DecisionRecord | record.RankedRecord | record.PickRecord | record.HeldRecord) -> str:
    """Give the full name of a node as code."""
    return format_code(f"{row['graph_id']}/{row['node_id']}")


def warnings(problems: Sequence[record.ProblemRecord], total: int, shows: Redaction, *, new: bool = False) -> list[str]:
    """Give the block that says what is wrong in the task files; ``total`` is the number of errors in all."""
    errors = [p for p in problems if p["severity"] == "error"][:PROBLEMS]
    if not total:
        return []
    said = f"> {count(total, 'new error' if new else 'error')} in the task files"
    if not errors:
        return ["> [!WARNING]", f"{said}: run `git sched check`", ""]
    if total == 1:
        return ["> [!WARNING]", f"{said}: {_problem(errors[0], shows)}", ""]
    lines = ["> [!WARNING]", f"{said}:", ">", *(f"> - {_problem(error, shows)}" for error in errors)]
    if total > len(errors):
        lines.append(f"> - {total - len(errors)} more: run `git sched check`")
    return [*lines, ""]


def _problem(problem: record.ProblemRecord, shows: Redaction) -> str:
    line = f":{problem['line']}" if problem["line"] else ""
    place = f" ({format_code(problem['path'] + line)})" if problem["path"] else ""
    hint = _first_sentence(shows.words(problem["hint"]))
    return f"{escape_prose(shows.words(problem['message']))}{place}.{' ' if hint else ''}{escape_prose(hint)}"


def _first_sentence(text: str) -> str:
    end = _SENTENCE_END.search(text)
    first = text[: end.start() + 1] if end else text
    return first[:1].upper() + first[1:]


def revision(object_id: str | None) -> str:
    """Give a commit as code, shortened; no link is made of it."""
    return format_code(object_id[:7]) if object_id else "no commit"
