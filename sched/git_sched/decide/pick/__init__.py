"""Picks the best (node, agent) pair, again and again, among those that no gate holds."""

from __future__ import annotations

from heapq import heapify, heappop
from typing import TYPE_CHECKING

from git_sched.decide.factors.fairness import Turns
from git_sched.decide.pick.admission import Admission
from git_sched.decide.pick.collisions import Footprints
from git_sched.decide.pick.gates import WarmSeats, pressure_gate
from git_sched.decide.pick.offers import Offers
from git_sched.decide.rank import order
from git_sched.model.request import Choice, Held

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.decide.pick.offers import Top
    from git_sched.decide.rank import Scoring
    from git_sched.model.request import PickContext, Ranked, Request

Key = tuple[int, int, int, int]
Group = tuple[str | None, str, str | None, int]


def choose(
    scoring: Scoring,
    request: Request,
    *,
    bonus: Mapping[int, int] | None = None,
    footprints: Footprints | None = None,
) -> Choice:
    """Rank the candidates and pick.

    For a look-ahead, ``bonus`` adds millionths to the static part of single nodes, and all plans share ``footprints``,
    so that the paths of a node are matched once.
    """
    picking = _Picking(scoring, request, bonus or {}, footprints or footprints_of(request))
    ranking = picking.rank()
    picking.sort_out(ranking)
    picks = picking.run()
    skipped = picking.skip(ranking, picks)
    held = picking.settle(ranking, picks, skipped)
    return Choice(ranking, picks, skipped, held, tuple(picking.runners_up))


def find_runners_up(
    scoring: Scoring, request: Request, picks: Sequence[Ranked], *, footprints: Footprints
) -> tuple[Ranked | None, ...]:
    """Return, for picks that a look-ahead made, the best node that was left for the same agent each time."""
    picking = _Picking(scoring, request, {}, footprints)
    picking.sort_out(picking.rank())
    for pick in picks:
        picking.drop_gated()
        picking.take(pick)
    return tuple(picking.runners_up)


def footprints_of(request: Request) -> Footprints:
    """Return the footprints of a request's nodes, which find the files that they change."""
    return Footprints(request.tracked, request.own_repository)


class _Picking:
    """The state of one round of picking."""

    def __init__(self, scoring: Scoring, request: Request, bonus: Mapping[int, int], footprints: Footprints) -> None:
        metrics = scoring.metrics
        self.scoring, self.metrics, self.request, self.bonus = scoring, metrics, request, bonus
        self.nodes = metrics.network.nodes
        self.admission = Admission(metrics, request, footprints)
        self.seats = WarmSeats(metrics, request.agents, self.admission.takers())
        self.turns = Turns(metrics)
        self.offers = Offers(scoring, request, admission=self.admission, seats=self.seats, turns=self.turns)
        self.static: dict[int, int] = {}
        self.held: dict[int, Held] = {}
        self.heaps: dict[Group, list[Key]] = {}
        self.closed: set[Group] = set()
        self.runners_up: list[Ranked | None] = []

    # Scores

    def rank(self) -> tuple[Ranked, ...]:
        """Rank the candidates before the first pick."""
        ranked = []
        for node in self.metrics.candidates():
            context = self.offers.context(node, self._likely_agent(node))
            self.static[node] = self.scoring.part(node, context, moving=False) + self.bonus.get(node, 0)
            ranked.append(self.offers.ranked(node, self.static[node], context))
        ranked.sort(key=lambda r: order(self.metrics, r.node, r.score))
        return tuple(ranked)

    def _likely_agent(self, node: int) -> str | None:
        found, named = self.nodes[node], self.request.agents
        if found.agent_id is not None and (not named or found.agent_id in named):
            return found.agent_id
        return next((a for a in named if self.seats.warm(a, found.repository)), named[0] if named else None)

    # Before the first pick

    def sort_out(self, ranking: Sequence[Ranked]) -> None:
        """Set aside the nodes that a gate holds, and put the others into heaps to pick from."""
        for node, _, _ in ranking:
            if gate := self.admission.gate(node):
                self.held[node] = gate
            elif self.metrics.policy.skip_on_merge_pressure and self.scoring.pressed(node):
                self.held[node] = pressure_gate(self.metrics, node)
            else:
                key = order(self.metrics, node, self.static[node])
                self.heaps.setdefault(self._group(node), []).append(key)
        for heap in self.heaps.values():
            heapify(heap)

    def _group(self, node: int) -> Group:
        # Nodes of a group differ only in the static part, so the best one is the top of a heap. Whether a recently
        # dispatched node is free depends on the agent, so it is a group of its own.
        found = self.nodes[node]
        alone = node if self.admission.judged_by_agent(node) else -1
        return (found.repository, found.graph_id, found.agent_id, alone)

    # Picking

    def run(self) -> tuple[Ranked, ...]:
        """Pick for the named agents first, then for unnamed ones, as long as there is something to pick."""
        picks: list[Ranked] = []
        while len(picks) < self.request.limit and (best := self.offers.best_named(self._tops())):
            picks.append(self.take(best))
        while len(picks) < self.request.limit and self.admission.unnamed > 0:
            best = self.offers.best_unnamed(self._tops())
            if best is None:
                break
            picks.append(self.take(best))
        return tuple(picks)

    def take(self, best: Ranked) -> Ranked:
        """Take a node for an agent, and record the best one that was left for that agent."""
        found, agent_id = self.nodes[best.node], best.context.agent_id
        self.runners_up.append(self._runner_up(best))
        heap = self.heaps[self._group(best.node)]
        if heap[0][3] == best.node:
            heappop(heap)
        else:  # a look-ahead took it before those that rank higher
            heap.remove(next(key for key in heap if key[3] == best.node))
            heapify(heap)
        self.admission.take(best.node, agent_id)
        if best.context.warm:
            self.seats.sit(agent_id, found.repository)
        if not self.metrics.policy.exact_rfc:
            self.turns.add(found)
        return best

    def _runner_up(self, best: Ranked) -> Ranked | None:
        """Return the best other node that the agent of a pick could have got, with its score for that agent."""
        offers = []
        for heap in self.heaps.values():
            node = self._first_besides(heap, best.node)
            if node is not None and self._may_get(best.context.agent_id, node):
                offers.append(self.offers.ranked(node, self.static[node], self._context_like(best.context, node)))
        return min(offers, key=lambda r: order(self.metrics, r.node, r.score), default=None)

    def _first_besides(self, heap: list[Key], node: int) -> int | None:
        """Return the best node of a group besides one; the top of other groups is free: held ones were dropped."""
        if not heap or heap[0][3] != node:
            return heap[0][3] if heap else None
        second = min(heap[1:3], default=None)
        if second is None or self.admission.room(second[3]) is None:
            return second[3] if second else None
        return next((key[3] for key in sorted(heap[1:]) if self.admission.room(key[3]) is None), None)

    def _may_get(self, agent_id: str | None, node: int) -> bool:
        assignee = self.nodes[node].agent_id
        if self.request.agents:
            return assignee in {None, agent_id} and self.admission.could(node, agent_id)
        return self.admission.could(node, assignee)

    def _context_like(self, context: PickContext, node: int) -> PickContext:
        """Return the context in which the agent of a pick would have got another node."""
        agent_id = context.agent_id if self.request.agents else self.nodes[node].agent_id
        return self.offers.context(node, agent_id)

    def drop_gated(self) -> None:
        """Drop the nodes at the top of each group that a gate holds now."""
        self._tops()

    def _tops(self) -> list[Top]:
        """Return the best node of each group that nothing holds, with its static points."""
        tops = []
        for group, heap in self.heaps.items():
            while heap and group not in self.closed:
                node = heap[0][3]
                gate = self.admission.room(node)
                if gate is None:
                    tops.append((node, -heap[0][0]))
                    break
                if gate.gate == "limits":
                    self.closed.add(group)
                heappop(heap)
        return tops

    # After the last pick

    def skip(self, ranking: Sequence[Ranked], picks: Sequence[Ranked]) -> tuple[Ranked, ...]:
        """Return the nodes that are skipped for merge pressure."""
        pressed = [r for r in ranking if (gate := self.held.get(r.node)) and gate.gate == "merge_pressure"]
        last = max((order(self.metrics, p.node, p.score) for p in picks), default=None)
        before = [r for r in pressed if last is not None and order(self.metrics, r.node, r.score) < last]
        if len(picks) < self.request.limit:
            before += pressed[len(before) : len(before) + self.request.limit]
        return tuple(before)

    def settle(self, ranking: Sequence[Ranked], picks: Sequence[Ranked], skipped: Sequence[Ranked]) -> dict[int, Held]:
        """Return the gate of each node that a gate kept back from the start, or that was skipped because of one.

        Nodes that rank after the last pick did not come up, unless there were too few to pick.
        """
        done = {r.node for r in (*picks, *skipped)}
        held = {node: self.admission.refill(node, gate) for node, gate in self.held.items() if node not in done}
        too_few = len(picks) < self.request.limit
        last = max((n for n, r in enumerate(ranking) if r.node in done), default=0)
        for ranked in ranking if too_few else ranking[:last]:
            node = ranked.node
            gate = self.admission.gate(node, beside=True) if too_few else self.admission.room(node)
            if gate and node not in done and node not in held:
                held[node] = gate
        return held
