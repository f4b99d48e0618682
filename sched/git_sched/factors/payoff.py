"""Payoff: how much weight per minute the best chain that begins with a node finishes."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from git_sched.factors.base import Factor, Scale, share
from git_sched.passes import density
from git_sched.wording import amount

if TYPE_CHECKING:
    from git_sched.factors.base import Rater
    from git_sched.survey import Standing, Survey


def _one_priority(survey: Survey) -> bool:
    nodes, is_open = survey.network.nodes, survey.network.is_open
    return len({node.priority for i, node in enumerate(nodes) if is_open[i]}) < 2  # noqa: PLR2004 - one or none


def _rater(survey: Survey) -> Rater:
    if _one_priority(survey):
        return lambda _, __: 0.0
    chain = survey.passes.chain
    best = sqrt(max((density(chain[i]) for i in survey.ready), default=0.0))
    return lambda node, _: share(sqrt(density(chain[node])), best)


def _why(survey: Survey, node: int, standing: Standing) -> str:  # noqa: ARG001 - Factor.why
    if _one_priority(survey):
        return "all open tasks have one priority"
    weight, minutes = survey.passes.chain[node]
    best = max(density(survey.passes.chain[i]) for i in survey.ready)
    text = f"weight {amount(weight)} in {amount(minutes)} min"
    if density((weight, minutes)) == best:
        return f"finishes the most weight per minute: {amount(weight)} in {amount(minutes)} min"
    return text


def _scale(survey: Survey) -> Scale | None:
    if not survey.ready or _one_priority(survey):
        return None
    chain = survey.passes.chain
    top = max(survey.ready, key=lambda i: (density(chain[i]), -i))
    weight, minutes = chain[top]
    return Scale(f"weight {amount(weight)} in {amount(minutes)} min, the densest chain", top)


FACTOR = Factor(
    "payoff",
    "square root of the weight per minute of the best chain that begins with the node",
    _rater,
    _why,
    scale=_scale,
)
