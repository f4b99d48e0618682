"""Ids: which texts are valid ones, how they are ordered and shown, and which one was probably meant."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from git_sched.model import characters

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 200
"""Number of characters that an id may have."""

_ID = re.compile(rf"[A-Za-z0-9_][A-Za-z0-9_.-]{{0,{LONGEST - 1}}}")
_OBJECT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_PIECES = re.compile(r"(\d+)")

IdKey = tuple[int, float, tuple[tuple[int, int, str], ...], str]
"""The key that ids are ordered by; see :func:`order_key`."""

BAD_ID_HINT = f"ids are letters, digits and _ . - (not first: . or -), at most {LONGEST}, without two dots in a row"


def is_id(text: str) -> bool:
    """Whether the text is a valid id, which needs no quoting in paths, shells, Markdown or outputs."""
    return ".." not in text and _ID.fullmatch(text) is not None


def is_object_id(text: str) -> bool:
    """Whether the text is a whole object id of git, SHA-1 or SHA-256."""
    return _OBJECT_ID.fullmatch(text) is not None


def shorten(text: str) -> str:
    """Return what is kept of an id: one that is too long is cut so that it is still too long, and costs no more."""
    return text[: LONGEST + 1]


def order_key(node_id: str, *, numbered: bool, ordinal: float | None = None) -> IdKey:
    """Return the key that orders ids.

    Ids of trackers that number their tasks are compared as numbers (``2`` before ``10``), after the ordinal where there
    is one; all other ids are compared by code points and come after the numbered ones. Numbers of any length are
    compared as text, by their digits without zeros in front: first how many these are, then which.
    """
    if not numbered:
        return (1, 0.0, (), node_id)
    pieces = tuple(_piece_key(piece) for piece in _PIECES.split(node_id) if piece)
    return (0, float("inf") if ordinal is None else ordinal, pieces, node_id)


def _piece_key(piece: str) -> tuple[int, int, str]:
    if not (piece.isascii() and piece.isdigit()):
        return (1, 0, piece)
    digits = piece.lstrip("0")
    return (0, len(digits), digits)


def escape(text: str, *, limit: int = 80) -> str:
    """Return untrusted text in one line, cut to ``limit`` characters, with invisible characters escaped."""
    cut = text if len(text) <= limit else text[: limit - 3] + "..."
    return characters.escape(cut)


def quote(text: str, *, limit: int = 80) -> str:
    """Return untrusted text in quotes, escaped and cut as :func:`escape` does."""
    return f"'{escape(text, limit=limit)}'"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Find the known word that was probably meant, or ``None``; ties go to the first in code-point order."""
    from difflib import get_close_matches

    found = get_close_matches(word[:100], sorted(known)[:20_000], n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the hint ``did you mean X?``, or an empty text where no known word is near."""
    found = nearest(word, known)
    return f"did you mean {found}?" if found else ""
