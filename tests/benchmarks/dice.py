"""Repeatable chance: numbers that depend on a text and on nothing else."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

Face = TypeVar("Face")


class Dice(random.Random):
    """A Mersenne Twister seeded by a text.

    ``random.Random`` turns a text into its state by SHA-512, so a seed means the same on every
    machine and for every PYTHONHASHSEED. Meant for invented projects, not for secrets.
    """

    def chance(self, probability: float) -> bool:
        """Say yes with this probability."""
        return self.random() < probability

    def drawn(self, shares: Mapping[Face, float]) -> Face:
        """Draw a face, each as often as its share says; shares need not add up to 1."""
        return self.choices(list(shares), list(shares.values()))[0]

    def skewed(self, *, median: float, sigma: float) -> float:
        """Draw a lognormal number: exp of a normal one, mean log(median), deviation sigma."""
        return self.lognormvariate(math.log(median), sigma)

    def noise(self, sigma: float) -> float:
        """Draw a lognormal factor whose mean is 1.

        The mean of exp(N(mu, sigma)) is exp(mu + sigma^2 / 2), so mu is -sigma^2 / 2.
        """
        return self.lognormvariate(-sigma * sigma / 2, sigma)
