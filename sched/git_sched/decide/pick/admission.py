"""Admission: which agent can take which node, given what is running, picked and taken before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.pick.gates import Load, collision_gate, limit_gate
from git_sched.decide.pick.holds import find_holds, find_taken
from git_sched.model.request import Held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.decide.metrics import Metrics
    from git_sched.decide.pick.collisions import Footprints
    from git_sched.model.graph import Node
    from git_sched.model.request import Request


class Admission:
    """Decides which nodes can be picked for which agents, and keeps count of the picks."""

    def __init__(self, metrics: Metrics, request: Request, footprints: Footprints) -> None:
        """Begin with what is running and what was taken before."""
        self._nodes = metrics.network.nodes
        self._limits = metrics.policy.limits
        self._named = request.agents
        self._footprints = footprints
        self._load = Load(metrics)
        self._holds = find_holds(metrics)
        self._given: set[str | None] = set()
        self.unnamed = request.limit - len(request.agents)
        """How many of the requested agents are unnamed and have no node yet."""
        self._before = self._holds.without((*request.agents, *((None,) if self.unnamed > 0 else ())))
        taken = find_taken(metrics, self._holds, request.agents, unnamed=self.unnamed > 0)
        self._own = [metrics.node(i) for i in taken.own]
        self._taken = [metrics.node(i) for i in taken.others]
        for node in self._taken:
            self._load.add(node, None)

    def takers(self) -> list[tuple[str | None, Node]]:
        """Return who has taken what, for the nodes that count as running."""
        return [(row.agent_id, node) for node in self._taken for row in self._holds.taken[node.graph_id, node.node_id]]

    def gate(self, node: int, *, beside: bool = False) -> Held | None:
        """Return what keeps a node back from every agent of the request now; ``None`` if one can take it.

        With ``beside``, for the end, what agents of the request took before and were not picked for again counts.
        """
        return self.room(node) or self._agent_gate(node, beside=beside)

    def room(self, node: int) -> Held | None:
        """Return the limit or the collision that keeps a node back from any agent."""
        found = self._nodes[node]
        return limit_gate(self._limits, self._load, found) or collision_gate(self._footprints, self._load, found)

    def refill(self, node: int, held: Held) -> Held:
        """Return the gate of a node that was held before the first pick, filled by what was picked since as well."""
        if held.gate != "collision":
            return held
        return collision_gate(self._footprints, self._load, self._nodes[node]) or held

    def _agent_gate(self, node: int, *, beside: bool) -> Held | None:
        assignee = self._nodes[node].agent_id
        if assignee is not None and self._named and assignee not in self._named:
            return Held("assigned_to", by=(assignee,))
        able = self._able(assignee)
        found = self._nodes[node]
        gates = [
            self._holds.gate(found, agent) or self.full(agent) or (self._beside(found, agent) if beside else None)
            for agent in able
        ]
        if not all(gates):
            return None
        first = [gate for gate in gates if gate and gate.gate == "redispatch"]
        return _join([*first, *(gate for gate in gates if gate and gate.gate != "redispatch")])

    def _able(self, assignee: str | None) -> tuple[str | None, ...]:
        if assignee is not None:
            return (assignee,)
        return (*self._named, *((None,) if self.unnamed > 0 else ()))

    def may(self, node: int, agent_id: str | None) -> bool:
        """Whether an agent has room for a node, and no other agent was given it."""
        found = self._nodes[node]
        return not (self.full(agent_id) or self._holds.gate(found, agent_id) or self._beside(found, agent_id))

    def could(self, node: int, agent_id: str | None) -> bool:
        """Whether an agent could have got a node, had no agent of the request taken anything on this basis before.

        Who asks again gets the same answer, with the same tasks to compare it with.
        """
        return not self.full(agent_id) and not self._before.gate(self._nodes[node], agent_id)

    def _beside(self, node: Node, agent_id: str | None) -> Held | None:
        """Return the gate of a node for one agent beside what other agents of the request took before and keep."""
        others = [other for other in self._own if other is not node and self._holds.gate(other, agent_id)]
        if not others:
            return None
        load = self._load.with_nodes(others)
        return limit_gate(self._limits, load, node) or collision_gate(self._footprints, load, node)

    def full(self, agent_id: str | None) -> Held | None:
        """Return the limit that an agent has reached; without one in the policy a named agent gets one node."""
        if agent_id is None:
            return None
        limit, names = self._limits.per_agent, self._load.names("agent_id", agent_id)
        if limit is not None and len(names) >= limit:
            return Held("limits", "per_agent", limit, names)
        if limit is None and agent_id in self._given:
            return Held("limits", "per_agent", 1, names)
        return None

    def tasks_of(self, agent_id: str) -> int:
        """Return how many nodes a named agent has, running and picked."""
        return self._load.tasks.get(agent_id, 0)

    def judged_by_agent(self, node: int) -> bool:
        """Whether a node can be held for one agent of the request and free for another."""
        found = self._nodes[node]
        name = (found.graph_id, found.node_id)
        alone = bool(self._own) and (bool(found.paths) or self._limits.tokens is not None)
        return alone or name in self._holds.taken or name in self._holds.returned

    def take(self, node: int, agent_id: str | None) -> None:
        """Count a node as picked for an agent."""
        self._own = [own for own in self._own if own is not self._nodes[node]]
        self._load.add(self._nodes[node], agent_id)
        if agent_id in self._named:
            self._given.add(agent_id)
        else:  # unnamed, or an assignee that was not named
            self.unnamed -= 1


def _join(gates: Sequence[Held]) -> Held:
    """Join gates of several agents into the first one, with all that fill it; it ends when it ends for one agent."""
    kinds = [(gate.gate, gate.limit, gate.returned) for gate in gates]
    same = [gate for gate, kind in zip(gates, kinds, strict=True) if kind == kinds[0]]
    by = tuple(dict.fromkeys(name for gate in same for name in gate.by))
    return gates[0]._replace(by=by, until=min((gate.until for gate in same if gate.until is not None), default=None))
