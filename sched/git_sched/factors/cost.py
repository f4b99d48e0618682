"""Cost: fewer tokens first, as RFC-0012 has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.factors.base import Factor

if TYPE_CHECKING:
    from git_sched.factors.base import Rater
    from git_sched.survey import Standing, Survey


def _rater(survey: Survey) -> Rater:
    nodes = survey.network.nodes
    return lambda node, _: 1 / (1 + nodes[node].tokens / 1000)


def _why(survey: Survey, node: int, standing: Standing) -> str:  # noqa: ARG001 - Factor.why
    found = survey.node(node)
    given = found.estimated_tokens is not None or found.context_budget is not None
    return f"{'' if given else 'about '}{found.tokens} tokens"


FACTOR = Factor("cost", "1 / (1 + tokens / 1000)", _rater, _why)
