"""Look-ahead: perturbed plans of the whole remaining work are played through, and the best one's picks are taken.

Rule E9. Plan 0 is what the scores say; plan i adds noise to every static score. Each plan is played to its end by
list scheduling on the estimates, and the plan with the lowest mix of makespan and weighted completion wins. The
noise comes from a hash of the open work itself, so the same backlog always gives the same answer.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.estimates import lower_median
from git_sched.pick import Choice, choose
from git_sched.playout import Crew, Playout, Work

if TYPE_CHECKING:
    from git_sched.pick import Ranked, Request
    from git_sched.rank import Scoring
    from git_sched.survey import Survey

NOISE: Final = 0.15
"""Largest share of the largest static score that is added to, or taken from, each static score."""

HALF = 0.5
LEAST_GAIN: Final = 1e-9


class Outlook(NamedTuple):
    """What looking ahead found: how many plans, which won, its expected gain, and what it changed.

    ``gain`` is the share by which the mix of makespan and weighted completion falls below that of plan 0;
    ``instead_of`` are the nodes plan 0 would have picked and the winner does not.
    """

    plans: int
    chosen: int
    gain: float
    instead_of: tuple[int, ...]


def look_ahead(scoring: Scoring, request: Request, *, plans: int) -> tuple[Choice, Outlook]:
    """Choose by the best of ``plans`` perturbed plans and the unperturbed one."""
    survey = scoring.survey
    base = choose(scoring, request)
    if not base.picks:
        return base, Outlook(plans, 0, 0.0, ())
    work = _work(scoring)
    crew = _crew(scoring, request)
    rng = Random(_seed(survey))  # noqa: S311 - the noise must be the same for the same backlog
    reach = NOISE * max((abs(score) for score in work.scores), default=0.0)
    rows = [
        [r.random() for _ in range(plans)] if survey.network.is_open[j] else [0.5] * plans
        for j, node in enumerate(survey.network.nodes)
        for r in [Random(node.name)]
    ]
    best = (1.0, 0, base)
    first = Playout(work, crew, base.picks).run()
    for i in range(1, plans + 1):
        noise = [round(reach * (2 * row[i - 1] - 1)) for row in rows]
        bonus = {node: noise[node] for node in survey.ready}
        choice = choose(scoring, request, bonus=bonus)
        plan = work._replace(scores=[score + extra for score, extra in zip(work.scores, noise, strict=True)])
        span, weighted = Playout(plan, crew, choice.picks).run()
        value = 0.5 * _ratio(span, first[0]) + 0.5 * _ratio(weighted, first[1])
        if value < best[0] - LEAST_GAIN:
            best = (value, i, choice)
    value, chosen, choice = best
    picked = {pick.node for pick in choice.picks}
    instead = tuple(pick.node for pick in base.picks if pick.node not in picked)
    return _unperturbed(scoring, base, choice), Outlook(plans, chosen, 1.0 - value, instead)


def _ratio(value: float, base: float) -> float:
    return value / base if base else 1.0


def _unperturbed(scoring: Scoring, base: Choice, choice: Choice) -> Choice:
    """Give the winner's picks with the scores they really have, so that every row can still be added up."""

    def real(ranked: Ranked) -> Ranked:
        return ranked._replace(score=scoring.score(ranked.node, ranked.standing))

    return choice._replace(
        ranking=base.ranking, picks=tuple(map(real, choice.picks)), skipped=tuple(map(real, choice.skipped))
    )


def _seed(survey: Survey) -> int:
    """Hash the open nodes in id order: ids, edges, minutes, priorities and repositories, nothing of any file."""
    network = survey.network
    digest = sha256()
    for i, node in enumerate(network.nodes):
        if network.is_open[i]:
            facts = (node.name, tuple(network.needs[i]), survey.estimates.minutes[i], node.priority, node.repository)
            digest.update(repr(facts).encode(errors="backslashreplace"))
    return int.from_bytes(digest.digest()[:8], "big")


def _work(scoring: Scoring) -> Work:
    """Collect what a playout needs of the open nodes: static scores, minutes, weights, repositories, edges."""
    from git_sched.passes import node_weight
    from git_sched.survey import Standing

    survey = scoring.survey
    network, readiness = survey.network, survey.readiness
    nobody = Standing(None, warm=False, turns={})
    stopped = {"blocked_by_status", "deferred", "unknown_status"}
    scores = [
        float(scoring.part(i, nobody, moving=False)) if network.is_open[i] else 0.0 for i in range(len(network.nodes))
    ]
    missing = [0] * len(network.is_open)
    for point in readiness.order:
        for dependent in readiness.dependents[point]:
            missing[dependent] += not readiness.finished[point]
    for i, state in enumerate(readiness.state):
        if state in stopped or i in readiness.doomed:
            missing[i] += 1
    return Work(
        scores,
        survey.estimates.minutes,
        [node_weight(node.priority) for node in network.nodes],
        [node.repository for node in network.nodes],
        readiness.dependents,
        missing,
        frozenset(network.opening) | frozenset(network.container),
        survey.ready,
        {w.factor.name: w.weight for w in scoring.base}.get("affinity", 0.0) * 1_000_000,
    )


def _crew(scoring: Scoring, request: Request) -> Crew:
    """Say who works: the agents at work and those asked for, with where they are warm and when they are free."""
    from git_sched.factors.affinity import pool

    survey = scoring.survey
    policy = survey.policy
    homes: dict[str | None, str] = {row.agent_id: row.repository for row in pool(survey) if row.agent_id}
    running = survey.running()
    typical = [survey.estimates.minutes[i] for i in range(len(survey.network.nodes)) if survey.network.is_open[i]]
    cold = policy.cold_start_minutes
    busy = tuple((HALF * survey.estimates.minutes[i], i, survey.node(i).repository) for i in running)
    wanted = policy.lookahead_agents or len(running) + max(request.limit, len(request.agents))
    idle: list[str | None] = [homes.get(agent) for agent in request.agents]
    idle += [None] * (wanted - len(running) - len(idle))
    return Crew(
        busy,
        tuple(idle),
        0.5 * lower_median(typical) if cold is None and typical else (cold or 0.0),
        policy.limits.per_repository,
        tuple(request.agents),
    )
