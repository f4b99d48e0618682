"""Measures, cuts, wraps and colors lines of text for a screen."""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from git_sched.model.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Sequence

PIPE: Final = Screen()
"""The screen where nothing is known of what text is printed on."""

BOLD: Final = "1"
DIM: Final = "2"
RED: Final = "31"
YELLOW: Final = "33"
"""The parameters of the escape sequences: bold for the id picked, dim for where and what, red for errors, yellow for
what is held."""


def measure(text: str) -> int:
    """Count the columns that text takes on a terminal: two for a wide character, none for a combining mark."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Pad text with spaces to a number of columns."""
    spaces = " " * (width - measure(text))
    return f"{spaces}{text}" if right else f"{text}{spaces}"


def cut(text: str, width: int) -> str:
    """Cut text to a number of columns; what was cut ends in three dots."""
    if measure(text) <= width:
        return text
    kept = sum(end <= width - 3 for end in accumulate(map(_columns, text)))
    return f"{text[:kept].rstrip()}..."


_GAP: Final = re.compile(r" (?!(?<=\d )(?:h|min)\b|(?<=\d h )\d+ min\b)")
"""A space at which a line may end, unlike those inside ``4 h 15 min``."""


def wrap(text: str, screen: Screen, *, first: str = "", rest: str = "") -> list[str]:
    """Wrap text at its spaces to the screen's width; ``first`` begins the first line, ``rest`` those that follow.

    A duration stays in one piece, and a word that is longer than a line, such as a path, is never cut. Where the
    screen has no width, the text is one line.
    """
    return fill(_GAP.split(text), screen, first=first, rest=rest, separator=" ")


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
    """Color text, but not its indent, where the screen shows colors; without a style it is unchanged."""
    if not screen.color or not style or not text.strip():
        return text
    inner = text.lstrip()
    return f"{text[: len(text) - len(inner)]}\x1b[{style}m{inner}\x1b[0m"


def separate(parts: Sequence[str], screen: Screen, *, indent: str = "  ") -> list[str]:
    """Write facts in a row, a dot between two of them where the screen has one, else a comma."""
    separator = " \u00b7 " if screen.utf8 else ", "
    return fill(parts, screen, first=indent, rest=indent, separator=separator)
