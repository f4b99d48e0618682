"""A playout: the remaining work list-scheduled to its end on the estimates (Graham, 1969, with warm agents)."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.pick import Ranked


class Work(NamedTuple):
    """The open nodes as a playout sees them; scores and the affinity bonus are in millionths.

    ``missing`` counts what each point still waits for; one that never ends keeps a point out for good. ``free`` are
    points that take no agent: openings, and containers, which are finished when their parts are.
    """

    scores: Sequence[float]
    minutes: Sequence[float]
    weights: Sequence[float]
    homes: Sequence[str | None]
    dependents: Sequence[Sequence[int]]
    missing: Sequence[int]
    free: frozenset[int]
    ready: Sequence[int]
    affinity: float


class Crew(NamedTuple):
    """The agents of a playout.

    ``busy`` are (minutes until free, node, repository) of those at work, ``idle`` the warm repositories of the
    others, those in ``names`` first. ``cold_start`` is what entering another repository costs, in minutes.
    """

    busy: Sequence[tuple[float, int, str | None]]
    idle: Sequence[str | None]
    cold_start: float
    per_repository: int | None
    names: Sequence[str]


class Playout:
    """One plan played to its end."""

    def __init__(self, work: Work, crew: Crew, first: Sequence[Ranked]) -> None:
        """Set the stage: who is busy with what, and the picks the plan begins with."""
        self.work, self.crew = work, crew
        self.missing = list(work.missing)
        self.now = self.weighted = 0.0
        self.heaps: dict[str | None, list[tuple[float, int]]] = {}
        self.at_work: dict[str | None, int] = {}
        self.events: list[tuple[float, int, int]] = []
        self.home: list[str | None] = [*crew.idle]
        for minutes, node, home in crew.busy:
            self.home.append(home)
            self._begin(node, len(self.home) - 1, minutes)
        self.idle = list(range(len(crew.idle)))
        taken = {pick.node for pick in first}
        for node in work.ready:
            if node not in taken:
                self._offer(node)
        for pick in first:
            self._launch(pick.node, self._agent_of(pick))

    def run(self) -> tuple[float, float]:
        """Play until nothing can begin any more; give makespan and weighted completion in minutes."""
        while True:
            while self.idle and (node := self._best()) is not None:
                self._launch(node, self._choose_agent(self.work.homes[node]))
            if not self.events:
                return self.now, self.weighted
            self.now, node, agent = heappop(self.events)
            self.idle.append(agent)
            home = self.work.homes[node]
            self.at_work[home] -= 1
            self._finish(node)

    def _offer(self, node: int) -> None:
        heappush(self.heaps.setdefault(self.work.homes[node], []), (-self.work.scores[node], node))

    def _best(self) -> int | None:
        """Take the best (node, agent) pair's node from its heap: a warm idle agent counts the affinity bonus."""
        warm = {self.home[agent] for agent in self.idle}
        cap = self.crew.per_repository
        best: tuple[float, int] | None = None
        chosen: str | None = None
        for home, heap in self.heaps.items():
            if not heap or (cap is not None and home is not None and self.at_work.get(home, 0) >= cap):
                continue
            score, node = heap[0]
            offer = (score - self.work.affinity, node) if home is not None and home in warm else (score, node)
            if best is None or offer < best:
                best, chosen = offer, home
        return None if best is None else heappop(self.heaps[chosen])[1]

    def _choose_agent(self, home: str | None) -> int:
        """Give the agent that is warm, else one that is warm nowhere, else the one whose own repository offers least."""
        for agent in self.idle:
            if self.home[agent] == home:
                return agent
        return min(self.idle, key=lambda agent: (self._own_best(agent), agent))

    def _own_best(self, agent: int) -> float:
        heap = self.heaps.get(self.home[agent]) if self.home[agent] is not None else None
        return -heap[0][0] if heap else float("-inf")

    def _agent_of(self, pick: Ranked) -> int:
        names, agent_id = self.crew.names, pick.standing.agent_id
        if agent_id is not None and agent_id in names and names.index(agent_id) in self.idle:
            return names.index(agent_id)
        return self._choose_agent(self.work.homes[pick.node]) if self.idle else -1

    def _launch(self, node: int, agent: int) -> None:
        if agent < 0:
            self.home.append(None)
            agent = len(self.home) - 1
        else:
            self.idle.remove(agent)
        home = self.work.homes[node]
        minutes = self.work.minutes[node]
        if home is not None and self.home[agent] != home:
            minutes += self.crew.cold_start
            self.home[agent] = home
        self.weighted += self.work.weights[node] * (self.now + minutes)
        self._begin(node, agent, minutes)

    def _begin(self, node: int, agent: int, minutes: float) -> None:
        home = self.work.homes[node]
        self.at_work[home] = self.at_work.get(home, 0) + 1
        heappush(self.events, (self.now + minutes, node, agent))

    def _finish(self, node: int) -> None:
        done = [node]
        while done:
            for dependent in self.work.dependents[done.pop()]:
                self.missing[dependent] -= 1
                if not self.missing[dependent]:
                    if dependent in self.work.free:
                        done.append(dependent)
                    else:
                        self._offer(dependent)
