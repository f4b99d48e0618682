"""What ends a hold: the running tasks of which each must end before a held one is free again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.pick.collisions import Footprints
from git_sched.decide.pick.gates import Load, collision_gate, limit_gate, recent_dispatches

if TYPE_CHECKING:
    from git_sched.decide.pipeline import Answer
    from git_sched.model.graph import Node


def find_enders(answer: Answer, node: int) -> list[str]:
    """Name the running tasks of which each must end before a held node is free again.

    Empty where that is not so: any one of several would do, something that this answer picks is in the way as well, or
    an assignee, a limit of an agent or a hand-out holds the node besides.
    """
    held, metrics, limits = answer.choice.held[node], answer.metrics, answer.metrics.policy.limits
    found = metrics.node(node)
    for_an_agent = found.agent_id is not None and (bool(answer.request.agents) or limits.per_agent is not None)
    if for_an_agent or held.limit == "per_agent" or (found.graph_id, found.node_id) in recent_dispatches(metrics).rows:
        return []
    footprints = Footprints(answer.request.tracked, answer.request.own_repository)
    running = [metrics.node(i) for i in metrics.running()]
    if held.gate == "collision":
        enders = [
            other for other in running if other.repository == found.repository and footprints.collide(found, other)
        ]
    else:
        enders = [other for other in running if held.by == (other.name,)]
    load = _load_without(answer, enders)
    stays = limit_gate(limits, load, found) or collision_gate(footprints, load, found)
    return [] if stays else [other.name for other in enders]


def _load_without(answer: Answer, enders: list[Node]) -> Load:
    """Count what is running and picked, without some running tasks."""
    load = Load(answer.metrics)
    for pick in answer.choice.picks:
        load.add(answer.metrics.node(pick.node), pick.context.agent_id)
    for ender in enders:
        load.drop(ender, ender.agent_id)
    return load
