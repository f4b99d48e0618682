"""Affinity: prefers tasks in a repository that the agent already has checked out, or works in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.base import Factor, Prepared
from git_sched.model.phrases import Piece

if TYPE_CHECKING:
    from git_sched.decide.factors.base import Pair
    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause
    from git_sched.model.request import PickContext
    from git_sched.model.signals import Worktree


def pool(metrics: Metrics) -> list[Worktree]:
    """Return the worktrees that count: those of the policy's agent pool, or all where the policy names no pool."""
    members = metrics.policy.agent_pool
    return [row for row in metrics.signals.worktrees.rows if not members or row.agent_id in members]


def prepare(metrics: Metrics) -> Prepared:
    """Rate 1 where the agent has the repository checked out or works in it; under RFC-0012, where anybody does."""
    nodes = metrics.network.nodes
    trees, exact = metrics.signals.worktrees, metrics.policy.exact_rfc
    owners: dict[str, set[str | None]] = {}
    for row in pool(metrics):
        owners.setdefault(row.repository, set()).add(row.agent_id)

    def warm(node: int, context: PickContext) -> bool:
        return nodes[node].repository in owners if exact else context.warm

    def known(node: int, context: PickContext) -> bool:
        repository = nodes[node].repository
        return warm(node, context) or repository is None or trees.speaks_of(repository)

    def why(node: int, context: PickContext) -> str:
        repository = nodes[node].repository
        if repository is None:
            return "it names no repository"
        if not known(node, context):
            return f"no source says who has {repository} checked out"
        return _say(repository, owners.get(repository, set()), context.agent_id, warm=warm(node, context))

    def clause(pair: Pair) -> Clause:
        repository, agent_id = nodes[pair.pick.node].repository or "", pair.pick.context.agent_id
        named = owners.get(repository, set()) - {None}
        if agent_id is not None and agent_id not in named and not exact:
            return (Piece(agent_id, name=True), Piece(" is already working in "), Piece(repository, name=True))
        owner = agent_id if agent_id in named else min((name for name in named if name), default=None)
        if owner is None:
            return (Piece(repository, name=True), Piece(" is already checked out in a worktree"))
        return (Piece(owner, name=True), Piece(" already has "), Piece(repository, name=True), Piece(" checked out"))

    return Prepared(rate=lambda node, context: float(warm(node, context)), why=why, known=known, clause=clause)


def _say(repository: str, owners: set[str | None], agent_id: str | None, *, warm: bool) -> str:
    if agent_id is not None and agent_id not in owners:
        return (
            f"{agent_id} is working in {repository}" if warm else f"{agent_id} does not have {repository} checked out"
        )
    if not owners:
        return f"nobody has {repository} checked out"
    if not warm:
        return f"nobody who is free has {repository} checked out"
    named = sorted(owner for owner in owners if owner is not None)
    return f"{agent_id or (named[0] if named else 'somebody')} has {repository} checked out"


FACTOR = Factor("affinity", "1 where the agent that would get the node is warm in its repository", prepare, moves=True)
