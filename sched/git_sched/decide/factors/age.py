"""Age: what has waited longest comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared, Scale, share
from git_sched.model.phrases import days

if TYPE_CHECKING:
    from git_sched.decide.metrics import Standing, Survey


def prepare(survey: Survey) -> Prepared:
    """Rate the time since ``created_at`` over the largest among the ready; absent is 0."""
    ages = {i: _age(survey, i) for i in survey.ready}
    top = max(ages, key=lambda i: (ages[i], -i), default=None)
    oldest = 0 if top is None else ages[top]

    def why(node: int, _: Standing) -> str:
        if survey.now is None:
            return "the time is unknown here; --now names one"
        if survey.node(node).created_at is None:
            return "it has no created_at"
        return f"created {days(ages[node])} ago"

    return Prepared(
        rate=lambda node, _: share(ages[node] if node in ages else _age(survey, node), oldest),
        why=why,
        known=lambda _, __: survey.now is not None,
        scale=None if top is None else Scale(f"{days(oldest)}, the oldest", top),
    )


def _age(survey: Survey, node: int) -> int:
    created = survey.node(node).created_at
    return 0 if created is None or survey.now is None else max(0, survey.now - created)


FACTOR = Factor("age", "time since created_at, over the oldest ready node's", prepare)
