"""Why nodes never start in a forecast: a mistake, a mark, a hold without an end, or waiting for one of those."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.ready.reasons import reasons
from git_sched.report.held_text import why_held
from git_sched.report.waiting import names, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.decide.forecast.schedule import Schedule
    from git_sched.decide.metrics import Survey
    from git_sched.decide.pick.gates import Held


class Never(NamedTuple):
    """A node that never starts: a reason or gate by its word, and in a phrase that fits behind the node's name."""

    node: int
    kind: str
    why: str


def left_over(survey: Survey, schedule: Schedule) -> tuple[int, ...]:
    """Give the open nodes that were asked for and never start, those first that do not merely wait for others."""
    network, state = survey.network, survey.readiness.state
    asked = survey.graph_ids
    left = [
        i
        for i, node in enumerate(network.nodes)
        if network.is_open[i] and i not in schedule.done and (not asked or node.graph_id in asked)
    ]
    return tuple(sorted(left, key=lambda i: (state[i] in {"waits_for", "container"}, i)))


def why_never(survey: Survey, schedule: Schedule, out: Mapping[int, Held], nodes: Sequence[int]) -> list[Never]:
    """Say why some nodes never start; ``out`` are gates that hold from the beginning to the end."""
    rows = []
    for node in nodes:
        gate = out.get(node) or schedule.held.get(node)
        if gate is not None:
            rows.append(Never(node, gate.gate, why_held(gate)))
            continue
        first = reasons(survey.readiness, node)[0]
        if first.kind in {"waits_for", "container"}:
            first = first._replace(nodes=tuple(i for i in first.nodes if i not in schedule.done))
            rows.append(Never(node, first.kind, f"waits for {names(survey, first.nodes)}"))
        else:
            rows.append(Never(node, first.kind, say(survey, first)))
    return rows
