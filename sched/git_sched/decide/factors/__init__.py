"""The factors, in the order in which they are shown. A new one is a file beside this and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.decide.factors import (
    affinity,
    age,
    cost,
    criticality,
    deadline,
    fairness,
    payoff,
    priority,
    runtime,
    urgency,
)

if TYPE_CHECKING:
    from git_sched.decide.factors.base import Factor

FACTORS: Final[tuple[Factor, ...]] = (
    priority.FACTOR,
    urgency.FACTOR,
    criticality.FACTOR,
    affinity.FACTOR,
    payoff.FACTOR,
    cost.FACTOR,
    runtime.FACTOR,
    fairness.FACTOR,
    age.FACTOR,
    deadline.FACTOR,
)

FACTOR_NAMES: Final = tuple(factor.name for factor in FACTORS)
