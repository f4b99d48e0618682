"""Priority: the node's own integer, as RFC-0012 has it; the only rating that is not within 0..1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.factors.base import Factor

if TYPE_CHECKING:
    from git_sched.factors.base import Rater
    from git_sched.survey import Standing, Survey


def _rater(survey: Survey) -> Rater:
    nodes = survey.network.nodes
    return lambda node, _: float(nodes[node].priority)


def _why(survey: Survey, node: int, standing: Standing) -> str:  # noqa: ARG001 - Factor.why
    return f"its own priority, {survey.node(node).priority}"


FACTOR = Factor("priority", "the node's own priority, unscaled", _rater, _why)
