"""Simulates the remaining work to its end: a list schedule (Graham, 1969) with a cold start where an agent moves.

As in a decision, the best (node, agent) pair goes first, again and again, whenever an agent is idle. Scores and minutes
are fixed for one simulation, so that the same work can be simulated under many scores and many sets of minutes.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOWHERE: Final = -1
"""The number for no repository: no agent is warm there, and entering it costs nothing."""

REMAINING: Final = 0.5
"""The share of its minutes that a running node is assumed to need still, since its start is unknown."""


class Work(NamedTuple):
    """The open nodes, by point, for a simulation; repositories are numbered.

    ``missing`` counts what each point still waits for; a dependency that cannot end keeps a point out for good.
    ``free`` are points that need no agent: openings, and containers, which are finished when their parts are.
    """

    weights: Sequence[float]
    homes: Sequence[int]
    dependents: Sequence[Sequence[int]]
    missing: Sequence[int]
    free: frozenset[int]
    ready: Sequence[int]


class Workers(NamedTuple):
    """The agents of a simulation, and their limits.

    ``busy`` are the running nodes, one agent each. ``idle`` are the repositories that each of the others has checked
    out, ``busy_seats`` those that each of the busy ones has. ``cold_start`` is what entering another repository costs,
    in minutes. ``per_repository`` is the largest number of nodes at once in one repository.
    """

    busy: Sequence[int]
    idle: Sequence[frozenset[int]]
    busy_seats: Sequence[frozenset[int]]
    cold_start: float
    per_repository: int | None


class Scores(NamedTuple):
    """The plan to simulate: static scores, what a warm agent adds, and the first (node, agent) pairs.

    An agent is a place among the idle ones, or ``None`` for any.
    """

    scores: Sequence[float]
    affinity: float
    first: Mapping[int, int | None] | Mapping[int, int]


class Completion(NamedTuple):
    """The result of a simulation: its makespan in minutes, and the sum of weight x completion of what started in it."""

    makespan: float
    weighted: float


def simulate(work: Work, crew: Workers, plan: Scores, minutes: Sequence[float]) -> Completion:
    """Simulate one plan to its end."""
    return Simulation(work, crew, plan, minutes).run()


class Simulation:
    """The state of one simulation; a heap for each repository, since only the best of each can be the best pair."""

    def __init__(self, work: Work, crew: Workers, plan: Scores, minutes: Sequence[float]) -> None:
        """Start with what is running, and offer what is ready."""
        self.work, self.crew, self.plan, self.minutes = work, crew, plan, minutes
        self.missing = list(work.missing)
        self.now = self.weighted = 0.0
        places = max(work.homes, default=NOWHERE) + 2
        self.heaps: list[list[tuple[float, int]]] = [[] for _ in range(places)]  # the last one is NOWHERE's
        self.at_work = [0] * places
        self.seats = [*crew.idle, *crew.busy_seats]
        self.home = [*[NOWHERE] * len(crew.idle), *(work.homes[node] for node in crew.busy)]
        self.idle = list(range(len(crew.idle)))
        self.events = [(REMAINING * minutes[node], node, len(crew.idle) + i) for i, node in enumerate(crew.busy)]
        heapify(self.events)
        for node in crew.busy:
            self.at_work[work.homes[node]] += 1
        for node in work.ready:
            if node not in plan.first:
                self._offer(node)

    def run(self) -> Completion:
        """Simulate until nothing can start any more."""
        for node, agent in self.plan.first.items():
            self._launch(node, self._first_agent(node, agent))
        events, idle, homes, at_work = self.events, self.idle, self.work.homes, self.at_work
        while True:
            while idle:
                node = self._best()
                if node < 0:
                    break
                self._launch(node, self._agent(node))
            if not events:
                return Completion(self.now, self.weighted)
            self.now, node, agent = heappop(events)
            idle.append(agent)
            at_work[homes[node]] -= 1
            self._finish(node)

    def _offer(self, node: int) -> None:
        heappush(self.heaps[self.work.homes[node]], (-self.plan.scores[node], node))

    def _best(self) -> int:
        """Take the node of the best pair from its heap, or -1: where an idle agent is warm, affinity is added."""
        affinity, cap, at_work = self.plan.affinity, self.crew.per_repository, self.at_work
        nowhere = len(at_work) - 1
        warm = {self.home[agent] for agent in self.idle}.union(*(self.seats[agent] for agent in self.idle))
        least, chosen, best = float("inf"), -1, None
        for place, heap in enumerate(self.heaps):
            if heap and (cap is None or at_work[place] < cap or place == nowhere):
                score, node = heap[0]
                if place in warm:
                    score -= affinity
                if score < least or (score == least and node < chosen):
                    least, chosen, best = score, node, heap
        if best is not None:
            heappop(best)
        return chosen

    def _agent(self, node: int) -> int:
        """Choose a warm agent, else one that is warm nowhere, else the one whose own repository offers least."""
        idle = self.idle
        if len(idle) == 1:
            return idle[0]
        place = self.work.homes[node]
        if place != NOWHERE:
            for agent in idle:
                if self._is_warm(agent, place):
                    return agent
        return min(idle, key=lambda agent: (self._own_best(agent), agent))

    def _is_warm(self, agent: int, place: int) -> bool:
        """Whether an agent has a repository checked out or works there; what it has checked out stays its own."""
        return self.home[agent] == place or place in self.seats[agent]

    def _own_best(self, agent: int) -> float:
        own = [self.heaps[place] for place in {self.home[agent], *self.seats[agent]} if place != NOWHERE]
        return max((-heap[0][0] for heap in own if heap), default=float("-inf"))

    def _first_agent(self, node: int, agent: int | None) -> int:
        if agent is not None and agent in self.idle:
            return agent
        if self.idle:
            return self._agent(node)
        self.home.append(NOWHERE)  # more picks than agents: one more joins
        self.seats.append(frozenset())
        self.idle.append(len(self.home) - 1)
        return len(self.home) - 1

    def _launch(self, node: int, agent: int) -> float:
        """Start a node for an agent; return the minute at which it ends."""
        work = self.work
        self.idle.remove(agent)
        place = work.homes[node]
        end = self.now + self.minutes[node] + self._cold_start(node, agent)
        if place != NOWHERE:
            self.home[agent] = place
        self.weighted += work.weights[node] * end
        self.at_work[place] += 1
        heappush(self.events, (end, node, agent))
        return end

    def _cold_start(self, node: int, agent: int) -> float:
        """Return the minutes that an agent needs to enter a node's repository."""
        place = self.work.homes[node]
        return 0.0 if place == NOWHERE or self._is_warm(agent, place) else self.crew.cold_start

    def _finish(self, node: int) -> None:
        """Finish a node: its agent is idle again, and what waited for nothing else is offered."""
        missing, free, dependents = self.missing, self.work.free, self.work.dependents
        done = [node]
        while done:
            for dependent in dependents[done.pop()]:
                missing[dependent] -= 1
                if not missing[dependent]:
                    if dependent in free:
                        done.append(dependent)
                    else:
                        self._offer(dependent)
