"""Affinity: whether the agent that would get a node already has a worktree of its repository, or works there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.factors.base import Factor

if TYPE_CHECKING:
    from git_sched.factors.base import Rater
    from git_sched.signals import Worktree
    from git_sched.survey import Standing, Survey


def _rater(survey: Survey) -> Rater:
    if survey.policy.exact_rfc:
        warm = {row.repository for row in pool(survey)}
        nodes = survey.network.nodes
        return lambda node, _: float(nodes[node].repository in warm)
    return lambda _, standing: float(standing.warm)


def pool(survey: Survey) -> list[Worktree]:
    """Give the worktrees that count: those of the policy's agent pool, or any agent's where no pool is named."""
    members = survey.policy.agent_pool
    return [row for row in survey.signals.worktrees.rows if not members or row.agent_id in members]


def _known(survey: Survey, node: int, standing: Standing) -> bool:
    repository = survey.node(node).repository
    return standing.warm or repository is None or survey.signals.worktrees.speaks_of(repository)


def _why(survey: Survey, node: int, standing: Standing) -> str:
    repository = survey.node(node).repository
    if repository is None:
        return "it names no repository"
    if not _known(survey, node, standing):
        return f"no source says who has a worktree of {repository}"
    here = [row for row in pool(survey) if row.repository == repository]
    owners = sorted({row.agent_id for row in here if row.agent_id is not None})
    if standing.agent_id is not None:
        if standing.agent_id in owners:
            return f"{standing.agent_id} has a worktree of {repository}"
        return f"{standing.agent_id} " + (
            f"works in {repository}" if standing.warm else f"has no worktree of {repository}"
        )
    if not here:
        return f"no worktree of {repository}"
    if not standing.warm and not survey.policy.exact_rfc:
        return f"no free worktree of {repository}"
    return f"{owners[0]} has a worktree of {repository}" if owners else f"there is a worktree of {repository}"


FACTOR = Factor(
    "affinity", "1 where the agent that would get the node is warm in its repository", _rater, _why, _known, moves=True
)
