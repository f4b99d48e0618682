"""Criticality: how much of the longest remaining path begins with a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared, Scale, share
from git_sched.decide.metrics.passes import longest_path
from git_sched.model.phrases import amount

if TYPE_CHECKING:
    from git_sched.decide.metrics import Survey


SHOWN = 3
"""How many nodes of a path are named."""


def prepare(survey: Survey) -> Prepared:
    """Rate the longest path that begins with a node over the longest of all ready nodes."""
    bottom = survey.passes.bottom
    top = max(survey.ready, key=lambda i: (bottom[i], -i), default=None)
    longest = 0.0 if top is None else bottom[top]
    about = survey.estimates.about([] if top is None else longest_path(survey.passes, survey.readiness, top))
    return Prepared(
        rate=lambda node, _: share(bottom[node], longest),
        why=lambda node, _: _why(survey, node, longest, about),
        scale=None if top is None else Scale(f"{about}{amount(longest)} min, the longest remaining path", top),
    )


def _why(survey: Survey, node: int, longest: float, about: str) -> str:
    path = longest_path(survey.passes, survey.readiness, node)
    about = about or survey.estimates.about(path)
    total = f"{about}{amount(survey.passes.bottom[node])} of {amount(longest)} min"
    if len(path) == 1:
        return f"{total} on the longest remaining path"
    home = survey.node(node).graph_id
    steps = [
        f"{survey.node(i).node_id if survey.node(i).graph_id == home else survey.node(i).name} "
        f"{amount(survey.estimates.minutes[i])}"
        for i in path[:SHOWN]
    ]
    rest = f" and {len(path) - SHOWN} more" if len(path) > SHOWN else ""
    return f"{total}: {', '.join(steps)}{rest}"


FACTOR = Factor("criticality", "the longest remaining path that begins with the node, over the longest of all", prepare)
