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
    """Return the worktrees that count: those of the policy's agent pool and of named agents, or all without a pool."""
    policy, named = metrics.policy, metrics.agents
    return [row for row in metrics.signals.worktrees.rows if policy.counts_worktrees_of(row.agent_id, named)]


def find_left_out(metrics: Metrics) -> dict[str, set[str | None]]:
    """Return whose worktrees the policy's agent pool leaves out, by repository."""
    policy, named = metrics.policy, metrics.agents
    left_out: dict[str, set[str | None]] = {}
    for row in metrics.signals.worktrees.rows:
        if not policy.counts_worktrees_of(row.agent_id, named):
            left_out.setdefault(row.repository, set()).add(row.agent_id)
    return left_out


def prepare(metrics: Metrics) -> Prepared:
    """Rate 1 where the agent has the repository checked out or works in it; under RFC-0012, where anybody does."""
    nodes = metrics.network.nodes
    trees, exact = metrics.signals.worktrees, metrics.policy.exact_rfc
    owners: dict[str, set[str | None]] = {}
    for row in pool(metrics):
        owners.setdefault(row.repository, set()).add(row.agent_id)
    left_out = find_left_out(metrics)

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
        have, others = owners.get(repository, set()), left_out.get(repository, set())
        agent_id = None if exact else context.agent_id  # under RFC-0012 it does not matter who would get the node
        return _say(repository, agent_id, have=have, left_out=others, warm=warm(node, context))

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


def _say(repository: str, agent_id: str | None, *, have: set[str | None], left_out: set[str | None], warm: bool) -> str:
    """Say who has a repository checked out: ``have`` count, ``left_out`` do not as they are outside the pool."""
    if agent_id is not None and agent_id not in have:
        if warm:
            return f"{agent_id} is working in {repository}"
        if agent_id in left_out:
            return f"{agent_id} has {repository} checked out, but is not in agent_pool"
        return f"{agent_id} does not have {repository} checked out"
    if not have:
        return f"nobody {'in agent_pool ' if left_out else ''}has {repository} checked out"
    if not warm:
        return f"nobody who is free has {repository} checked out"
    named = sorted(owner for owner in have if owner is not None)
    return f"{agent_id or (named[0] if named else 'somebody')} has {repository} checked out"


FACTOR = Factor("affinity", "1 where the agent that would get the node is warm in its repository", prepare, moves=True)
