"""Plain text: foreign text made harmless for terminals and logs, figures rounded, lines wrapped and painted."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from git_sched.model.characters import to_line
from git_sched.model.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record

PIPE: Final = Screen()
"""Where nothing is known of what text is printed on."""

BOLD: Final = "1"
DIM: Final = "2"
RED: Final = "31"
YELLOW: Final = "33"
"""The parameters of the escape sequences: bold for the id picked, dim for where and what, red for errors, yellow for
what is held."""

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


def measure_lead(score: float, second: record.RunnerUpRecord) -> float:
    """Give by how much a pick leads, as the scores that are shown differ; below 0 where a look-ahead put it first."""
    return round(score, 3) - round(second["score"], 3)


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


def measure(text: str) -> int:
    """Count the columns that text takes on a terminal: two for a wide character, none for a mark on another one."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Fill text up with spaces to a number of columns."""
    spaces = " " * (width - measure(text))
    return f"{spaces}{text}" if right else f"{text}{spaces}"


def cut(text: str, width: int) -> str:
    """Cut text to a number of columns; what was cut ends in three dots."""
    if measure(text) <= width:
        return text
    kept, left = "", width - 3
    for character in text:
        left -= _columns(character)
        if left < 0:
            break
        kept += character
    return f"{kept.rstrip()}..."


def wrap(text: str, screen: Screen, *, first: str = "", rest: str = "") -> list[str]:
    """Wrap text at its spaces to the screen's width; ``first`` begins the first line, ``rest`` those that follow.

    A word that is longer than a line, such as a path, is never cut. Where the screen has no width, one line is given.
    """
    return fill(text.split(" "), screen, first=first, rest=rest, separator=" ")


def fill(parts: Sequence[str], screen: Screen, *, first: str, rest: str, separator: str) -> list[str]:
    """Fill lines with parts that are never broken, a separator between two of a line."""
    lines = [first]
    begun = False
    for part in parts:
        line = f"{lines[-1]}{separator}{part}" if begun else f"{lines[-1]}{part}"
        if begun and screen.width is not None and measure(line) > screen.width:
            lines.append(f"{rest}{part}")
        else:
            lines[-1] = line
        begun = True
    return [line.rstrip() for line in lines]


def paint(text: str, style: str, screen: Screen) -> str:
    """Give text in a color or weight where the screen shows any, but for its indent; as it is without a style."""
    if not screen.color or not style or not text.strip():
        return text
    inner = text.lstrip()
    return f"{text[: len(text) - len(inner)]}\x1b[{style}m{inner}\x1b[0m"


def separate(parts: Sequence[str], screen: Screen, *, indent: str = "  ") -> list[str]:
    """Write facts in a row, a dot between two of them where the screen has one, else a comma."""
    separator = " \u00b7 " if screen.utf8 else ", "
    return fill(parts, screen, first=indent, rest=indent, separator=separator)
