"""The lines of a log file: from its end, so that a long log costs only what is needed of it, or all in order."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from git_sched.model.json_codec import load

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK: Final = 1 << 16
"""Bytes that are read at once."""

LONGEST: Final = 1 << 20
"""Bytes of a line beyond which it is not a recorded decision, so that it need not be kept in memory."""

TOO_LONG: Final = b"?"
"""What is given in place of a line that is too long: as JSON it is nothing."""

MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark that some editors and shells write before text."""


def lines_from_end(descriptor: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of an open file, the last one first, each with the position at which it begins."""
    end = os.fstat(descriptor).st_size
    pieces: list[bytes] = []  # of the line that begins before what was read, the last piece first
    size = 0
    while end > 0:
        start = max(0, end - BLOCK)
        first, *others = os.pread(descriptor, end - start, start).split(b"\n")
        position = end
        for part in reversed(others):
            position -= len(part)
            yield position, _join(part, pieces, size=size + len(part))
            position -= 1
            pieces, size = [], 0
        size += len(first)
        if size <= LONGEST:
            pieces.append(first)
        end = start
    yield 0, _join(b"", pieces, size=size)


def _join(first: bytes, pieces: list[bytes], *, size: int) -> bytes:
    return TOO_LONG if size > LONGEST else b"".join((first, *reversed(pieces)))


def lines_in_order(descriptor: int) -> Iterator[bytes]:
    """Yield the lines of an open file in order, each with its line feed if it has one.

    Lines that are appended after the first was asked for are left out.
    """
    left = os.fstat(descriptor).st_size
    with open(descriptor, "rb", closefd=False) as file:
        file.seek(0)
        while left > 0 and (line := file.readline()):
            left -= len(line)
            yield line


def number_lines(descriptor: int, positions: list[int]) -> list[int]:
    """Return the numbers, from 1, of the lines that begin at these positions, which are in rising order."""
    numbers, at, number = [], 0, 1
    for position in positions:
        while at < position:
            block = os.pread(descriptor, min(BLOCK, position - at), at)
            number += block.count(b"\n")
            at += len(block) or position - at  # the file was made shorter meanwhile
        numbers.append(number)
    return numbers


def parse_line(line: bytes) -> dict[str, object] | None:
    """Return the JSON object of a line, whatever byte order mark is before it; ``None`` if it is none."""
    try:
        value = load(line.strip().removeprefix(MARK))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
