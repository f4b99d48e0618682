"""Builds the record of ``plan``: who would do which task and when, and why some never start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.decide.forecast import forecast
from git_sched.decide.forecast.critical import CriticalStep, find_critical_path, find_least_minutes
from git_sched.decide.ready.reasons import reasons
from git_sched.decide.simulation import REMAINING
from git_sched.report.basis import build_basis, build_problems, build_publish, build_request
from git_sched.report.held_text import explain_gate
from git_sched.report.ranking import LISTED
from git_sched.report.waiting import explain_reason, name_nodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched import record
    from git_sched.decide.forecast.schedule import Assignment, Schedule
    from git_sched.decide.metrics import Metrics
    from git_sched.decide.pipeline import Answer
    from git_sched.model.request import Held

TASKS: Final = 1_000
"""How many tasks, and steps of what the end hangs on, a record lists; their number is always given whole."""


class Unstarted(NamedTuple):
    """A node that never starts: a reason or gate by its word, and in a phrase that fits behind the node's name."""

    node: int
    kind: str
    why: str


def build_forecast(answer: Answer, *, limit: int | None = None) -> record.ForecastRecord:
    """Build the record of ``plan`` for so many agents, the named ones of the request among them."""
    answer, request, staff, schedule, out = forecast(answer, limit=limit)
    metrics, assignments = answer.metrics, schedule.assignments
    steps = find_critical_path(metrics, schedule)
    lanes = {place: n for n, place in enumerate(staff.lanes(request.agents), 1)}
    never = () if answer.inputs.policy is None else find_unstarted(metrics, schedule)
    cold_filled = metrics.policy.cold_start_minutes is None
    on_chain = [assignments[step.assignment] for step in steps]
    critical = {step.assignment for step in steps}
    return {
        "schema_version": 1,
        "kind": "forecast",
        "outcome": answer.outcome,
        "basis": build_basis(answer.inputs.basis, preset=metrics.policy.preset),
        "request": build_request(answer._replace(request=request)),
        "lanes": [
            _lane(n, staff.names[place], [s for s in assignments if s.agent == place]) for place, n in lanes.items()
        ],
        "makespan_minutes": max((s.end for s in assignments), default=0.0),
        "makespan_filled": any(_filled(metrics, s) or (cold_filled and s.cold > 0) for s in on_chain),
        "shortest_minutes": find_least_minutes(metrics, schedule),
        "work_minutes": sum(s.end - s.start - s.cold for s in assignments),
        "cold_start_minutes": staff.crew.cold_start,
        "cold_start_filled": cold_filled,
        "counts": _counts(metrics, schedule, agents=len(lanes), never=len(never)),
        "tasks": [
            _stint(metrics, assignment, lanes.get(assignment.agent), critical=n in critical)
            for n, assignment in enumerate(assignments[:TASKS])
        ],
        "critical": [_step(metrics, step, assignments[step.assignment], lanes) for step in steps[-TASKS:]],
        "critical_steps": len(steps),
        "never": [_never(metrics, row) for row in explain_unstarted(metrics, schedule, out, never[:LISTED])],
        "looked_for": list(answer.inputs.looked_for),
        "problems": build_problems(answer.problems),
        "publish": build_publish(answer),
    }


def _filled(metrics: Metrics, assignment: Assignment) -> bool:
    return assignment.running or metrics.estimates.filled(assignment.node)


def _counts(metrics: Metrics, schedule: Schedule, *, agents: int, never: int) -> record.ForecastCountsRecord:
    network, asked = metrics.network, metrics.graph_ids
    wanted = [not asked or node.graph_id in asked for node in network.nodes]
    in_error = sum(not asked or graph_id in asked for graph_id, _ in network.broken)
    ended = {assignment.node for assignment in schedule.assignments}
    containers = [i for i in network.opening if wanted[i] and i in schedule.done and i not in ended]
    return {
        "nodes": sum(wanted) + in_error,
        "open": sum(want and is_open for want, is_open in zip(wanted, network.is_open, strict=False)),
        "tasks": len(schedule.assignments),
        "containers": len([i for i in containers if network.is_open[i]]),
        "running": sum(assignment.running for assignment in schedule.assignments),
        "never": never,
        "in_error": in_error,
        "agents": agents,
        "cold_starts": sum(assignment.cold > 0 for assignment in schedule.assignments),
    }


def _lane(number: int, agent_id: str | None, assignments: Sequence[Assignment]) -> record.LaneRecord:
    busy = sum(assignment.end - assignment.start for assignment in assignments)
    return {"lane": number, "agent_id": agent_id, "tasks": len(assignments), "busy_minutes": busy}


def _stint(metrics: Metrics, assignment: Assignment, lane: int | None, *, critical: bool) -> record.StintRecord:
    node = metrics.node(assignment.node)
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "title": node.title,
        "repository": node.repository,
        "lane": lane,
        "agent_id": assignment.agent_id,
        "start": assignment.start,
        "end": assignment.end,
        "minutes": metrics.estimates.minutes[assignment.node] * (REMAINING if assignment.running else 1),
        "minutes_filled": _filled(metrics, assignment),
        "cold_start_minutes": assignment.cold,
        "running": assignment.running,
        "finish": metrics.network.is_container(assignment.node),
        "critical": critical,
    }


def _step(
    metrics: Metrics, step: CriticalStep, assignment: Assignment, lanes: Mapping[int, int]
) -> record.CriticalRecord:
    node = metrics.node(assignment.node)
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "lane": lanes.get(assignment.agent),
        "length": assignment.end - assignment.start,
        "after": step.after,
    }


def _never(metrics: Metrics, row: Unstarted) -> record.NeverRecord:
    node = metrics.node(row.node)
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "title": node.title,
        "repository": node.repository,
        "kind": row.kind,
        "why": row.why,
    }


def find_unstarted(metrics: Metrics, schedule: Schedule) -> tuple[int, ...]:
    """Give the open nodes that were asked for and never start, those first that do not merely wait for others."""
    network, state = metrics.network, metrics.readiness.state
    asked = metrics.graph_ids
    left = [
        i
        for i, node in enumerate(network.nodes)
        if network.is_open[i] and i not in schedule.done and (not asked or node.graph_id in asked)
    ]
    return tuple(sorted(left, key=lambda i: (state[i] in {"waits_for", "container"}, i)))


def explain_unstarted(
    metrics: Metrics, schedule: Schedule, out: Mapping[int, Held], nodes: Sequence[int]
) -> list[Unstarted]:
    """Say why some nodes never start; ``out`` are gates that hold from the beginning to the end."""
    rows = []
    for node in nodes:
        gate = out.get(node) or schedule.held.get(node)
        if gate is not None:
            rows.append(Unstarted(node, gate.gate, explain_gate(gate)))
            continue
        first = reasons(metrics.readiness, node)[0]
        if first.kind in {"waits_for", "container"} and first.fault is None:
            first = first._replace(nodes=tuple(i for i in first.nodes if i not in schedule.done))
            rows.append(Unstarted(node, first.kind, f"waits for {name_nodes(metrics, first.nodes)}"))
        else:
            rows.append(Unstarted(node, first.kind, explain_reason(metrics, first)))
    return rows
