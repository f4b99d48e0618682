"""Deadline: what must start soon so that every due date behind it can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.factors.base import Factor
from git_sched.moment import DAY
from git_sched.wording import amount

if TYPE_CHECKING:
    from git_sched.factors.base import Rater
    from git_sched.survey import Standing, Survey

HORIZON = 7 * DAY
"""Slack, in seconds, from which on a due date does not matter yet."""


def _rater(survey: Survey) -> Rater:
    latest, now = survey.passes.latest, survey.now

    def rate(node: int, _: Standing) -> float:
        limit = latest[node]
        if limit is None or now is None:
            return 0.0
        return min(1.0, max(0.0, 1 - (limit - now) / HORIZON))

    return rate


def _known(survey: Survey, node: int, standing: Standing) -> bool:  # noqa: ARG001 - Factor.known
    return survey.now is not None


def _why(survey: Survey, node: int, standing: Standing) -> str:  # noqa: ARG001 - Factor.why
    limit = survey.passes.latest[node]
    if limit is None:
        return "no due date in reach"
    if survey.now is None:
        return "the time is unknown here; --now names one"
    slack = limit - survey.now
    if slack < 0:
        return f"{amount(-slack / DAY)} days too late for the due dates behind it"
    return f"{amount(slack / DAY)} days of slack to the due dates behind it"


FACTOR = Factor("deadline", "1 less the slack to the nearest due date, over 7 days", _rater, _why, _known)
