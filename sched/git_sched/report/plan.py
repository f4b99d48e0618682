"""Builds the record of ``plan``: who would do which task and when, and why some cannot start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.decide.forecast import forecast
from git_sched.decide.forecast.critical import CriticalStep, find_critical_path, find_longest_chain
from git_sched.decide.ready.reasons import reasons
from git_sched.decide.simulation import REMAINING
from git_sched.report.basis import build_basis, build_problems, build_publish, build_request
from git_sched.report.gates import explain_gate
from git_sched.report.ranking import LISTED
from git_sched.report.task import build_estimates, build_task, build_total
from git_sched.report.waiting import explain_reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched import record
    from git_sched.decide.forecast import Forecast
    from git_sched.decide.forecast.schedule import Assignment, Schedule
    from git_sched.decide.metrics import Metrics
    from git_sched.decide.pipeline import Answer
    from git_sched.model.request import Held

TASKS: Final = 1_000
"""The largest number of tasks, and of steps of the critical path, that a record lists; it also has the full numbers."""

NAMED: Final = 4
"""Number of the tasks that one depends on that are named."""


class Unstarted(NamedTuple):
    """A node that cannot start: the reason or gate, and its explanation, a phrase that fits after the node's name."""

    node: int
    kind: str
    why: str


def build_forecast(answer: Answer, *, limit: int | None = None) -> record.ForecastRecord:
    """Build the record of ``plan`` for ``limit`` agents, the named ones of the request among them."""
    found = forecast(answer, limit=limit)
    answer, request, staff, schedule, out = found
    metrics, assignments = answer.metrics, schedule.assignments
    longest, chain = find_longest_chain(metrics, schedule)
    steps = _critical(found, chain)
    critical = {step.assignment for step in steps}
    lanes = {place: n for n, place in enumerate(staff.lanes(request.agents), 1)}
    unstarted = () if answer.inputs.policy is None else find_unstarted(metrics, schedule)
    in_minutes = metrics.estimates.unit == "minute"
    work = sum(a.end - a.start - a.cold for a in assignments)
    return {
        "schema_version": 1,
        "kind": "forecast",
        "outcome": answer.outcome,
        "basis": build_basis(answer.inputs.basis, preset=metrics.policy.preset),
        "request": build_request(answer._replace(request=request)),
        "qualified": metrics.qualified,
        "lanes": [
            _lane(n, staff.names[place], [a for a in assignments if a.agent == place], in_minutes=in_minutes)
            for place, n in lanes.items()
        ],
        "estimates": build_estimates(metrics),
        "makespan_minutes": max((a.end for a in assignments), default=0.0) if in_minutes else None,
        "longest_chain": build_total(metrics.estimates.total(chain, size=longest)),
        "work": build_total(metrics.estimates.total([a.node for a in assignments], size=work)),
        "cold_start_minutes": staff.crew.cold_start,
        "cold_start_assumed": metrics.policy.cold_start_minutes is None,
        "counts": _counts(metrics, schedule, agents=len(lanes), unstarted=len(unstarted)),
        "tasks": [
            _assignment(metrics, assignment, lanes.get(assignment.agent), critical=n in critical)
            for n, assignment in enumerate(assignments[:TASKS])
        ],
        "critical": [_step(metrics, step, assignments[step.assignment], lanes) for step in steps[-TASKS:]],
        "critical_steps": len(steps),
        "unstarted": [
            _unstarted(metrics, row) for row in explain_unstarted(metrics, schedule, out, unstarted[:LISTED])
        ],
        "looked_for": list(answer.inputs.looked_for),
        "problems": build_problems(answer.problems),
        "publish": build_publish(answer),
    }


def _critical(found: Forecast, chain: Sequence[int]) -> tuple[CriticalStep, ...]:
    """Return the critical path; where the unit is the task, the longest chain, which needs no times."""
    if found.answer.metrics.estimates.unit == "minute":
        return find_critical_path(found.answer.metrics, found.schedule)
    number = {assignment.node: n for n, assignment in enumerate(found.schedule.assignments)}
    return tuple(CriticalStep(number[node], "dependency" if n else "start") for n, node in enumerate(chain))


def _counts(metrics: Metrics, schedule: Schedule, *, agents: int, unstarted: int) -> record.ForecastCountsRecord:
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
        "unstarted": unstarted,
        "in_error": in_error,
        "agents": agents,
        "cold_starts": sum(assignment.cold > 0 for assignment in schedule.assignments),
    }


def _lane(
    number: int, agent_id: str | None, assignments: Sequence[Assignment], *, in_minutes: bool
) -> record.LaneRecord:
    busy = sum(assignment.end - assignment.start for assignment in assignments) if in_minutes else None
    return {"lane": number, "agent_id": agent_id, "tasks": len(assignments), "busy_minutes": busy}


def _assignment(
    metrics: Metrics, assignment: Assignment, lane: int | None, *, critical: bool
) -> record.AssignmentRecord:
    node, estimates = assignment.node, metrics.estimates
    scheduled = estimates.sizes[node] * (REMAINING if assignment.running else 1)
    in_minutes = estimates.unit == "minute"
    after = [need for need in _open_needs(metrics, node) if not assignment.running]
    return {
        **build_task(metrics, node),
        "lane": lane,
        "agent_id": assignment.agent_id,
        "start": assignment.start if in_minutes else None,
        "end": assignment.end if in_minutes else None,
        "scheduled_minutes": scheduled if in_minutes else None,
        "assumed": in_minutes and (assignment.running or estimates.is_assumed(node)),
        "cold_start_minutes": assignment.cold,
        "running": assignment.running,
        "finish": metrics.network.is_container(node),
        "critical": critical,
        "after": [metrics.node(need).name for need in after[:NAMED]],
        "after_more": max(0, len(after) - NAMED),
    }


def _open_needs(metrics: Metrics, node: int) -> list[int]:
    """Give the unfinished nodes that one depends on, its own parts among them."""
    network, stack = metrics.network, [node]
    found: dict[int, None] = {}
    while stack:
        for need in network.needs[stack.pop()]:
            if need in network.container:  # an opening waits for what its container needs
                stack.append(need)
            elif network.is_open[need]:
                found[need] = None
    return list(found)


def _step(
    metrics: Metrics, step: CriticalStep, assignment: Assignment, lanes: Mapping[int, int]
) -> record.CriticalRecord:
    node = metrics.node(assignment.node)
    return {
        "graph_id": node.graph_id,
        "node_id": node.node_id,
        "title": node.title,
        "lane": lanes.get(assignment.agent),
        "length": assignment.end - assignment.start if metrics.estimates.unit == "minute" else None,
        "after": step.after,
    }


def _unstarted(metrics: Metrics, row: Unstarted) -> record.UnstartedRecord:
    return {**build_task(metrics, row.node), "kind": row.kind, "why": row.why}


def find_unstarted(metrics: Metrics, schedule: Schedule) -> tuple[int, ...]:
    """Return the open nodes of requested graphs that cannot start, first those that do not just wait for others."""
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
    """Explain why some nodes cannot start; ``out`` are the gates that hold from beginning to end."""
    rows = []
    for node in nodes:
        gate = out.get(node) or schedule.held.get(node)
        if gate is not None:
            rows.append(Unstarted(node, gate.gate, explain_gate(metrics, gate, picked=schedule.done)))
            continue
        first = reasons(metrics.readiness, node)[0]
        if first.kind in {"waits_for", "container"} and first.fault is None:
            first = first._replace(nodes=tuple(i for i in first.nodes if i not in schedule.done))
        rows.append(Unstarted(node, first.kind, explain_reason(metrics, first)))
    return rows
