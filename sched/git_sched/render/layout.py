"""Plain text: foreign text made harmless for terminals and logs, figures laid out in columns."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record

_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BYTES = frozenset(map(chr, range(0xDC80, 0xDD00)))
"""What Python reads bytes as that are no text (PEP 383)."""

HIDDEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0))))
)
"""Letters and marks by their category that nobody can see, the selectors of glyphs among them: 256 of these spell any
text behind a letter. U+FE0F stays, which makes a symbol an emoji."""

TITLE = 100
"""Characters of a title that are shown."""


def clean(text: str, *, limit: int = 300) -> str:
    """Make foreign text safe to print on one line.

    Controls, bidi and other invisible characters become a blank or vanish; a runner's ``##[command]`` is broken up,
    since it would be obeyed anywhere in a line, and so are two colons where a line might begin with them; what is
    longer than the limit ends in three dots. Bytes of a file's name that are no text are spelled out.
    """
    kept = "".join(
        " " if c in "\t\n\r\x0b\x0c\x85\u2028\u2029" else f"\\x{ord(c) - 0xDC00:02x}" if c in _BYTES else c
        for c in text[: limit * 4]
        if c.isascii() or unicodedata.category(c) not in _INVISIBLE or c in "\u2028\u2029\x85" or c in _BYTES
    )
    kept = "".join(c for c in kept if c.isprintable() and c not in HIDDEN)
    kept = " ".join(kept.split()).replace("##[", "## [")
    kept = f": {kept[1:]}" if kept.startswith("::") else kept
    return kept if len(kept) <= limit else kept[: limit - 3].rstrip() + "..."


def guard_line(text: str) -> str:
    """Keep a line from being obeyed as a workflow command, which begins with two colons."""
    return f"./{text}" if text.lstrip().startswith("::") else text


def round_rows(rows: Sequence[float], total: float) -> list[float]:
    """Round points to 3 decimals so that they add up to the rounded total; the largest takes the difference."""
    thousandths = [round(value * 1000) for value in rows]
    if thousandths:
        largest = max(range(len(rows)), key=lambda i: (abs(rows[i]), -i))
        thousandths[largest] += round(total * 1000) - sum(thousandths)
    return [value / 1000 for value in thousandths]


def measure_lead(score: float, second: record.RunnerUpRecord) -> float:
    """Give by how much a pick leads, as the scores that are shown differ; below 0 where a look-ahead put it first."""
    return round(score, 3) - round(second["score"], 3)


def build_score_table(factors: Sequence[record.FactorRecord], score: float) -> list[str]:
    """Lay out the rows of a score: weight x rating = points, with the reason behind; the sum stands below."""
    points = round_rows([row["points"] for row in factors], score)
    width = max((len(row["factor"]) for row in factors), default=5)
    heads = [f"{format_weight(row['weight'])} x {format_rating(row)}" for row in factors]
    head_width = max((len(head) for head in heads), default=12)
    number = max(len(f"{value:.3f}") for value in [*points, score])
    lines = [
        f"{row['factor']:<{width}}  {head:<{head_width}} = {value:>{number}.3f}   {clean(row['why'])}"
        for row, head, value in zip(factors, heads, points, strict=True)
    ]
    return [*lines, f"{'score':>{width + 2 + head_width}}   {score:>{number}.3f}"]


def format_weight(value: float) -> str:
    """Write a weight with at least one decimal."""
    return f"{value:.1f}" if value == round(value, 1) else f"{value:g}"


def format_rating(row: record.FactorRecord) -> str:
    """Write a rating with four decimals; an unknown signal is said, never shown as 0."""
    return f"{row['rating']:.4f}" if row["known"] else "unknown"


def align_columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Align rows in columns, two blanks apart; the columns named in ``right`` to the right."""
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows), default=0))]
    return [
        "  ".join(cell.rjust(widths[i]) if i in right else cell.ljust(widths[i]) for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def drop_empty_columns(rows: Sequence[Sequence[str]], *, heads: int = 0) -> list[list[str]]:
    """Leave out the columns that hold nothing below so many rows of headings; all rows are of one length."""
    kept = [column for column in zip(*rows, strict=True) if any(column[heads:])]
    return [list(row) for row in zip(*kept, strict=True)]
