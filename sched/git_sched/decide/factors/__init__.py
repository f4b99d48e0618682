"""The factors of a score, in the order in which they are shown. A new one is a module of that name and a line here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from git_sched.decide.factors.base import Factor

FACTOR_NAMES: Final = (
    "priority",
    "urgency",
    "criticality",
    "affinity",
    "payoff",
    "cost",
    "runtime",
    "fairness",
    "age",
    "deadline",
)

FACTORS: Final[tuple[Factor, ...]] = tuple(import_module(f"{__name__}.{name}").FACTOR for name in FACTOR_NAMES)
"""All factors; each is ``FACTOR`` in the module of its name."""
