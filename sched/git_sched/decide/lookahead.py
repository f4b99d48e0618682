"""Look-ahead: simulates alternative plans for all remaining work, and takes the picks of the best one.

Plan 0 follows the scores. Every other plan multiplies the weight of each factor by a random number, and every second
one also adds noise to each score: a random search over policies (as in parameterized priority rules: Panwalkar and
Iskander, 1977) with sampling of priorities (Kolisch and Drexl, 1996). The noise matters where there is one factor only.

Each plan is list-scheduled to its end under the same few sets of minutes: the estimates, and two in which estimates are
wrong, since a plan that wins on the estimates alone often wins by luck. The plan with the lowest mix of makespan and
weighted completion wins. The random numbers come from a hash of the open work itself, so the same backlog always gives
the same answer; only uniform numbers and powers of two are used, which are the same on every machine.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.decide.pick import choose, find_runners_up, footprints_of
from git_sched.decide.pick.holds import count_as_running
from git_sched.decide.rank import MILLION
from git_sched.decide.simulation import Completion, Scores, Workers, simulate
from git_sched.decide.simulation_setup import (
    collect_open_work,
    estimate_cold_start,
    find_free_seats,
    find_own_seats,
    number_repositories,
)
from git_sched.model.request import PickContext

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.decide.metrics import Metrics
    from git_sched.decide.rank import Scoring
    from git_sched.model.request import Choice, Ranked, Request

MULTIPLIERS: Final = (0.25, 0.5, 1.0, 2.0, 4.0)
"""The multipliers of a factor's weight; a factor of weight 0 keeps it."""

NOISE: Final = 0.15
"""The largest noise that every second plan adds to or subtracts from a static score, over the largest such score."""

SAMPLES: Final = 3
"""Number of sets of minutes under which each plan is simulated; the first are the estimates."""

ERRORS: Final = (0.565, 0.765, 0.944, 1.165, 1.579)
"""Actual over estimated minutes: fifths of a lognormal with sigma 0.4 and mean 1, each by its middle."""

LEAST_GAIN: Final = 1e-9


class Outlook(NamedTuple):
    """The result of a look-ahead: how many plans, which one won, its expected gain, and what it changed.

    ``gain``, 0 to 1, is the share by which the mix of makespan and weighted completion falls below that of plan 0;
    ``instead_of`` are the nodes that plan 0 would have picked and the winner does not.
    """

    plans: int
    chosen: int
    gain: float
    instead_of: tuple[int, ...]


def look_ahead(scoring: Scoring, request: Request, *, plans: int) -> tuple[Choice, Outlook]:
    """Choose by the best of ``plans`` alternative plans and the plain one."""
    footprints = footprints_of(request)
    base = choose(scoring, request, footprints=footprints)
    if not base.picks:
        return base, Outlook(plans, 0, 0.0, ())
    search = _Search(scoring, request)
    plain = search.outcome(search.plain, base)
    best = (1.0, 0, base)
    for i in range(1, plans + 1):
        varied, scores, mix = search.vary(noisy=i % 2 == 0)
        bonus = {node: round(scores[node] - search.plain[node]) for node in scoring.metrics.ready}
        choice = choose(varied, request, bonus=bonus, footprints=footprints)
        value = _mix(search.outcome(scores, choice, affinity=mix.get("affinity", 1.0)), plain)
        if value < best[0] - LEAST_GAIN:
            best = (value, i, choice)
    value, chosen, choice = best
    picked = {pick.node for pick in choice.picks}
    instead = tuple(pick.node for pick in base.picks if pick.node not in picked)
    found = choice if choice is base else _unperturbed(scoring, base, choice)
    runners_up = find_runners_up(scoring, request, found.picks, footprints=footprints)
    return found._replace(runners_up=runners_up), Outlook(plans, chosen, 1.0 - value, instead)


def _mix(result: Completion, plain: Completion) -> float:
    """Return the objective: half makespan, half weighted completion, each over that of the plain plan."""
    return 0.5 * _ratio(result.makespan, plain.makespan) + 0.5 * _ratio(result.weighted, plain.weighted)


def _ratio(value: float, base: float) -> float:
    return value / base if base else 1.0


def _unperturbed(scoring: Scoring, base: Choice, choice: Choice) -> Choice:
    """Return the winner's picks with their own scores, without the plan's multipliers and noise."""

    def real(ranked: Ranked) -> Ranked:
        return ranked._replace(score=scoring.score(ranked.node, ranked.context))

    return choice._replace(
        ranking=base.ranking, picks=tuple(map(real, choice.picks)), skipped=tuple(map(real, choice.skipped))
    )


class _Search:
    """What all plans of one decision share, and the random numbers that they are drawn from."""

    def __init__(self, scoring: Scoring, request: Request) -> None:
        metrics = scoring.metrics
        network = metrics.network
        self.scoring, self.names = scoring, request.agents
        self.open = [i for i in range(len(network.nodes)) if network.is_open[i]]
        self.chance = Random(_seed(metrics, self.open))  # noqa: S311 - the same backlog must get the same answer
        homes = number_repositories([node.repository for node in network.nodes])
        working = count_as_running(metrics, request.agents, unnamed=request.limit > len(request.agents))
        self.work = collect_open_work(working, homes)
        self.crew = _crew(working, request, homes)
        self.points = _points(scoring, self.open)
        self.penalty = [float(scoring.pressure(i)) if network.is_open[i] else 0.0 for i in range(len(network.nodes))]
        self.plain = self._scores({})
        self.reach = NOISE * max((abs(self.plain[i]) for i in self.open), default=0.0)
        self.affinity = {w.factor.name: w.weight for w in scoring.base}.get("affinity", 0.0) * MILLION
        self.minutes = [metrics.estimates.sizes, *(self._gone_wrong() for _ in range(SAMPLES - 1))]

    def vary(self, *, noisy: bool) -> tuple[Scoring, list[float], dict[str, float]]:
        """Draw a plan: scoring with other weights for what changes from pick to pick, static scores, multipliers."""
        rows = (self.scoring.base, *self.scoring.overridden.values())
        names = sorted({w.factor.name for row in rows for w in row})
        mix = {name: MULTIPLIERS[int(self.chance.random() * len(MULTIPLIERS))] for name in names}
        scores = self._scores(mix)
        if noisy:
            for node in self.open:
                scores[node] += round(self.reach * (2 * self.chance.random() - 1))
        base, *others = (
            tuple(w._replace(weight=w.weight * mix[w.factor.name]) if w.factor.moves else w for w in row)
            for row in rows
        )
        overridden = dict(zip(self.scoring.overridden, others, strict=True))
        return self.scoring._replace(base=base, overridden=overridden), scores, mix

    def outcome(self, scores: Sequence[float], choice: Choice, *, affinity: float = 1.0) -> Completion:
        """Simulate a plan that begins with a choice under every set of minutes; return the sums."""
        first = {pick.node: self._place(pick.context.agent_id) for pick in choice.picks}
        plan = Scores(scores, self.affinity * affinity, first)
        results = [simulate(self.work, self.crew, plan, minutes) for minutes in self.minutes]
        return Completion(sum(r.makespan for r in results), sum(r.weighted for r in results))

    def _scores(self, mix: Mapping[str, float]) -> list[float]:
        scores = self.penalty
        for name, points in self.points.items():
            times = mix.get(name, 1.0)
            scores = [score + times * own for score, own in zip(scores, points, strict=True)]
        return list(scores)

    def _place(self, agent_id: str | None) -> int | None:
        return self.names.index(agent_id) if agent_id is not None and agent_id in self.names else None

    def _gone_wrong(self) -> list[float]:
        minutes = list(self.scoring.metrics.estimates.sizes)
        for node in self.open:
            minutes[node] *= ERRORS[int(self.chance.random() * len(ERRORS))]
        return minutes


def _seed(metrics: Metrics, nodes: Sequence[int]) -> int:
    """Hash the open nodes in id order: ids, edges between them, minutes, priorities and repositories, but no files."""
    network = metrics.network
    digest = sha256()
    for i in nodes:
        node = network.nodes[i]
        needs = sorted({network.nodes[network.real(need)].name for need in network.needs[i] if network.is_open[need]})
        facts = (node.name, needs, metrics.estimates.sizes[i], node.priority, node.repository)
        digest.update(repr(facts).encode(errors="backslashreplace"))
    return int.from_bytes(digest.digest()[:8], "big")


def _points(scoring: Scoring, nodes: Sequence[int]) -> dict[str, list[int]]:
    """Return, in millionths, the points of each node by each factor that does not change from pick to pick."""
    nobody = PickContext(None, warm=False, turns={})
    points: dict[str, list[int]] = {}
    for node in nodes:
        for factor, weight, prepared in scoring.weighed(node):
            if not factor.moves and prepared.known(node, nobody):
                row = points.setdefault(factor.name, [0] * len(scoring.metrics.network.nodes))
                row[node] = round(weight * prepared.rate(node, nobody) * MILLION)
    return points


def _crew(metrics: Metrics, request: Request, homes: Mapping[str | None, int]) -> Workers:
    """Build the agents of a plan: the busy ones, and the requested ones with the repositories they have checked out."""
    policy, running = metrics.policy, metrics.running()
    wanted = policy.lookahead_agents or len(running) + max(request.limit, len(request.agents))
    own, unnamed = find_own_seats(metrics, homes), wanted - len(running) - len(request.agents)
    idle = [own.get(agent, frozenset()) for agent in request.agents]
    idle += find_free_seats(metrics, homes, named=request.agents, number=unnamed)
    busy = [own.get(metrics.node(node).agent_id, frozenset()) for node in running]
    return Workers(running, idle, busy, estimate_cold_start(metrics), policy.limits.per_repository)
