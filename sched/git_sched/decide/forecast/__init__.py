"""Builds the record of ``plan``: the answer for the agents that are idle, played on until everything is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.decide.factors.fairness import recent_turns
from git_sched.decide.forecast.critical import Step, chain, shortest
from git_sched.decide.forecast.schedule import Later, Schedule, Stint, play_out
from git_sched.decide.forecast.staff import Staff, hire, number_of_agents, seated
from git_sched.decide.metrics import Standing
from git_sched.decide.pick.gates import Held, pressure_gate
from git_sched.decide.pipeline import choose_by, judge
from git_sched.decide.rank import MILLION
from git_sched.decide.simulation import REMAINING, Plan
from git_sched.decide.simulation_setup import numbered, open_work
from git_sched.report import parts
from git_sched.report.never import Never, left_over, why_never

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_sched import record
    from git_sched.decide.metrics import Survey
    from git_sched.decide.pipeline import Answer
    from git_sched.decide.rank import Scoring
    from git_sched.decide.simulation import Work
    from git_sched.model.request import Choice, Request

TASKS: Final = 1_000
"""How many tasks, and steps of what the end hangs on, a record lists; their number is always given whole."""


def forecast(answer: Answer, *, limit: int | None = None) -> record.ForecastRecord:
    """Forecast for so many agents, the named ones of the request among them; see :func:`number_of_agents`."""
    survey = answer.survey
    number, named = number_of_agents(survey, limit=limit, named=answer.request.agents)
    homes = numbered([node.repository for node in survey.network.nodes])
    staff = hire(survey, homes, number=number, named=named)
    idle = len(named) + len(staff.unnamed)
    plans = 0 if survey.policy.exact_rfc else survey.policy.lookahead
    request = answer.request._replace(agents=named, limit=max(1, idle), lookahead=plans)
    if answer.inputs.policy is None:
        return _record(answer, request._replace(limit=number), staff, Schedule((), frozenset(), {}), {})
    scoring = _one_at_a_time(answer.scoring)
    choice, _ = choose_by(scoring, request)
    out, releases = _gates(scoring, request, choice)
    work = open_work(survey, homes)
    first = seated(choice.picks[:idle], staff, work.homes)
    plan = _plan(scoring, first)
    later = Later(plan, survey.estimates.minutes, releases)
    kept_back = out.keys() | {node for _, node in releases}
    schedule = play_out(survey, request, work=_without(survey, work, out, kept_back), staff=staff, later=later)
    judged = answer._replace(outcome=judge(survey, choice))
    return _record(judged, request._replace(limit=number), staff, schedule, out)


def _one_at_a_time(scoring: Scoring) -> Scoring:
    """Give the scoring under a policy by which everybody does one node at a time."""
    policy = scoring.survey.policy
    policy = policy._replace(limits=policy.limits._replace(per_agent=1))
    return scoring._replace(survey=scoring.survey._replace(policy=policy))


def _gates(scoring: Scoring, request: Request, choice: Choice) -> tuple[dict[int, Held], list[tuple[float, int]]]:
    """Give what holds nodes to the end, and the nodes handed out lately with the minute at which that hold ends."""
    survey = scoring.survey
    out: dict[int, Held] = {}
    for i, node in enumerate(survey.network.nodes):
        if survey.network.is_open[i] and not survey.network.is_container(i):
            if node.agent_id is not None and request.agents and node.agent_id not in request.agents:
                out[i] = Held("assigned_to", by=(node.agent_id,))
            elif survey.policy.skip_on_merge_pressure and scoring.pressed(i):
                out[i] = pressure_gate(survey, i)
    releases = []
    for i, gate in choice.held.items():
        if gate.gate == "redispatch" and gate.until is not None and survey.now is not None:
            releases.append(((gate.until - survey.now) / 60, i))
        elif gate.gate == "redispatch":
            out[i] = gate
    return out, sorted(releases)


def _without(survey: Survey, work: Work, out: Mapping[int, Held], kept_back: Collection[int]) -> Work:
    """Give the work without what is kept back, and without the graphs that were not asked for."""
    nodes, asked = survey.network.nodes, survey.graph_ids
    elsewhere = {i for i, node in enumerate(nodes) if asked and node.graph_id not in asked}
    missing = list(work.missing)
    for i in out.keys() | elsewhere:
        missing[i] += 1
    ready = [i for i in work.ready if i not in kept_back and i not in elsewhere]
    return work._replace(missing=missing, ready=ready)


def _plan(scoring: Scoring, first: Mapping[int, int | None]) -> Plan:
    """Give the plain plan: scores as they are now, for ready nodes and for those that will be."""
    survey = scoring.survey
    is_open, rfc = survey.network.is_open, survey.policy.exact_rfc
    standing = Standing(None, warm=False, turns=recent_turns(survey))
    rate = scoring.score if rfc else lambda node, who: scoring.part(node, who, moving=False)
    scores = [float(rate(i, standing)) if is_open[i] else 0.0 for i in range(len(survey.network.nodes))]
    affinity = 0.0 if rfc else {w.factor.name: w.weight for w in scoring.base}.get("affinity", 0.0) * MILLION
    return Plan(scores, affinity, first)


def _record(
    answer: Answer, request: Request, staff: Staff, schedule: Schedule, out: Mapping[int, Held]
) -> record.ForecastRecord:
    survey, stints = answer.survey, schedule.stints
    steps = chain(survey, schedule)
    lanes = {place: n for n, place in enumerate(staff.lanes(request.agents), 1)}
    never = () if answer.inputs.policy is None else left_over(survey, schedule)
    cold_filled = survey.policy.cold_start_minutes is None
    on_chain = [stints[step.stint] for step in steps]
    critical = {step.stint for step in steps}
    return {
        "schema_version": 1,
        "kind": "forecast",
        "outcome": answer.outcome,
        "basis": parts.basis(answer.inputs.basis, preset=survey.policy.preset),
        "request": parts.request(answer._replace(request=request)),
        "lanes": [_lane(n, staff.names[place], [s for s in stints if s.agent == place]) for place, n in lanes.items()],
        "makespan_minutes": max((s.end for s in stints), default=0.0),
        "makespan_filled": any(_filled(survey, s) or (cold_filled and s.cold > 0) for s in on_chain),
        "shortest_minutes": shortest(survey, schedule),
        "work_minutes": sum(s.end - s.start - s.cold for s in stints),
        "cold_start_minutes": staff.crew.cold_start,
        "cold_start_filled": cold_filled,
        "counts": _counts(survey, schedule, agents=len(lanes), never=len(never)),
        "tasks": [
            _stint(survey, stint, lanes.get(stint.agent), critical=n in critical)
            for n, stint in enumerate(stints[:TASKS])
        ],
        "critical": [_step(survey, step, stints[step.stint], lanes) for step in steps[-TASKS:]],
        "critical_steps": len(steps),
        "never": [_never(survey, row) for row in why_never(survey, schedule, out, never[: parts.LISTED])],
        "problems": parts.problems(answer.problems),
        "publish": parts.publish(answer),
    }


def _filled(survey: Survey, stint: Stint) -> bool:
    return stint.running or survey.estimates.filled(stint.node)


def _counts(survey: Survey, schedule: Schedule, *, agents: int, never: int) -> record.ForecastCountsRecord:
    network, asked = survey.network, survey.graph_ids
    wanted = [not asked or node.graph_id in asked for node in network.nodes]
    in_error = sum(not asked or graph_id in asked for graph_id, _ in network.broken)
    ended = {stint.node for stint in schedule.stints}
    containers = [i for i in network.opening if wanted[i] and i in schedule.done and i not in ended]
    return {
        "nodes": sum(wanted) + in_error,
        "open": sum(want and is_open for want, is_open in zip(wanted, network.is_open, strict=False)),
        "tasks": len(schedule.stints),
        "containers": len([i for i in containers if network.is_open[i]]),
        "running": sum(stint.running for stint in schedule.stints),
        "never": never,
        "in_error": in_error,
        "agents": agents,
        "cold_starts": sum(stint.cold > 0 for stint in schedule.stints),
    }


def _lane(number: int, agent_id: str | None, stints: Sequence[Stint]) -> record.LaneRecord:
    busy = sum(stint.end - stint.start for stint in stints)
    return {"lane": number, "agent_id": agent_id, "tasks": len(stints), "busy_minutes": busy}


def _stint(survey: Survey, stint: Stint, lane: int | None, *, critical: bool) -> record.StintRecord:
    node = survey.node(stint.node)
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "title": node.title,
        "repository": node.repository,
        "lane": lane,
        "agent_id": stint.agent_id,
        "start": stint.start,
        "end": stint.end,
        "minutes": survey.estimates.minutes[stint.node] * (REMAINING if stint.running else 1),
        "minutes_filled": _filled(survey, stint),
        "cold_start_minutes": stint.cold,
        "running": stint.running,
        "finish": survey.network.is_container(stint.node),
        "critical": critical,
    }


def _step(survey: Survey, step: Step, stint: Stint, lanes: Mapping[int, int]) -> record.CriticalRecord:
    node = survey.node(stint.node)
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "lane": lanes.get(stint.agent),
        "length": stint.end - stint.start,
        "after": step.after,
    }


def _never(survey: Survey, row: Never) -> record.NeverRecord:
    node = survey.node(row.node)
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "title": node.title,
        "repository": node.repository,
        "kind": row.kind,
        "why": row.why,
    }
