"""The schedule of a forecast: the remaining work simulated to its end under the gates, with who takes what and when.

What starts now is what ``next`` picks, and nothing else. The rest is simulated with the scores as they are now: the
best (node, agent) pair goes first, again and again, under limits, assignments and colliding files. After what it starts
now, each agent does one node at a time.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.pick import footprints_of
from git_sched.decide.pick.gates import Load, collision_gate, limit_gate
from git_sched.decide.simulation import NOWHERE, Simulation
from git_sched.model.request import Held

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_sched.decide.forecast.staff import Staff
    from git_sched.decide.metrics import Metrics
    from git_sched.decide.simulation import Scores, Work
    from git_sched.model.request import Request

Entry = tuple[float, int]
"""A node in a heap, after its negative score."""

Group = tuple[int, str, str | None]
"""What limits and assignments distinguish nodes by: repository, graph (where graphs are limited), assignee."""


class Assignment(NamedTuple):
    """A node that one agent does without a break, from ``start`` to ``end``, in minutes from now.

    ``agent`` is a place in the staff, ``agent_id`` its id for this node, if known. ``cold`` are the minutes of it that
    are a cold start. ``running`` means that it began before now.
    """

    node: int
    agent: int
    agent_id: str | None
    start: float
    end: float
    cold: float
    running: bool


class Later(NamedTuple):
    """What a schedule needs besides work and staff: fixed scores, the first pairs, and when holds end.

    ``releases`` are nodes with the minute from now at which each is free again. ``warm`` are the nodes of the first
    pairs in whose repositories their agents are warm.
    """

    plan: Scores
    minutes: Sequence[float]
    releases: Sequence[tuple[float, int]]
    warm: Collection[int]


class Schedule(NamedTuple):
    """The result: assignments in the order in which they start, the points that are done, and what is held for ever.

    Assignments that start at the same minute are in the order in which they were picked.
    """

    assignments: tuple[Assignment, ...]
    done: frozenset[int]
    held: Mapping[int, Held]


def simulate_schedule(metrics: Metrics, request: Request, *, work: Work, staff: Staff, later: Later) -> Schedule:
    """Simulate the work to its end."""
    playout = _GatedSimulation(metrics, request, work=work, staff=staff, later=later)
    playout.run()
    done = {assignment.node for assignment in playout.assignments} | {
        point for point in work.free if not playout.missing[point]
    }
    return Schedule(tuple(playout.assignments), frozenset(done), playout.held())


class _GatedSimulation(Simulation):
    """A simulation in which gates apply to the end, and which records who takes what."""

    def __init__(self, metrics: Metrics, request: Request, *, work: Work, staff: Staff, later: Later) -> None:
        self.nodes, self.limits, self.staff = metrics.network.nodes, metrics.policy.limits, staff
        self.named = frozenset(name for name in staff.names if name is not None)
        self.load = Load(metrics)
        self.takers = {node: self.nodes[node].agent_id for node in staff.crew.busy}
        self.footprints = footprints_of(request)
        self.groups: dict[Group, list[Entry]] = {}
        self.assignments: list[Assignment] = []
        self.warm, self.has_begun = later.warm, False
        super().__init__(work, staff.crew, later.plan, later.minutes)
        for end, node, agent in sorted(self.events):
            self.assignments.append(Assignment(node, agent, self.nodes[node].agent_id, 0.0, end, 0.0, running=True))
        for at, node in later.releases:
            heappush(self.events, (at, node, -1))
        self.idle = [agent for agent in self.idle if not self._is_barred(self.staff.names[agent])]

    def held(self) -> dict[int, Held]:
        """Find the nodes that a gate holds when everybody is idle: it would hold them for ever."""
        left = sorted(node for heap in self.groups.values() for _, node in heap)
        gates = {node: limit_gate(self.limits, self.load, self.nodes[node]) for node in left}
        barred = Held("limits", "per_agent", 0)
        return {node: gate or barred for node, gate in gates.items() if gate or self.limits.per_agent == 0}

    def _is_barred(self, agent_id: str | None) -> bool:
        """Whether the policy lets an agent take nothing at all; those without a name have no limit of their own."""
        return agent_id is not None and self.limits.per_agent == 0

    def _offer(self, node: int) -> None:
        found = self.nodes[node]
        graph = "" if self.limits.per_graph is None else found.graph_id
        heap = self.groups.setdefault((self.work.homes[node], graph, found.agent_id), [])
        heappush(heap, (-self.plan.scores[node], node))

    def _best(self) -> int:
        """Take the node of the best pair that no gate holds; held ones stay in their heaps."""
        if not self.has_begun:  # what starts now is what was picked
            return -1
        if self.events and self.events[0][0] == self.now:  # first free all agents that end at this minute
            return -1
        passed: list[tuple[list[Entry], Entry]] = []
        least, chosen, best = float("inf"), -1, None
        for (place, _, assignee), heap in self.groups.items():
            able = self._able(assignee)
            if not able or not self._uncover(heap, passed):
                continue
            score, node = heap[0]
            if place >= 0 and any(self._is_warm_for(assignee, agent, place) for agent in able):
                score -= self.plan.affinity
            if score < least or (score == least and node < chosen):
                least, chosen, best = score, node, heap
        if best is not None:
            heappop(best)
        for heap, entry in passed:
            heappush(heap, entry)
        return chosen

    def _uncover(self, heap: list[Entry], passed: list[tuple[list[Entry], Entry]]) -> bool:
        """Remove the held nodes at the top of a heap; return whether a free one is left."""
        while heap:
            node = self.nodes[heap[0][1]]
            gate = limit_gate(self.limits, self.load, node) or collision_gate(self.footprints, self.load, node)
            if gate is None:
                return True
            if gate.gate == "limits":  # it holds the whole group
                return False
            passed.append((heap, heappop(heap)))
        return False

    def _able(self, assignee: str | None) -> Sequence[int]:
        """Return the idle agents that can take what is assigned to ``assignee``, or to nobody."""
        if assignee is None:
            return self.idle
        if self.named:
            return [agent for agent in self.idle if self.staff.names[agent] == assignee]
        return () if self.load.tasks.get(assignee) or self._is_barred(assignee) else self.idle

    def _agent(self, node: int) -> int:
        assignee = self.nodes[node].agent_id
        return self._able(assignee)[0] if self.named and assignee is not None else super()._agent(node)

    def _own_best(self, agent: int) -> float:
        able = {None, self.staff.names[agent]} if self.named else None
        own = [
            -heap[0][0]
            for (place, _, assignee), heap in self.groups.items()
            if heap and place >= 0 and self._is_warm(agent, place) and (able is None or assignee in able)
        ]
        return max(own, default=float("-inf"))

    def _is_warm_for(self, assignee: str | None, agent: int, place: int) -> bool:
        """Whether who gets a node is warm there: where nobody is named, an assigned one goes to its assignee."""
        if self.named or assignee is None:
            return self._is_warm(agent, place)
        return self.home[agent] == place or place in self.staff.own.get(assignee, ())

    def _cold_start(self, node: int, agent: int) -> float:
        place = self.work.homes[node]
        is_warm = self._is_warm_for(self.nodes[node].agent_id, agent, place) if self.has_begun else node in self.warm
        return 0.0 if is_warm or place == NOWHERE else self.crew.cold_start

    def _launch(self, node: int, agent: int) -> float:
        cold = self._cold_start(node, agent)
        end = super()._launch(node, agent)
        who = self.staff.names[agent] or self.nodes[node].agent_id
        self.takers[node] = who
        self.load.add(self.nodes[node], who)
        self.assignments.append(Assignment(node, agent, who, self.now, end, cold, running=False))
        return end

    def _finish(self, node: int) -> None:
        self.has_begun = True
        if node not in self.takers:  # a hold has ended, and nobody worked on the node
            self.idle.pop()
            self._offer(node)
            return
        self.load.drop(self.nodes[node], self.takers.pop(node))
        super()._finish(node)
        if self.idle[-1] in self.staff.leaving or self._is_barred(self.staff.names[self.idle[-1]]):
            self.idle.pop()
