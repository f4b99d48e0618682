"""The standard streams: usable even if the caller closed them, and silent when the reader has left."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper, UnsupportedOperation
from typing import TextIO

from git_sched.model.characters import break_commands, escape
from git_sched.model.problems import WorldError


def prepare() -> None:
    """Open closed streams on the null device, and make stdout and stderr escape what their encoding cannot show."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # it gets the lowest free number, so that no other file does
    sys.stdout = _usable(sys.stdout, 1)
    sys.stderr = _usable(sys.stderr, 2)


def _usable(stream: TextIO | None, number: int) -> TextIO:
    found = stream or os.fdopen(number, "w", encoding="utf-8", closefd=False)
    if isinstance(found, TextIOWrapper):
        found.reconfigure(errors="backslashreplace")
    return found


def write_out(text: str, *, utf8: bool = False) -> None:
    """Write to stdout; with ``utf8`` in this encoding, whatever the locale (JSON allows no other).

    Raises:
        WorldError: it cannot be written, for instance because the disk is full.
    """
    if utf8 and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        give_up(sys.stdout)
    except OSError as error:
        give_up(sys.stdout)
        raise WorldError(f"the answer cannot be written: {error.strerror or error}") from None


def write_err(text: str) -> None:
    """Write lines to stderr, each made safe to print; if that is not possible, do nothing."""
    if not text:
        return
    try:
        sys.stderr.write("\n".join(map(escape_line, text.split("\n"))) + "\n")
        sys.stderr.flush()
    except OSError:
        give_up(sys.stderr)


def escape_line(text: str) -> str:
    """Make a line of a message safe to print: it may quote text of others."""
    return break_commands(escape(text))


def give_up(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that Python does not complain at the end about what is left in it."""
    with suppress(UnsupportedOperation), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
