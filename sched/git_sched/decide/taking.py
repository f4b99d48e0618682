"""Taking one task that somebody chose: whether it can be taken, and the answer in which it is the only pick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.pick.holds import find_holds
from git_sched.model.request import Held

if TYPE_CHECKING:
    from git_sched.decide.pipeline import Answer


def find_obstacle(answer: Answer, node: int) -> Held | None:
    """Return who else has a ready node, or is assigned to it; no limit, collision or pressure keeps it from anybody."""
    found, agents = answer.metrics.node(node), answer.request.agents
    if found.agent_id is not None and agents and found.agent_id not in agents:
        return Held("assigned_to", by=(found.agent_id,))
    return find_holds(answer.metrics).of_others(found, find_taker(answer, node))


def find_taker(answer: Answer, node: int) -> str | None:
    """Return who would take a node: the agent of the request, else its assignee, else nobody by name."""
    agents = answer.request.agents
    return agents[0] if agents else answer.metrics.node(node).agent_id


def take_node(answer: Answer, node: int) -> Answer:
    """Return an answer in which a ready node is the only pick, rated as it is before any pick."""
    choice = answer.choice
    ranked = next(one for one in choice.ranking if one.node == node)
    pick = ranked._replace(context=ranked.context._replace(agent_id=find_taker(answer, node)))
    held = {i: gate for i, gate in choice.held.items() if i != node}
    skipped = tuple(one for one in choice.skipped if one.node != node)
    choice = choice._replace(picks=(pick,), skipped=skipped, held=held, runners_up=(None,), taken=True)
    return answer._replace(outcome="decided", choice=choice, outlook=None)
