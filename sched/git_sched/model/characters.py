"""Invisible characters, and those that control a terminal: which these are, and how text is cleaned of them."""

from __future__ import annotations

import re
from typing import Final

_BLANK_RANGES: Final = (
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian variation selectors and vowel separator
    (0x2800, 0x2800),  # the Braille pattern without dots
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0E),  # variation selectors; U+FE0F, which makes a symbol an emoji, is left alone
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0x13441, 0x13442),  # Egyptian blank signs
    (0x16FE4, 0x16FE4),  # Khitan filler
    (0x1D159, 0x1D159),  # null notehead
    (0xE0100, 0xE01EF),  # more variation selectors: 256 of them spell any text after a letter
)
BLANK: Final = frozenset(chr(code) for first, last in _BLANK_RANGES for code in range(first, last + 1))
"""Letters, marks and symbols that show nothing, although Unicode's categories count them as visible."""

_AFTER_ASCII: Final = re.compile("[\x7f-\U0010ffff]+")
_UTF16_UNIT: Final = re.compile("[0-9a-f]{4}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def is_visible(character: str) -> bool:
    """Whether a reader sees this one character, and a terminal only prints it.

    Not visible are controls (C0, C1), format characters (direction marks, zero-width characters, tags), line and
    paragraph separators, lone surrogates, private use, unassigned code points, every space but U+0020, and
    :data:`BLANK`.
    """
    return character.isprintable() and character not in BLANK


def to_line(text: str) -> str:
    r"""Return the text as one line of visible characters, for every output that people read.

    Whitespace of any kind becomes one space, none at the ends. A lone surrogate, which is how Python reads a byte of a
    file name that is not UTF-8, is spelled out (``\xff``); everything else that is not visible is left out.
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(c if is_visible(c) else " " * c.isspace() for c in spell_surrogates(text))
    return break_commands(" ".join(text.split()))


def escape(text: str) -> str:
    r"""Return the text with every invisible character spelled as Python does (``\x1b``, ``\u202e``), for messages."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if is_visible(c) else _spell(c) for c in text)


def escape_json(text: str) -> str:
    r"""Return JSON text with every invisible character beyond ASCII escaped as JSON does; it parses to the same value.

    Below U+007F nothing is changed: JSON has no controls inside its strings, and its own line breaks stay.
    """
    if text.isascii() and "\x7f" not in text:
        return text
    return _AFTER_ASCII.sub(_escape_run, text)


def _escape_run(found: re.Match[str]) -> str:
    run = found[0]
    if run.isprintable() and BLANK.isdisjoint(run):
        return run
    return "".join(c if is_visible(c) else _UTF16_UNIT.sub(r"\\u\g<0>", c.encode("utf-16-be").hex()) for c in run)


def is_text(text: str) -> bool:
    """Whether the text can be written in UTF-8: no argument or name with other bytes in it can."""
    return _SURROGATE.search(text) is None


def spell_surrogates(text: str) -> str:
    r"""Return the text with each lone surrogate spelled out (``\xff`` for a byte), so that it can be encoded."""
    return _SURROGATE.sub(lambda found: _spell(found[0]), text)


def _spell(character: str) -> str:
    is_byte = "\udc80" <= character <= "\udcff"  # PEP 383
    return f"\\x{ord(character) - 0xDC00:02x}" if is_byte else ascii(character)[1:-1]


def break_commands(text: str) -> str:
    """Return the text without a ``##[``, which a GitHub runner obeys as a command anywhere in a line of its log."""
    return text.replace("##[", "## [")
