"""The forecast: starts with the picks for the idle agents, and simulates on until everything is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.factors.fairness import Turns
from git_sched.decide.forecast.schedule import Later, Schedule, simulate_schedule
from git_sched.decide.forecast.staff import Staff, form_staff, form_team
from git_sched.decide.pick.gates import pressure_gate
from git_sched.decide.pick.holds import count_as_running
from git_sched.decide.pipeline import choose_by, judge, set_plans
from git_sched.decide.rank import MILLION
from git_sched.decide.simulation import Scores
from git_sched.decide.simulation_setup import collect_open_work, number_repositories
from git_sched.model.request import Held, PickContext

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from git_sched.decide.metrics import Metrics
    from git_sched.decide.pipeline import Answer
    from git_sched.decide.rank import Scoring
    from git_sched.decide.simulation import Work
    from git_sched.model.request import Choice, Request


class Forecast(NamedTuple):
    """Who would do what and when.

    ``answer`` has the outcome for the agents of ``request``, whose ``limit`` is their number. ``out`` are the nodes
    that a gate holds from beginning to end.
    """

    answer: Answer
    request: Request
    staff: Staff
    schedule: Schedule
    out: Mapping[int, Held]


def forecast(answer: Answer, *, limit: int | None = None) -> Forecast:
    """Forecast for ``limit`` agents, the named ones of the request among them; see :func:`~.staff.form_team`."""
    scoring, named = answer.scoring, answer.request.agents
    team = form_team(answer.metrics, limit=limit, named=named)
    metrics = count_as_running(answer.metrics, team.named, unnamed=team.unnamed > 0 or not team.named)
    team = form_team(metrics, limit=limit, named=named)
    homes = number_repositories([node.repository for node in metrics.network.nodes])
    asked = answer.request._replace(agents=team.named, limit=max(1, team.idle), lookahead=None)
    request = set_plans(asked, metrics.policy)
    if answer.inputs.policy is None:
        staff, nothing = form_staff(metrics, homes, team=team, picks=()), Schedule((), frozenset(), {})
        return Forecast(answer, request._replace(limit=team.number), staff, nothing, {})
    choice, _ = choose_by(scoring, request)
    picks = choice.picks[: team.idle]
    staff = form_staff(metrics, homes, team=team, picks=picks)
    out, releases = _gates(scoring, request, choice)
    releases = [(at, node) for at, node in releases if metrics.readiness.state[node] != "running"]
    work = collect_open_work(metrics, homes)
    warm = frozenset(pick.node for pick in picks if pick.context.warm)
    later = Later(_plan(scoring, staff.first), metrics.estimates.sizes, releases, warm)
    kept_back = out.keys() | {node for _, node in releases}
    schedule = simulate_schedule(
        metrics, request, work=_without(metrics, work, out, kept_back), staff=staff, later=later
    )
    judged = answer._replace(outcome=judge(metrics, choice))
    return Forecast(judged, request._replace(limit=team.number), staff, schedule, out)


def _gates(scoring: Scoring, request: Request, choice: Choice) -> tuple[dict[int, Held], list[tuple[float, int]]]:
    """Find what holds nodes to the end, and the nodes held for a time with the minute at which that ends."""
    metrics = scoring.metrics
    out: dict[int, Held] = {}
    for i, node in enumerate(metrics.network.nodes):
        if metrics.network.is_open[i] and not metrics.network.is_container(i):
            if node.agent_id is not None and request.agents and node.agent_id not in request.agents:
                out[i] = Held("assigned_to", by=(node.agent_id,))
            elif metrics.policy.skip_on_merge_pressure and scoring.pressed(i):
                out[i] = pressure_gate(metrics, i)
    releases = []
    for i, gate in choice.held.items():
        if gate.until is not None:
            releases.append(((gate.until - metrics.clock) / 60, i))
    return out, sorted(releases)


def _without(metrics: Metrics, work: Work, out: Mapping[int, Held], kept_back: Collection[int]) -> Work:
    """Return the work without what is kept back, and without graphs that were not requested."""
    nodes, asked = metrics.network.nodes, metrics.graph_ids
    elsewhere = {i for i, node in enumerate(nodes) if asked and node.graph_id not in asked}
    missing = list(work.missing)
    for i in out.keys() | elsewhere:
        missing[i] += 1
    ready = [i for i in work.ready if i not in kept_back and i not in elsewhere]
    return work._replace(missing=missing, ready=ready)


def _plan(scoring: Scoring, first: Mapping[int, int]) -> Scores:
    """Return the plain plan: scores as they are now, for ready nodes and for those that become ready."""
    metrics = scoring.metrics
    is_open, rfc = metrics.network.is_open, metrics.policy.exact_rfc
    context = PickContext(None, warm=False, turns=Turns(metrics).counts)
    rate = scoring.score if rfc else lambda node, who: scoring.part(node, who, moving=False)
    scores = [float(rate(i, context)) if is_open[i] else 0.0 for i in range(len(metrics.network.nodes))]
    affinity = 0.0 if rfc else {w.factor.name: w.weight for w in scoring.base}.get("affinity", 0.0) * MILLION
    return Scores(scores, affinity, first)
