"""Markdown checklists: their check boxes and headings in order, with what is written below each box."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.model.graph import Place, Spot
from git_sched.model.ids import escape

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from git_sched.formats.reading.findings import Findings
    from git_sched.formats.reading.words import Tally

OPEN: Final = frozenset({"", " "})
DONE: Final = frozenset({"x", "X", "✓", "✔", "✅"})

_BOX: Final = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(?P<mark>[^\]]{0,2})\](?P<star>\\?\*)?[ \t]*(?P<text>.*)")
_HEADING_BOX: Final = re.compile(r"#{1,6}[ \t]+(?:[-*+][ \t]+)?\[(?P<mark>[ xX])\][ \t]+(?P<text>.*)")
_HEADING: Final = re.compile(r"#{1,6}[ \t]+(?P<text>.*)")
_AFTER_HEADING: Final = " \t#"
_FENCE: Final = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})")


class Heading(NamedTuple):
    """A heading; ``at`` is its line, from 0."""

    at: int
    text: str


class Box(NamedTuple):
    """A list item with a check box; ``at`` is its line, from 0, ``below`` the indented text that follows it.

    ``heading`` is true for a heading with a check box, which some write instead of a list.
    """

    at: int
    mark: str
    starred: bool
    text: str
    below: str
    heading: bool = False


class Checklist(NamedTuple):
    """The headings and boxes of a file; ``unclosed`` is the line of a code block that does not end, from 0, or -1."""

    entries: tuple[Heading | Box, ...]
    unclosed: int = -1


class MarkdownLocate(NamedTuple):
    """Finds spots in a checklist, where a node's number is the index of its line, from 0."""

    path: str

    def __call__(self, spots: Collection[Spot], /) -> Mapping[Spot, Place]:
        """Return the line of each spot's node."""
        return {spot: Place(self.path, spot.node + 1, 1) if spot.node >= 0 else Place(self.path) for spot in spots}


def read_checklist(text: str) -> Checklist:
    """Read the boxes of a Markdown text; code blocks and comments are skipped, as they hold examples."""
    entries: list[Heading | Box] = []
    below: list[str] = []
    fence, fence_at, comment = "", -1, False
    for at, raw in enumerate(text.split("\n")):
        line = raw.rstrip("\r")
        if comment:
            comment = "-->" not in line
            continue
        if found := _FENCE.match(line):
            if not fence:
                fence, fence_at = found["fence"], at
            elif found["fence"].startswith(fence):
                fence = ""
            continue
        if fence:
            continue
        if line.lstrip().startswith("<!--"):
            comment = "-->" not in line
        elif entry := _entry(at, line):
            _close(entries, below)
            entries.append(entry)
        elif not line or line[0] in " \t":
            below.append(line)
        else:
            _close(entries, below)
    _close(entries, below)
    return Checklist(tuple(entries), fence_at if fence else -1)


def report_unclosed(checklist: Checklist, found: Findings) -> None:
    """Warn of a code block that does not end: everything after its first line counts as code."""
    if checklist.unclosed >= 0:
        message = "a code block begins here and does not end; what follows is not read"
        found.warning(Spot(checklist.unclosed), "syntax", message, hint="close it")


def unknown_mark(box: Box, name: str, *, tracker: str, known: str, tally: Tally) -> str:
    """Note that a tracker does not have the mark of a box; return it as a status, with which nothing is offered."""
    message = f"with the mark [{escape(box.mark)}], which {tracker} does not have"
    hint = f"it may be {known}; until then the task is not offered, and what follows waits for it"
    tally.add(Spot(box.at), name, code="unknown-word", message=message, hint=hint)
    return f"[{box.mark}]"


def _entry(at: int, line: str) -> Heading | Box | None:
    if found := _BOX.fullmatch(line):
        return Box(at, found["mark"], starred=bool(found["star"]), text=found["text"].strip(), below="")
    if found := _HEADING_BOX.fullmatch(line):
        text = found["text"].rstrip(_AFTER_HEADING).strip()
        return Box(at, found["mark"], starred=False, text=text, below="", heading=True)
    if found := _HEADING.fullmatch(line):
        return Heading(at, found["text"].rstrip(_AFTER_HEADING))
    return None


def _close(entries: list[Heading | Box], below: list[str]) -> None:
    """Add the lines collected since to the last box; text that is not indented ends what belongs to it."""
    last = entries[-1] if entries else None
    if isinstance(last, Box) and not last.below and below:
        entries[-1] = last._replace(below="\n".join(below))
    below.clear()
