"""Escapes untrusted text in Markdown, so that nothing in it is markup, a link, a mention or hidden."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from git_sched.model.characters import to_line

if TYPE_CHECKING:
    from collections.abc import Sequence

TITLE: Final = 120
"""Number of graphemes of a title that are shown."""

SENTENCE: Final = 400
"""Number of graphemes of a sentence that are shown."""

MARKS: Final = 8
"""Number of combining marks that are kept on one character, since a grapheme can have any number."""

BREAK: Final = "\u200b"
"""A zero-width space, which only this module writes: it keeps ``@team``, ``#1`` and addresses from becoming links."""

_SPECIAL: Final = str.maketrans(
    {c: f"&#{ord(c)};" for c in "\\`|*_~[]\"'{}"}
    | {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": f"{BREAK}&#36;"}  # GitHub finds math in escaped text as well
)
_MARKS: Final = frozenset({"Mn", "Mc", "Me"})
_LINKED: Final = re.compile(
    r"(?P<at>@)(?=\S)"
    r"|(?P<number>\#)(?=\w)"
    r"|(?P<gh>\bgh-)(?=\d)"
    r"|(?P<scheme>[a-z][a-z0-9+.-]*:)(?=/|\w)"
    r"|(?P<www>\bwww)(?=\.)",
    re.IGNORECASE,
)
"""What GitHub turns into a link, a mention or a backlink; each is broken up after the matched text.

A host name can begin with a zero-width space, so ``www.`` is broken up before its dot.
"""

_OBJECT_ID: Final = re.compile(r"\b[0-9a-f]{7,}\b", re.IGNORECASE)
_LEADING: Final = re.compile(r"^(\d+)([.)])|^([-+=#:])")
_WORD: Final = re.compile(r"(?<![\w.@#:/-])\.?\w[A-Za-z0-9]*[-./_][\w./-]*\w(?::\d+)?(?![\w@/])", re.ASCII)
"""A run of words joined by ``- . / _``, and perhaps a line number behind it."""

_SAFE_CODE: Final = re.compile(r"[^`|\\]+")


def strip_invisible(text: str, *, limit: int = TITLE) -> str:
    """Return untrusted text as one line of visible characters, cut after ``limit`` graphemes with three dots."""
    return _cut(to_line(text[: limit * (MARKS + 2) * 2]), limit)


def _cut(text: str, limit: int) -> str:
    """Cut text after ``limit`` graphemes, counted nearly as Unicode's annex 29 does; three dots stand for the rest."""
    kept: list[str] = []
    count = marks = flags = 0
    for c in text:
        extends = bool(kept) and (unicodedata.category(c) in _MARKS or "\U0001f3fb" <= c <= "\U0001f3ff")
        second_flag = "\U0001f1e6" <= c <= "\U0001f1ff" and flags % 2 == 1
        flags = flags + 1 if "\U0001f1e6" <= c <= "\U0001f1ff" else 0
        if extends:
            marks += 1
            if marks > MARKS:
                continue
        elif not second_flag:
            marks = 0
            count += 1
            if count > limit:
                return "".join(kept).rstrip() + "..."
        kept.append(c)
    return "".join(kept)


def escape_inline(text: str, *, limit: int = TITLE) -> str:
    """Escape untrusted text as Markdown that shows exactly that text: no markup, HTML, links or mentions."""
    return _escape(strip_invisible(text, limit=limit))


def _escape(shown: str) -> str:
    short = _OBJECT_ID.sub(lambda found: BREAK.join(re.findall(".{1,6}", found[0])), shown)
    broken = _LINKED.sub(lambda found: f"{found[0]}{BREAK}", short).translate(_SPECIAL)
    return _LEADING.sub(lambda m: f"{m[1]}&#{ord(m[2])};" if m[2] else f"&#{ord(m[3])};", broken)


def format_code(text: str, *, limit: int = 420) -> str:
    """Write an id, a path or a short text as a code span; what would need quoting in one is escaped text instead."""
    shown = strip_invisible(text, limit=limit)
    return f"`{shown}`" if _SAFE_CODE.fullmatch(shown) else _escape(shown)


def escape_prose(text: str, *, names: Sequence[str] = (), limit: int = SENTENCE) -> str:
    """Give a sentence of ours that quotes foreign words: inert, with ids, paths and a list of ``names`` as code."""
    shown = strip_invisible(text, limit=limit)
    listed = [*re.finditer(rf"(?<![\w./-]){re.escape(', '.join(names))}(?![\w/-])", shown)] if names else []
    if not listed:
        return _mark_names(shown)
    quoted = ", ".join(map(format_code, names))
    return f"{_mark_names(shown[: listed[-1].start()])}{quoted}{_mark_names(shown[listed[-1].end() :])}"


def _mark_names(shown: str) -> str:
    """Write as code what can only be an id or a path."""
    parts, at = [], 0
    for found in _WORD.finditer(shown):
        if any(c.isalpha() for c in found[0]):
            parts += [_escape(shown[at : found.start()]), f"`{found[0]}`"]
            at = found.end()
    return "".join([*parts, _escape(shown[at:])])


def count_utf16(text: str) -> int:
    """Count UTF-16 units, by which GitHub limits a comment."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2
