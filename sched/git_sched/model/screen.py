"""The screen that text is printed on: how wide it is, and whether it shows colors and more than ASCII."""

from __future__ import annotations

from typing import NamedTuple


class Screen(NamedTuple):
    """The screen that text is printed on; without arguments, a pipe that takes ASCII only.

    ``width`` is the number of columns, ``None`` where lines are neither cut nor wrapped. ``verbose`` says whether the
    numbers behind an answer are printed as well.
    """

    width: int | None = None
    color: bool = False
    utf8: bool = False
    verbose: bool = False
