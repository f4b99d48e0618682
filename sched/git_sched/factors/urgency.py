"""Urgency: the largest priority among a node and everything that waits for it, scaled over the ready nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.factors.base import Factor, Scale, share
from git_sched.passes import heir
from git_sched.wording import count

if TYPE_CHECKING:
    from git_sched.factors.base import Rater
    from git_sched.survey import Standing, Survey


def _rater(survey: Survey) -> Rater:
    inherited = survey.passes.inherited
    among_ready = [inherited[i] for i in survey.ready]
    high = max(among_ready, default=0)
    low = min(0, min(among_ready, default=0))
    return lambda node, _: share(inherited[node] - low, high - low)


def _why(survey: Survey, node: int, standing: Standing) -> str:  # noqa: ARG001 - Factor.why
    owner, steps = heir(survey.passes, survey.readiness, node)
    priority = survey.passes.inherited[node]
    if not steps:
        return f"its own priority, {priority}"
    away = "" if steps == 1 else f", {count(steps, 'step')} on"
    return f"{survey.node(owner).name} has priority {priority} and waits for it{away}"


def _scale(survey: Survey) -> Scale | None:
    inherited = survey.passes.inherited
    if not survey.ready:
        return None
    top = max(survey.ready, key=lambda i: (inherited[i], -i))
    low = min(0, *(inherited[i] for i in survey.ready))
    return Scale(f"priorities from {low} to {inherited[top]}", top)


FACTOR = Factor(
    "urgency",
    "the largest priority among the node and all that wait for it, over the ready nodes' range",
    _rater,
    _why,
    scale=_scale,
)
