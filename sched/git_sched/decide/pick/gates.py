"""Gates: what keeps a ready node back (a limit, a collision, merge pressure), and who fills it."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from git_sched.decide.factors.affinity import pool
from git_sched.model.request import Held

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from git_sched.decide.metrics import Metrics
    from git_sched.decide.pick.collisions import Footprints
    from git_sched.model.graph import Node
    from git_sched.model.policy import Limits


class Load:
    """What is running or picked so far; it changes with each pick."""

    def __init__(self, metrics: Metrics) -> None:
        """Begin with the running nodes of active graphs."""
        self.nodes: list[tuple[Node, str | None]] = []
        self.tasks: dict[str | None, int] = {}
        self.tokens = 0
        for i in metrics.running():
            self.add(metrics.node(i), metrics.node(i).agent_id)

    def add(self, node: Node, agent_id: str | None) -> None:
        """Count a node as taken by an agent; ``None`` for an unknown one."""
        self.nodes.append((node, agent_id))
        self.tasks[agent_id] = self.tasks.get(agent_id, 0) + 1
        self.tokens += node.tokens

    def with_nodes(self, nodes: Iterable[Node]) -> Load:
        """Return a copy that counts further nodes as taken."""
        found = copy(self)
        found.nodes, found.tasks = list(self.nodes), dict(self.tasks)
        for node in nodes:
            found.add(node, None)
        return found

    def drop(self, node: Node, agent_id: str | None) -> None:
        """Stop counting a node that is finished."""
        self.nodes.remove((node, agent_id))
        self.tasks[agent_id] -= 1
        self.tokens -= node.tokens

    def names(self, key: str, value: str | None) -> tuple[str, ...]:
        """Return the names of the taken nodes of a graph, a repository or an agent."""
        if key == "agent_id":
            return tuple(node.name for node, agent in self.nodes if agent == value)
        return tuple(node.name for node, _ in self.nodes if getattr(node, key) == value)

    def in_repository(self, repository: str | None) -> Iterable[Node]:
        """Return the taken nodes of a repository."""
        return (node for node, _ in self.nodes if node.repository == repository)


def limit_gate(limits: Limits, load: Load, node: Node) -> Held | None:
    """Return the limit of the policy that taking this node would exceed, or ``None``."""
    if limits.total is not None and len(load.nodes) >= limits.total:
        return Held("limits", "total", limits.total, tuple(n.name for n, _ in load.nodes))
    checks = (
        ("per_graph", limits.per_graph, "graph_id", node.graph_id),
        ("per_repository", limits.per_repository, "repository", node.repository),
    )
    for name, limit, key, value in checks:
        if limit is not None and value is not None and len(names := load.names(key, value)) >= limit:
            return Held("limits", name, limit, names)
    if limits.tokens is not None and load.tokens + node.tokens > limits.tokens:
        return Held("budget", "tokens", limits.tokens, tuple(n.name for n, _ in load.nodes))
    return None


def collision_gate(footprints: Footprints, load: Load, node: Node) -> Held | None:
    """Return the gate of a node that can change the same file as running or picked nodes, naming all of these."""
    if not node.paths:
        return None
    others = load.in_repository(node.repository)
    found = {other.name: at for other in others if (at := footprints.collide(node, other))}
    return Held("collision", by=tuple(found), at=next(iter(found.values()))) if found else None


def pressure_gate(metrics: Metrics, node: int) -> Held:
    """Return the gate of a node that is skipped because of the merges queued for its repository."""
    threshold, repository = metrics.policy.merge_queue_threshold, metrics.node(node).repository or ""
    return Held("merge_pressure", "merge_queue_threshold", threshold, (repository,))


class WarmSeats:
    """Who is warm where: named agents by their worktrees, unnamed ones by the worktrees that no named agent owns.

    An agent is warm in a repository that it has checked out or works in; such a worktree is a seat.
    """

    def __init__(self, metrics: Metrics, named: tuple[str, ...], taken: Sequence[tuple[str | None, Node]] = ()) -> None:
        """Collect the worktrees of the pool and the repositories in which agents work; ``taken`` says who took what."""
        rows = pool(metrics)
        working = [*((n.agent_id, n) for n in map(metrics.node, metrics.running())), *taken]
        self._homes = {(row.agent_id, row.repository) for row in rows if row.agent_id is not None}
        self._homes |= {(agent, node.repository) for agent, node in working if agent and node.repository}
        self._free: dict[str, list[str | None]] = {}
        for row in sorted(rows, key=lambda r: (r.repository, r.agent_id or "")):
            if row.agent_id not in named or row.agent_id is None:
                self._free.setdefault(row.repository, []).append(row.agent_id)

    def warm(self, agent_id: str | None, repository: str | None) -> bool:
        """Whether an agent is warm in a repository; an unnamed one is as long as a seat is left there."""
        if repository is None:
            return False
        return bool(self._free.get(repository)) if agent_id is None else (agent_id, repository) in self._homes

    def homes(self, agent_id: str) -> tuple[str, ...]:
        """Return the repositories in which a named agent is warm, in order."""
        return tuple(sorted(home for agent, home in self._homes if agent == agent_id))

    def sit(self, agent_id: str | None, repository: str | None) -> None:
        """Use up the seat that a pick takes: an unnamed agent's, or the assignee's own worktree."""
        free = self._free.get(repository or "", [])
        if agent_id is None and free:
            free.pop(0)
        elif agent_id in free:
            free.remove(agent_id)
