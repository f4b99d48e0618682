"""CPU time at two sizes: what a test holds is how it grows, never how long anything takes on some machine."""

from __future__ import annotations

import gc
from time import process_time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

FLOOR: Final = 0.04
"""Seconds of CPU below which a growth cannot be told from noise, and is no harm."""

TRIES: Final = 3


def grow(run: Callable[[int], object], few: int, many: int, *, most: float) -> float:
    """Return how many times the CPU of ``few`` the size ``many`` takes; 1 where that is below the floor.

    A ratio above ``most`` is measured again, and the least time of each size counts, so that a busy machine fails
    nothing.
    """
    small, large = _measure(run, few), _measure(run, many)
    for _ in range(TRIES - 1):
        if large < FLOOR or large <= most * small:
            break
        small, large = min(small, _measure(run, few)), min(large, _measure(run, many))
    return 1 if large < FLOOR else large / small


def _measure(run: Callable[[int], object], size: int) -> float:
    gc.disable()  # as the command does
    try:
        start = process_time()
        run(size)
        return process_time() - start
    finally:
        gc.enable()
