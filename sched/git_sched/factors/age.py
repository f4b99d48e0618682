"""Age: what has waited longest comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.factors.base import Factor, Scale, share
from git_sched.moment import DAY
from git_sched.wording import amount

if TYPE_CHECKING:
    from git_sched.factors.base import Rater
    from git_sched.survey import Standing, Survey


def _age(survey: Survey, node: int) -> int:
    created = survey.node(node).created_at
    return 0 if created is None or survey.now is None else max(0, survey.now - created)


def _rater(survey: Survey) -> Rater:
    oldest = max((_age(survey, i) for i in survey.ready), default=0)
    return lambda node, _: share(_age(survey, node), oldest)


def _known(survey: Survey, node: int, standing: Standing) -> bool:  # noqa: ARG001 - Factor.known
    return survey.now is not None


def _why(survey: Survey, node: int, standing: Standing) -> str:  # noqa: ARG001 - Factor.why
    if survey.now is None:
        return "the time is unknown here; --now names one"
    if survey.node(node).created_at is None:
        return "it has no created_at"
    return f"created {amount(_age(survey, node) / DAY)} days ago"


def _scale(survey: Survey) -> Scale | None:
    if not survey.ready:
        return None
    top = max(survey.ready, key=lambda i: (_age(survey, i), -i))
    return Scale(f"{amount(_age(survey, top) / DAY)} days, the oldest", top)


FACTOR = Factor("age", "time since created_at, over the oldest ready node's", _rater, _why, _known, scale=_scale)
