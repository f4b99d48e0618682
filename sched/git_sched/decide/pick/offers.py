"""Offers: the best (node, agent) pair now, for a named agent with the fewest tasks or for an unnamed one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from git_sched.decide.rank import order
from git_sched.model.request import PickContext, Ranked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.decide.factors.fairness import Turns
    from git_sched.decide.pick.admission import Admission
    from git_sched.decide.pick.gates import WarmSeats
    from git_sched.decide.rank import Scoring
    from git_sched.model.request import Request

Top = tuple[int, int]
"""The best node of a group that no gate holds for everybody, with its static points."""

Open = tuple[int, int, list[str]]
"""Such a node with the named agents that can take it."""


class Offers:
    """Finds the best pairs; what is picked changes ``admission``, ``seats`` and ``turns``, and so the pairs."""

    def __init__(
        self, scoring: Scoring, request: Request, *, admission: Admission, seats: WarmSeats, turns: Turns
    ) -> None:
        """Store what pairs are found from."""
        self.scoring, self.metrics, self.request = scoring, scoring.metrics, request
        self.nodes = scoring.metrics.network.nodes
        self.admission, self.seats, self.turns = admission, seats, turns

    def context(self, node: int, agent_id: str | None) -> PickContext:
        """Return the context in which an agent would get a node."""
        return PickContext(agent_id, self.seats.warm(agent_id, self.nodes[node].repository), self.turns.counts)

    def ranked(self, node: int, static: int, context: PickContext) -> Ranked:
        """Return a node with its score in a context."""
        return Ranked(node, static + self.scoring.part(node, context, moving=True), context)

    def best_named(self, tops: Sequence[Top]) -> Ranked | None:
        """Return the best pair with a named agent; of agents that are not warm, the one that gives up least."""
        named = self.request.agents
        idle = [agent for agent in named if not self.admission.full(agent)]
        able = [(node, static, self._allowed(node, idle)) for node, static in tops] if idle else []
        fair = self._fair([row for row in able if row[2]])
        if not fair:
            return None
        best = self._best([self._offer(node, static, agents) for node, static, agents in fair])
        if best.context.agent_id is not None:
            return best
        agents = next(agents for node, _, agents in fair if node == best.node)
        agent = min(agents, key=lambda a: (self._own_best(a, able), self._left_behind(a), named.index(a)))
        return best._replace(context=best.context._replace(agent_id=agent))

    def best_unnamed(self, tops: Sequence[Top]) -> Ranked | None:
        """Return the best pair with an unnamed agent; without named ones, an assigned node goes to its assignee."""
        offers = []
        for node, static in tops:
            assignee = self.nodes[node].agent_id
            if (assignee is None or not self.request.agents) and self.admission.may(node, assignee):
                offers.append(self.ranked(node, static, self.context(node, assignee)))
        return self._best(offers) if offers else None

    def _best(self, offers: Sequence[Ranked]) -> Ranked:
        return min(offers, key=lambda r: order(self.metrics, r.node, r.score))

    def _allowed(self, node: int, idle: Sequence[str]) -> list[str]:
        assignee = self.nodes[node].agent_id
        return [a for a in idle if assignee in {None, a} and self.admission.may(node, a)]

    def _fair(self, able: Sequence[Open]) -> list[Open]:
        """Keep the agents that have the fewest tasks, running and picked, of those that can take one now.

        Under RFC-0012 the order of the nodes is fixed, so only which agent gets the next one depends on that.
        """
        tasks = self.admission.tasks_of
        least = min((tasks(agent) for _, _, agents in able for agent in agents), default=0)
        fair = []
        for node, static, agents in able:
            fewest = min(map(tasks, agents)) if self.metrics.policy.exact_rfc else least
            if kept := [agent for agent in agents if tasks(agent) == fewest]:
                fair.append((node, static, kept))
        return fair

    def _offer(self, node: int, static: int, agents: Sequence[str]) -> Ranked:
        repository = self.nodes[node].repository
        warm = next((a for a in agents if self.seats.warm(a, repository)), None)
        return self.ranked(node, static, PickContext(warm, warm is not None, self.turns.counts))

    def _own_best(self, agent_id: str, able: Sequence[Open]) -> float:
        scores = [
            static + self.scoring.part(node, PickContext(agent_id, warm=True, turns=self.turns.counts), moving=True)
            for node, static, agents in able
            if agent_id in agents and self.seats.warm(agent_id, self.nodes[node].repository)
        ]
        return max(scores, default=float("-inf"))

    def _left_behind(self, agent_id: str) -> float:
        """Return the size of the work left in an agent's repositories; of two that can move, that with less does."""
        return sum(self._left.get(repository, 0.0) for repository in self.seats.homes(agent_id))

    @cached_property
    def _left(self) -> Mapping[str | None, float]:
        """The size of the open nodes that nobody has started, by repository."""
        network, state = self.metrics.network, self.metrics.readiness.state
        minutes: dict[str | None, float] = {}
        for i, node in enumerate(self.nodes):
            if network.is_open[i] and state[i] != "running":
                minutes[node.repository] = minutes.get(node.repository, 0.0) + self.metrics.estimates.sizes[i]
        return minutes
