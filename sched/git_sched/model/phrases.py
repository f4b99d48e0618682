"""Small pieces of wording that several answers share."""

from __future__ import annotations

from git_sched.model.times import DAY

DECIDED_BY = {
    "tokens": "it needs fewer tokens",
    "priority": "its own priority is higher",
    "id": "its id comes first",
}
"""What sets a node before another of the same score (rule E1)."""


def format_amount(number: float) -> str:
    """Write a number with at most one decimal, and none where that is 0."""
    return f"{number:.1f}".removesuffix(".0")


def format_minutes(minutes: float, *, filled: bool = False) -> str:
    """Write a duration in minutes; an estimate that was filled in says "about"."""
    return f"{'about ' if filled else ''}{format_amount(minutes)} min"


def format_days(seconds: float) -> str:
    """Write a span of time in days: ``1 day``, ``2.5 days``."""
    number = format_amount(seconds / DAY)
    return f"{number} day" if number == "1" else f"{number} days"


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun: ``1 task``, ``2 tasks``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def format_ordinal(number: int) -> str:
    """Write a rank as a word where one is short enough."""
    return _ORDINALS[number - 1] if number <= len(_ORDINALS) else f"number {number}"


def sentence(words: str) -> str:
    """Give words of ours as they begin a sentence."""
    return f"{words[0].upper()}{words[1:]}"
