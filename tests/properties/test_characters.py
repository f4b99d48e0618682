"""No invisible character comes out raw on any surface, and what is visible looks the same on all of them."""

from __future__ import annotations

import io
import json
import unicodedata
from contextlib import redirect_stderr
from html import unescape
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import judges
from git_sched.model.characters import is_visible, to_line
from git_sched.model.ids import quote
from git_sched.model.json_codec import dump
from git_sched.render.data.annotations import annotate
from git_sched.render.html import page
from git_sched.render.layout import clean
from git_sched.render.markdown.escape import BREAK, escape_inline, escape_prose, format_code
from git_sched.workspace.streams import write_err

if TYPE_CHECKING:
    from collections.abc import Callable

    Surface = Callable[[str], str]

INVISIBLE: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
"""Unicode's categories of what is not seen; of ``Zs`` only the space itself is."""

EVERY: Final = [chr(code) for code in range(0x110000)]
UNSEEN: Final = [c for c in EVERY if c != " " and (unicodedata.category(c) in INVISIBLE or judges.UNSEEN.match(c))]
WALKED: Final = [c for c in UNSEEN if unicodedata.category(c) not in {"Co", "Cn"} or ord(c) & 0xFF in {0, 0xFF}]
"""All that are assigned, and two of each block of 256 of those that are not, or are for private use."""

ROW: Final = 48
"""How many of them are in one text: an attribute in HTML has at most 400 characters."""

LONG: Final = 10_000
LINES: Final = {"indented JSON", "message"}
"""Surfaces that may print several lines."""


def message(text: str) -> str:
    """Print a message, and give what arrives."""
    err = io.StringIO()
    with redirect_stderr(err):
        write_err(text)
    return err.getvalue().removesuffix("\n")


def annotation(text: str) -> str:
    """Give the message of an annotation, as the runner reads it."""
    row: Any = {"path": "", "line": None, "column": None, "severity": "error", "code": "c", "message": text, "hint": ""}
    return next(judges.commands(annotate([row]))).data


def code(found: str) -> str:
    """Give what a code span shows, or the text that is there instead of one."""
    return found[1:-1] if found.startswith("`") else unescape(found).replace(BREAK, "")


SHOWING: Final[dict[str, Surface]] = {
    "text": lambda text: clean(text, limit=LONG),
    "annotation": annotation,
    "Markdown": lambda text: unescape(escape_inline(text, limit=LONG)).replace(BREAK, ""),
    "Markdown code": lambda text: code(format_code(text, limit=LONG)),
    "Markdown sentence": lambda text: unescape(escape_prose(text, limit=LONG).replace("`", "")).replace(BREAK, ""),
    "HTML": lambda text: unescape(page.text(text, limit=LONG)),
    "HTML attribute": lambda text: unescape(page.element("p", class_=text))[len('<p class="') : -len('"></p>')],
}
"""Surfaces that leave out what is not visible, each read back as a reader sees it."""

ESCAPING: Final[dict[str, Surface]] = {
    "JSON": lambda text: dump({text: [text]}).decode(),
    "indented JSON": lambda text: dump({text: [text]}, indent=2).decode(),
    "message": message,
    "quoted value": lambda text: quote(text, limit=LONG),
}
"""Surfaces that spell what is not visible."""

VISIBLE: Final = (
    "plain words", "na\u00efve", "e\u0301 is e\u0301", "\u2192 \u2013 \u2026 \u20ac", "\u4e00\U00020000",
    "\u0939\u093f\u0928\u094d\u0926\u0940", "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",
    "\u0645\u064e\u0631\u062d\u0628\u0627", "\u65e5\u672c\u8a9e\u306e\u984c", "\ud55c\uad6d",
    "\u0e44\u0e17\u0e22",
    "\u2764\ufe0f and \u2714\ufe0f", "\U0001f469\U0001f3fd", "\U0001f1e9\U0001f1ea", "1\ufe0f\u20e3",
)  # fmt: skip
"""Combining marks, scripts written from right to left, and symbols that a selector makes an emoji."""


def test_what_is_invisible_is_known_of_every_code_point() -> None:
    assert [c for c in EVERY if not is_visible(c)] == UNSEEN
    assert len(WALKED) > 3_000


@pytest.mark.parametrize("name", [*SHOWING, *ESCAPING])
def test_nothing_invisible_comes_out_raw(name: str) -> None:
    """Each is between two letters, of which none is lost."""
    surface = {**SHOWING, **ESCAPING}[name]
    for start in range(0, len(WALKED), ROW):
        row = WALKED[start : start + ROW]
        text = "".join(f"q{c}y" for c in row)
        found = surface(text)
        lines = found.replace("\n", "") if name in LINES else found
        assert all(map(is_visible, lines)), (hex(ord(row[0])), found)
        times = 2 if "JSON" in name else 1
        assert found.count("q") == found.count("y") == len(row) * times, (hex(ord(row[0])), found)
        if name in SHOWING:
            assert found == to_line(text), hex(ord(row[0]))


@pytest.mark.parametrize("text", VISIBLE)
def test_what_is_visible_is_the_same_everywhere(text: str) -> None:
    for name, surface in SHOWING.items():
        assert surface(text) == text, name
    assert message(text) == text
    assert quote(text) == f"'{text}'"
    assert f'{{"{text}":["{text}"]}}' == ESCAPING["JSON"](text)


@given(st.text(st.characters(), max_size=8))
def test_any_text_looks_the_same_everywhere(text: str) -> None:
    """As many characters as combining marks may be on one."""
    for name, surface in SHOWING.items():
        assert surface(f"x{text}x") == to_line(f"x{text}x"), name


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_json_parses_to_the_same_text(text: str) -> None:
    for name in ("JSON", "indented JSON"):
        assert json.loads(ESCAPING[name](text)) == {text: [text]}


@pytest.mark.parametrize(("text", "line"), [
    ("a\tb\r\n c\u2028d\u00a0e\u3000f", "a b c d e f"),
    ("zero\u200bwidth\u200d, right\u202eto left", "zerowidth, rightto left"),
    ("bytes \udcff\udc80, half \ud800", "bytes \\xff\\x80, half \\ud800"),
    ("##[error] #\u200b#[group]", "## [error] ## [group]"),
    (" \u2800\ue000 ", ""),
])  # fmt: skip
def test_one_line_of_what_is_visible(text: str, line: str) -> None:
    assert to_line(text) == line
    assert to_line(line) == line


@pytest.mark.parametrize(("text", "said"), [
    ("\x1b[31m\u202e\u3164", "\\x1b[31m\\u202e\\u3164"),
    ("\udcff \ud800 \U000e0041", "\\xff \\ud800 \\U000e0041"),
    ("two\nlines, ##[error]", "two\nlines, ## [error]"),
])  # fmt: skip
def test_a_message_spells_what_is_invisible(text: str, said: str) -> None:
    assert message(text) == said
