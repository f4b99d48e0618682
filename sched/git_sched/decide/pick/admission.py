"""Admission: which agent can take which node, given what is running, picked and recently dispatched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.pick.gates import Load, collision_gate, limit_gate, recent_dispatches
from git_sched.model.request import Held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.decide.metrics import Metrics
    from git_sched.decide.pick.collisions import Footprints
    from git_sched.model.request import Request


class Admission:
    """Decides which nodes can be picked for which agents, and keeps count of the picks."""

    def __init__(self, metrics: Metrics, request: Request, footprints: Footprints) -> None:
        """Begin with what is running and what was recently dispatched."""
        self._nodes = metrics.network.nodes
        self._limits = metrics.policy.limits
        self._named = request.agents
        self._footprints = footprints
        self._load = Load(metrics)
        self._redispatch = recent_dispatches(metrics)
        self._given: set[str] = set()
        self.unnamed = request.limit - len(request.agents)
        """How many of the requested agents are unnamed and have no node yet."""

    def gate(self, node: int) -> Held | None:
        """Return what keeps a node back from every agent of the request now; ``None`` if one can take it."""
        return self.room(node) or self._agent_gate(node)

    def room(self, node: int) -> Held | None:
        """Return the limit or the collision that keeps a node back from any agent."""
        found = self._nodes[node]
        return limit_gate(self._limits, self._load, found) or collision_gate(self._footprints, self._load, found)

    def refill(self, node: int, held: Held) -> Held:
        """Return the gate of a node that was held before the first pick, filled by what was picked since as well."""
        if held.gate != "collision":
            return held
        return collision_gate(self._footprints, self._load, self._nodes[node]) or held

    def _agent_gate(self, node: int) -> Held | None:
        assignee = self._nodes[node].agent_id
        if assignee is not None and self._named and assignee not in self._named:
            return Held("assigned_to", by=(assignee,))
        able = self._able(assignee)
        if any(self.may(node, agent) for agent in able):
            return None
        gates = [self._redispatch.gate(self._nodes[node], agent) for agent in able]
        gates += [self.full(agent) for agent in able]
        return _join([gate for gate in gates if gate])

    def _able(self, assignee: str | None) -> tuple[str | None, ...]:
        if assignee is not None:
            return (assignee,)
        return (*self._named, *((None,) if self.unnamed > 0 else ()))

    def may(self, node: int, agent_id: str | None) -> bool:
        """Whether an agent has room for a node, and no other agent was given it."""
        return not self.full(agent_id) and not self._redispatch.gate(self._nodes[node], agent_id)

    def full(self, agent_id: str | None) -> Held | None:
        """Return the limit that an agent has reached; without one in the policy a named agent gets one node."""
        if agent_id is None:
            return None
        limit, names = self._limits.per_agent, self._load.names("agent_id", agent_id)
        if limit is not None and len(names) >= limit:
            return Held("limits", "per_agent", limit, names)
        if limit is None and agent_id in self._named and agent_id in self._given:
            return Held("limits", "per_agent", 1, names)
        return None

    def judged_by_agent(self, node: int) -> bool:
        """Whether a node was recently dispatched, so that it can be held for one agent and free for another."""
        found = self._nodes[node]
        return (found.graph_id, found.node_id) in self._redispatch.rows

    def take(self, node: int, agent_id: str | None) -> None:
        """Count a node as picked for an agent."""
        self._load.add(self._nodes[node], agent_id)
        if agent_id is not None:
            self._given.add(agent_id)


def _join(gates: Sequence[Held]) -> Held:
    """Join gates of several agents into the first one, with all that fill it; it ends when it ends for one agent."""
    same = [gate for gate in gates if (gate.gate, gate.limit) == (gates[0].gate, gates[0].limit)]
    by = tuple(dict.fromkeys(name for gate in same for name in gate.by))
    return gates[0]._replace(by=by, until=min((gate.until for gate in same if gate.until is not None), default=None))
