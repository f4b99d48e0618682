"""The input of a simulation: the open work, where agents are warm, and what a cold start costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors.affinity import pool
from git_sched.decide.metrics.estimates import lower_median
from git_sched.decide.metrics.passes import node_weight
from git_sched.decide.simulation import NOWHERE, Work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.decide.metrics import Metrics


def number_repositories(repositories: Sequence[str | None]) -> dict[str | None, int]:
    """Number repositories in the order of their names; no repository is :data:`~.simulation.NOWHERE`."""
    names = sorted({name for name in repositories if name is not None})
    return {None: NOWHERE, **{name: number for number, name in enumerate(names)}}


def collect_open_work(metrics: Metrics, homes: Mapping[str | None, int]) -> Work:
    """Collect what a simulation needs of the open nodes, the same for every plan."""
    network, readiness = metrics.network, metrics.readiness
    missing = [0] * len(network.is_open)
    for point in readiness.order:
        for dependent in readiness.dependents[point]:
            missing[dependent] += not readiness.finished[point]
    for point in readiness.stuck:
        missing[point] += 1
    for i, state in enumerate(readiness.state):
        missing[i] += state in {"blocked_by_status", "deferred", "unknown_status"}
    for i in metrics.running():  # running, it does not start again when what it should have waited for ends
        missing[i] += 1
    return Work(
        [node_weight(node.priority) for node in network.nodes],
        [homes[node.repository] for node in network.nodes],
        readiness.dependents,
        missing,
        frozenset(network.opening) | frozenset(network.container),
        metrics.ready,
    )


def find_own_seats(metrics: Metrics, homes: Mapping[str | None, int]) -> dict[str | None, frozenset[int]]:
    """Find, for each agent by its id, all repositories that it has checked out or works in, as in a decision."""
    running = [metrics.node(i) for i in metrics.running()]
    rows = [(row.agent_id, row.repository) for row in pool(metrics)] + [(n.agent_id, n.repository) for n in running]
    own: dict[str | None, frozenset[int]] = {}
    for agent_id, repository in rows:
        if agent_id is not None and repository is not None and repository in homes:
            own[agent_id] = own.get(agent_id, frozenset()) | {homes[repository]}
    return own


def find_free_seats(
    metrics: Metrics, homes: Mapping[str | None, int], *, named: Sequence[str], number: int
) -> list[frozenset[int]]:
    """Find what unnamed idle agents have checked out: one worktree each, as long as there are any of nobody else."""
    at_work = {metrics.node(i).agent_id for i in metrics.running()}
    trees = sorted((row for row in pool(metrics) if row.repository in homes), key=lambda row: row.repository)
    free = [row.repository for row in trees if row.agent_id not in {*named, *at_work} - {None}]
    seats = [frozenset({homes[repository]}) for repository in free[: max(0, number)]]
    return [*seats, *[frozenset[int]()] * (number - len(seats))]


def estimate_cold_start(metrics: Metrics) -> float:
    """Return the minutes that entering another repository costs: the policy's, else half the median of open nodes.

    It is 0 where sizes are counted in tasks.
    """
    cold, network = metrics.policy.cold_start_minutes, metrics.network
    if metrics.estimates.unit == "task":
        return 0.0
    minutes = [metrics.estimates.sizes[i] for i in range(len(network.nodes)) if network.is_open[i]]
    return cold if cold is not None else 0.5 * lower_median(minutes or [0.0])
