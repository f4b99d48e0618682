"""Dependencies that a task line of spec-kit states in parentheses: ``(depends on T012, T013)``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from git_sched.model.ids import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

ID: Final = (
    r"T-?\d+(?:\.\d+)*[A-Za-z]?(?:_[A-Za-z0-9]+)*"
    r"(?:-(?:(?!T-?\d)[A-Za-z][A-Za-z0-9]*|\d{1,2}))?(?![A-Za-z0-9_])"
)
"""An id: T and a number, and optionally more, as in T012a, T012.5, T012-A, T012_test."""

RANGE: Final = re.compile(rf"\b({ID})(?:\s*(?:-|\u2013|\u2014|\.\.|to|through)\s*({ID}))?")
"""An id, and the last id of the range if it begins one."""

_STATED: Final = re.compile(
    rf"\bdepends?\s+on\b(?P<on>.*)"
    rf"|\b(?:dep(?:end)?s?(?:\s+on)?|dependency|dependencies|after|requires|needs|blocked\s+by)\s*(?::\s*)?(?P<which>{ID}.*)",
    re.IGNORECASE | re.DOTALL,
)
_ELSE: Final = re.compile(r"\b(?:before|(?:un)?block(?:s|ing)|parallel|same\s+file)\b", re.IGNORECASE)
"""Words after which tasks are named for a reason other than a dependency."""

_BRACKET: Final = re.compile(r"([()\[\]])")
_CLOSES: Final = {"(": ")", "[": "]"}


def read_dependencies(text: str) -> tuple[tuple[str, str], ...]:
    """Return the ids that a task states as dependencies, each with the end of its range or an empty string."""
    found: list[tuple[str, str]] = []
    for inner in _bracketed(text):
        if said := _STATED.search(inner):
            named = RANGE.findall(_ELSE.split(said["on"] or said["which"] or "", maxsplit=1)[0])
            found.extend((shorten(first), shorten(last)) for first, last in named)
    return tuple(dict.fromkeys(found))


def _bracketed(text: str) -> Iterator[str]:
    """Yield the content of each pair of parentheses or brackets, without that of inner pairs of the same kind."""
    pending: dict[str, list[list[str]]] = {")": [], "]": []}
    for piece in _BRACKET.split(text):
        if piece in _CLOSES:
            pending[_CLOSES[piece]].append([])
        elif piece not in pending:
            for groups in pending.values():
                if groups:
                    groups[-1].append(piece)
        elif pending[piece]:
            yield " ".join(pending[piece].pop())
