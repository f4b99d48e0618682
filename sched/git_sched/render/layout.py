"""Plain text: text of others made harmless for terminals and logs, figures rounded and laid out in columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.characters import to_line
from git_sched.render.terminal import PIPE, measure, pad, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.model.screen import Screen

TITLE = 100
"""Characters of a title that are shown."""


def clean(text: str, *, limit: int = 300) -> str:
    """Make text of others safe to print on one line of at most ``limit`` characters.

    Only visible characters are left. Two colons at the beginning, which a GitHub runner might obey as a command, are
    separated; a longer text is cut and ends in three dots.
    """
    kept = to_line(text[: limit * 4])
    kept = f": {kept[1:]}" if kept.startswith("::") else kept
    return kept if len(kept) <= limit else kept[: limit - 3].rstrip() + "..."


def guard_line(text: str) -> str:
    """Keep a line from being obeyed as a workflow command, which begins with two colons."""
    return f"./{text}" if text.lstrip().startswith("::") else text


def round_points(value: float) -> int:
    """Round points to thousandths, as they are printed."""
    return round(float(f"{value:.3f}") * 1000)


def format_points(value: float) -> str:
    """Write points with three decimals, and zero without a sign."""
    return f"{round_points(value) / 1000:.3f}"


def round_rows(rows: Sequence[float], total: float) -> list[float]:
    """Round points to 3 decimals so that they add up to the rounded total.

    Where they would miss it, rows that rounding changed take a thousandth each, those first that rounding moved most
    the other way. Points that have three decimals are never changed; nor is any where the rows are not those of the
    total, as in a forged record.
    """
    rounded = [round_points(value) for value in rows]
    missing = round_points(total) - sum(rounded)
    step = 1 if missing > 0 else -1
    errors = {i: 1000 * value - rounded[i] for i, value in enumerate(rows) if round(value * 1e6) % 1000}
    order = sorted(errors, key=lambda i: (-step * errors[i], i))
    if abs(missing) <= len(order):
        for i in order[: abs(missing)]:
            rounded[i] += step
    return [value / 1000 for value in rounded]


def build_score_table(
    factors: Sequence[record.FactorRecord], score: float, *, screen: Screen = PIPE, indent: str = ""
) -> list[str]:
    """Lay out the rows of a score: weight x rating = points, with the reason behind; the sum is below."""
    points = round_rows([row["points"] for row in factors], score)
    width = max((len(row["factor"]) for row in factors), default=5)
    heads = [f"{format_weight(row['weight'])} x {format_rating(row)}" for row in factors]
    head_width = max((len(head) for head in heads), default=12)
    total = format_points(score)
    number = max(len(text) for text in [*map(format_points, points), total])
    lines = []
    for row, head, value in zip(factors, heads, points, strict=True):
        figures = f"{indent}{row['factor']:<{width}}  {head:<{head_width}} = {value:>{number}.3f}   "
        lines += wrap(clean(row["why"]), screen, first=figures, rest=" " * len(figures))
    return [*lines, f"{indent}{'score':>{width + 2 + head_width}}   {total:>{number}}"]


def format_weight(value: float) -> str:
    """Write a weight with at least one decimal."""
    return f"{value:.1f}" if value == round(value, 1) else f"{value:g}"


def format_rating(row: record.FactorRecord) -> str:
    """Write a rating with four decimals; an unknown signal is said, never shown as 0."""
    return f"{row['rating']:.4f}" if row["known"] else "unknown"


def align_columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Align rows in columns, two spaces apart; the columns named in ``right`` to the right."""
    widths = [max(measure(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows), default=0))]
    return ["  ".join(pad(cell, widths[i], right=i in right) for i, cell in enumerate(row)).rstrip() for row in rows]


def drop_empty_columns(rows: Sequence[Sequence[str]], *, heads: int = 0) -> list[list[str]]:
    """Leave out the columns that hold nothing below so many rows of headings; all rows are of one length."""
    kept = [column for column in zip(*rows, strict=True) if any(column[heads:])]
    return [list(row) for row in zip(*kept, strict=True)]
