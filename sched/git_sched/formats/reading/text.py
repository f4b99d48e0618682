"""Decodes bytes: UTF-8 only, without a byte order mark, and never with the markers of an unfinished merge."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from git_sched.model.blob import Blob

_BOM = b"\xef\xbb\xbf"
_BEGINS = re.compile(rb"^<{7}(?: [^\n]*)?\r?$", re.MULTILINE)
_ENDS = re.compile(rb"^>{7}(?: [^\n]*)?\r?$", re.MULTILINE)


def read_text(blob: Blob) -> str | Problem:
    """Decode a file, or return the problem: wrong encoding, or conflict markers."""
    data = blob.data.removeprefix(_BOM)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line, column = position(data[: error.start].decode("latin-1"), error.start)
        message = f"this is not UTF-8 text: byte {data[error.start]:#04x} on line {line}"
        return Problem("error", "encoding", message, blob.path, line, column, hint="save the file as UTF-8")
    if b"<<<<<<<" in data and (found := _BEGINS.search(data)) and _ENDS.search(data, found.end()):
        line = data.count(b"\n", 0, found.start()) + 1
        message = "the file holds the conflict markers of an unfinished merge"
        return Problem(
            "error", "conflict-marker", message, blob.path, line, 1, hint="resolve the conflict, then ask again"
        )
    return text


def position(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, both from 1, of an offset into a text."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


class Lines:
    """Finds line and column of many offsets into one text."""

    def __init__(self, text: str) -> None:
        """Find where each line begins."""
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def __call__(self, offset: int) -> tuple[int, int]:
        """Return line and column, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
