"""Numbers, durations and counts in words, and the pieces that sentences are built from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from git_sched.model.times import DAY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

HOUR = 60
"""Minutes in an hour."""

DAY_HOURS = 24


class Piece(NamedTuple):
    """A piece of a sentence: fixed words, or with ``name`` the name of a task, agent, repository or graph."""

    text: str
    name: bool = False


Clause = tuple[Piece, ...]
"""Part of a sentence; its pieces are joined without anything between them."""


CYCLE_SHOWN: Final = 12
"""Number of names of a cycle that are written out."""

UNNAMED: Final = "an unnamed agent"
"""What texts call whoever asks without a name; all such callers are one agent."""

DECIDED_BY = {
    "look-ahead": "the look-ahead put it first",
    "tokens": "it needs fewer tokens",
    "priority": "its own priority is higher",
    "id": "the lowest id goes first",
}
"""What puts a task before another of the same score."""


def format_amount(number: float) -> str:
    """Write a number with at most one decimal, and none where that is 0."""
    return f"{number:.1f}".removesuffix(".0")


def format_duration(minutes: float) -> str:
    """Write a duration: ``25 min`` below two hours, then ``4 h 15 min``, and ``62 h`` from 48 hours."""
    if round(minutes, 1) < 2 * HOUR:
        return f"{format_amount(minutes)} min"
    hours, rest = divmod(round(minutes), HOUR)
    if hours >= 2 * DAY_HOURS:
        return f"{round(minutes / HOUR)} h"
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def format_size(size: float, *, unit: str) -> str:
    """Write a size in its unit: a duration where that is the minute, else a number of tasks."""
    return format_duration(size) if unit == "minute" else f"{format_amount(size)} task{'' if size == 1 else 's'}"


def format_days(seconds: float) -> str:
    """Write a time span in seconds: ``5 hours`` below two days, then ``2.5 days``."""
    if seconds < 2 * DAY:
        return count(round(seconds * DAY_HOURS / DAY), "hour")
    return f"{format_amount(seconds / DAY)} days"


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun: ``1 task``, ``2 tasks``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def format_ordinal(number: int) -> str:
    """Write a rank (from 1): a word up to ten, then ``number 11``."""
    return _ORDINALS[number - 1] if number <= len(_ORDINALS) else f"number {number}"


def sentence(words: str) -> str:
    """Return words with a capital first letter, as a sentence begins."""
    return f"{words[0].upper()}{words[1:]}"


def join_words(parts: Sequence[str]) -> str:
    """Join the parts of a sentence: ``a, b and c``."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def write_cycle(nodes: Sequence[T], name: Callable[[T], str]) -> str:
    """Write the names of a cycle in order, back to the first; those in the middle of a long one are counted."""
    if len(nodes) < CYCLE_SHOWN:
        return " -> ".join(map(name, (*nodes, nodes[0])))
    shown = (*map(name, nodes[:6]), f"{len(nodes) - 7} more", name(nodes[-1]), name(nodes[0]))
    return " -> ".join(shown)
