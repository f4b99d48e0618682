"""Small pieces of wording that several answers share."""

from __future__ import annotations


def minutes_text(minutes: float, *, filled: bool = False) -> str:
    """Write minutes without needless decimals; an estimate that was filled in says "about"."""
    value = f"{minutes:.1f}".removesuffix(".0")
    return f"about {value} min" if filled else f"{value} min"


def amount(minutes: float) -> str:
    """Write a number without needless decimals."""
    return f"{minutes:.1f}".removesuffix(".0")


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun: ``1 task``, ``2 tasks``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def ordinal(number: int) -> str:
    """Write a rank as a word where one is short enough."""
    return _ORDINALS[number - 1] if number <= len(_ORDINALS) else f"number {number}"
