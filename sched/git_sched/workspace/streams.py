"""The standard streams: usable even if the caller closed them, and silent when the reader has left.

What they are printed on, a pipe or a terminal of some width, is found out here.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper, UnsupportedOperation
from typing import TYPE_CHECKING, Final, TextIO

from git_sched.model.characters import break_commands, escape
from git_sched.model.problems import WorldError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched.model.screen import Screen

COLUMNS: Final = 80
"""How wide a terminal is that does not tell."""


_closed: Final[set[int]] = set()
"""The numbers of the standard streams that the caller had closed."""


def prepare() -> None:
    """Open closed streams on the null device, and make stdout and stderr escape what their encoding cannot show."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # it gets the lowest free number, so that no other file does
            _closed.add(number)
    sys.stdout = _usable(sys.stdout, 1)
    sys.stderr = _usable(sys.stderr, 2)


def _usable(stream: TextIO | None, number: int) -> TextIO:
    found = stream or os.fdopen(number, "w", encoding="utf-8", closefd=False)
    if isinstance(found, TextIOWrapper):
        found.reconfigure(errors="backslashreplace")
    return found


def measure_screen(stream: TextIO, environment: Mapping[str, str], *, paged: bool = False) -> Screen:
    """Find out what a stream is printed on.

    ``paged`` says that the stream may lead to a pager of git's, which then counts as a terminal. Colors follow
    ``NO_COLOR``, ``FORCE_COLOR``, ``CLICOLOR`` and ``TERM=dumb``; the first of these that is set decides.
    """
    from git_sched.model.screen import Screen

    pager = paged and _is_on(environment.get("GIT_PAGER_IN_USE"))
    terminal = stream.isatty() or pager
    encoding = (stream.encoding or "utf-8").lower().replace("-", "").replace("_", "")
    return Screen(
        width=_measure_width(stream, environment) if terminal else None,
        color=_shows_color(environment, terminal=terminal),
        utf8=encoding == "utf8",
    )


def _is_on(value: str | None) -> bool:
    return value is not None and value.lower() not in {"", "0", "false", "no", "off"}


def _shows_color(environment: Mapping[str, str], *, terminal: bool) -> bool:
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return _is_on(environment["FORCE_COLOR"])
    return terminal and environment.get("CLICOLOR") != "0" and environment.get("TERM") != "dumb"


def _measure_width(stream: TextIO, environment: Mapping[str, str]) -> int:
    given = environment.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given[:6]) > 0:
        return int(given[:6])
    try:
        return os.get_terminal_size(stream.fileno()).columns or COLUMNS
    except OSError:  # a pager, or no terminal at all
        return COLUMNS


def write_out(text: str, *, utf8: bool = False) -> bool:
    """Write to stdout; with ``utf8`` in this encoding, whatever the locale (JSON allows no other).

    Returns whether the reader was still there.

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
        return False
    except OSError as error:
        give_up(sys.stdout)
        raise WorldError(f"stdout cannot be written: {error.strerror or error}") from None
    return True


def has_stdout() -> bool:
    """Return whether the caller left stdout open, so that what is printed can be read at all."""
    return 1 not in _closed


def write_err(text: str, *, style: str = "") -> None:
    """Write lines to stderr, each made safe to print; if that is not possible, do nothing.

    ``style`` is the parameter of the escape sequence for its color or weight, where stderr shows any.
    """
    if not text:
        return
    escaped = "\n".join(map(escape_line, text.split("\n")))
    if style and measure_screen(sys.stderr, os.environ).color:
        escaped = f"\x1b[{style}m{escaped}\x1b[0m"
    try:
        sys.stderr.write(f"{escaped}\n")
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
