"""Runtime: shorter nodes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.factors.base import Factor
from git_sched.wording import minutes_text

if TYPE_CHECKING:
    from git_sched.factors.base import Rater
    from git_sched.survey import Standing, Survey

HALF_AT = 30
"""Minutes at which the rating is one half."""


def _rater(survey: Survey) -> Rater:
    minutes = survey.estimates.minutes
    return lambda node, _: 1 / (1 + minutes[node] / HALF_AT)


def _why(survey: Survey, node: int, standing: Standing) -> str:  # noqa: ARG001 - Factor.why
    return minutes_text(survey.estimates.minutes[node], filled=survey.estimates.filled(node))


FACTOR = Factor("runtime", "1 / (1 + minutes / 30)", _rater, _why)
