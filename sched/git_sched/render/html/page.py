"""Builds HTML from elements, in which untrusted text is always escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final, NewType

from git_sched.render.html.style import POLICY, STYLE
from git_sched.render.markdown.escape import SENTENCE, strip_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Html = NewType("Html", str)
"""Markup in which all untrusted text is escaped. Only this module makes any."""

VOID: Final = frozenset({"meta", "rect", "line"})
"""Elements without content."""


def text(words: str, *, limit: int = SENTENCE) -> Html:
    """Escape untrusted text as one line of visible characters, cut to ``limit`` graphemes."""
    return Html(escape(strip_invisible(words, limit=limit)))


def element(kind: str, /, *children: Html, **attributes: str) -> Html:
    """Build an element; an attribute that is a keyword of Python ends in an underscore, which is left out."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items() if value
    )
    if kind in VOID:
        return Html(f"<{kind}{said}>" if kind == "meta" else f"<{kind}{said}/>")
    return Html(f"<{kind}{said}>{''.join(children)}</{kind}>")


def code(words: str) -> Html:
    """Build the element of an id, a path or a command."""
    return element("code", text(words))


def join(parts: Iterable[Html]) -> Html:
    """Join parts, one after the other."""
    return Html("".join(parts))


def paragraph(words: str, *, class_: str = "") -> Html:
    """Build a paragraph with a sentence."""
    return element("p", text(words), class_=class_)


def table(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[Html]]], *, right: Sequence[int] = ()) -> Html:
    """Build a table; each row has a class, and the columns numbered in ``right`` (from 0) are aligned to the right.

    Columns that are empty in every row are left out. Each cell but the first names its column, for narrow screens,
    where a row becomes a block.
    """
    used = [i for i in range(len(heads)) if any(cells[i] for _, cells in rows)]
    number = ["n" if i in right else "" for i in range(len(heads))]
    head = element("tr", *(element("th", text(heads[i]), class_=number[i]) for i in used))
    body = []
    for kind, cells in rows:
        row = (element("td", cells[i], class_=number[i], data_label=heads[i] if i != used[0] else "") for i in used)
        body.append(Html(f"\n{element('tr', *row, class_=kind)}"))
    return element("div", element("table", element("thead", head), element("tbody", *body)), class_="wide")


def fold(summary: str, *children: Html) -> Html:
    """Build a part that is closed until the reader opens it."""
    return Html("\n" + element("details", element("summary", text(summary)), *children))


def section(title: str, *children: Html) -> Html:
    """Build a part of a page under its heading."""
    return Html("\n" + element("section", element("h2", text(title)), *children))


def page(title: str, *children: Html) -> str:
    """Build a whole page, without scripts, external content, or styles other than the one that its policy allows."""
    head = (
        Html('<meta charset="utf-8">'),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", text(title)),
        Html(f"<style>{STYLE}</style>"),
    )
    parts = (element("head", *(Html(f"\n{part}") for part in head), Html("\n")), Html("\n"), element("body", *children))
    return f'<!DOCTYPE html>\n<html lang="en">\n{join(parts)}\n</html>\n'
