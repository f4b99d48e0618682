"""Criticality: how much of the longest remaining path begins with a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.factors.base import Factor, Scale, share
from git_sched.passes import longest_path
from git_sched.wording import amount

if TYPE_CHECKING:
    from git_sched.factors.base import Rater
    from git_sched.survey import Standing, Survey

SHOWN = 3
"""How many nodes of a path are named."""


def _rater(survey: Survey) -> Rater:
    bottom = survey.passes.bottom
    longest = max((bottom[i] for i in survey.ready), default=0.0)
    return lambda node, _: share(bottom[node], longest)


def _why(survey: Survey, node: int, standing: Standing) -> str:  # noqa: ARG001 - Factor.why
    bottom = survey.passes.bottom
    path = longest_path(survey.passes, survey.readiness, node)
    about = "about " if any(survey.estimates.filled(i) for i in path) else ""
    longest = max(bottom[i] for i in survey.ready)
    if len(path) == 1:
        return f"{about}{amount(bottom[node])} of {amount(longest)} min on the longest remaining path"
    home = survey.node(node).graph_id
    steps = [
        f"{survey.node(i).node_id if survey.node(i).graph_id == home else survey.node(i).name} "
        f"{amount(survey.estimates.minutes[i])}"
        for i in path[:SHOWN]
    ]
    rest = f" and {len(path) - SHOWN} more" if len(path) > SHOWN else ""
    return f"{about}{amount(bottom[node])} of {amount(longest)} min: {', '.join(steps)}{rest}"


def _scale(survey: Survey) -> Scale | None:
    bottom = survey.passes.bottom
    if not survey.ready:
        return None
    top = max(survey.ready, key=lambda i: (bottom[i], -i))
    return Scale(f"{amount(bottom[top])} min, the longest remaining path", top)


FACTOR = Factor(
    "criticality",
    "the longest remaining path that begins with the node, over the longest of all",
    _rater,
    _why,
    scale=_scale,
)
