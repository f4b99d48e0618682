"""What keeps a ready node back while others are running or picked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from naive.collisions import collide
from naive.ratings import pressed
from naive.readiness import is_open, open_nodes, parts
from naive.reading import once
from naive.sizes import effective_tokens
from naive.turns import is_held_for, is_taken

if TYPE_CHECKING:
    from naive.reading import Plain

Taken = list[tuple[str, str | None]]
"""Nodes that are running or picked, each with its agent."""


@once
def running(world: Plain) -> Taken:
    """Give what is running in active graphs; a container counts through its open parts alone."""
    return [
        (name, world["nodes"][name]["agent_id"])
        for name in open_nodes(world)
        if world["nodes"][name]["status"] == "running" and not any(is_open(world, part) for part in parts(world, name))
    ]


def takers_at_first(world: Plain, node: Plain) -> list[str | None]:
    """Give the agents of the request that a node may go to before anything is picked, as far as it is assigned."""
    named: list[str | None] = list(world["request"]["agents"])
    if node["agent_id"] is not None:
        return [node["agent_id"]] if not named or node["agent_id"] in named else []
    return [*named, *([None] if world["request"]["limit"] > len(named) else [])]


@once
def taken_before(world: Plain) -> list[Plain]:
    """Give the open nodes that somebody took and that no file calls running."""
    nodes = [world["nodes"][name] for name in open_nodes(world)]
    return [node for node in nodes if node["status"] != "running" and is_taken(world, node)]


def is_kept_from_all(world: Plain, node: Plain) -> bool:
    """Say whether no agent of the request may have a node that was taken before, so that it counts as running."""
    return all(is_held_for(world, node, agent) for agent in takers_at_first(world, node))


def seen_by(world: Plain, agent: str | None, taken: Taken) -> Taken:
    """Give what is taken as one agent sees it: what others took before counts as running, by nobody in particular."""
    known = [name for name, _ in taken]
    before = [node for node in taken_before(world) if node["name"] not in known]
    others = [node for node in before if is_kept_from_all(world, node) or is_held_for(world, node, agent)]
    return [*taken, *((node["name"], None) for node in others)]


def tasks_of(taken: Taken, agent: str | None) -> int:
    """Count what an agent is working on."""
    return sum(whose == agent for _, whose in taken)


def full_limits(world: Plain, node: Plain, taken: Taken) -> list[str]:
    """Give the limits that leave no room for a node, whoever would take it."""
    limits = world["policy"]["limits"]
    others = [world["nodes"][name] for name, _ in taken]
    counts = {
        "total": len(others),
        "per_graph": sum(other["graph_id"] == node["graph_id"] for other in others),
        "per_repository": sum(other["repository"] == node["repository"] for other in others),
    }
    if node["repository"] is None:
        del counts["per_repository"]
    return [limit for limit, number in counts.items() if limits.get(limit) is not None and number >= limits[limit]]


def over_budget(world: Plain, node: Plain, taken: Taken) -> bool:
    """Say whether a node's tokens and those of what is running and picked are more than the policy allows."""
    allowed: int | None = world["policy"]["limits"].get("tokens")
    spent = sum(effective_tokens(world["nodes"][name]) for name, _ in taken)
    return allowed is not None and spent + effective_tokens(node) > allowed


def colliders(world: Plain, node: Plain, taken: Taken) -> list[str]:
    """Give what is running or picked and may touch the same files."""
    return [name for name, _ in taken if collide(world, node, world["nodes"][name])]


def is_idle(world: Plain, agent: str | None, taken: Taken) -> bool:
    """Say whether an agent takes a further task; a named one takes one task an answer where no limit allows more."""
    if agent is None:
        return True
    limit: int | None = world["policy"]["limits"].get("per_agent")
    if limit is not None:
        return tasks_of(taken, agent) < limit
    return agent not in world["request"]["agents"] or tasks_of(taken, agent) == tasks_of(running(world), agent)


def able(world: Plain, node: Plain, taken: Taken) -> list[str | None]:
    """Give the agents of the request that a node may go to as far as it is assigned; None is one without a name."""
    named = world["request"]["agents"]
    if node["agent_id"] is not None:
        return [node["agent_id"]] if not named or node["agent_id"] in named else []
    picked = taken[len(running(world)) :]
    unnamed = world["request"]["limit"] - len(named) - sum(agent not in named for _, agent in picked)
    return [*named, *([None] if unnamed > 0 else [])]


def takers(world: Plain, node: Plain, taken: Taken) -> list[str | None]:
    """Give the agents that are idle and may take a node, in the order in which they were named."""
    return [
        agent
        for agent in able(world, node, taken)
        if is_idle(world, agent, taken)
        and not is_held_for(world, node, agent)
        and not room_gates(world, node, seen_by(world, agent, taken))
    ]


def room_gates(world: Plain, node: Plain, taken: Taken) -> set[str]:
    """Name the gates that keep a node back whoever would take it."""
    found = {
        "limits": bool(full_limits(world, node, taken)),
        "collision": bool(colliders(world, node, taken)),
        "budget": over_budget(world, node, taken),
        "merge_pressure": world["policy"]["skip_on_merge_pressure"] and pressed(world, node),
    }
    return {gate for gate, holds in found.items() if holds}


def all_gates(world: Plain, node: Plain, taken: Taken) -> set[str]:
    """Name all gates that keep a node back; none where somebody may take it."""
    agents = able(world, node, taken)
    if world["request"]["agents"] and node["agent_id"] not in {None, *world["request"]["agents"]}:
        return room_gates(world, node, seen_by(world, node["agent_id"], taken)) | {"assigned_to"}
    if takers(world, node, taken):
        return set()
    found = {"redispatch" for agent in agents or takers_at_first(world, node) if is_held_for(world, node, agent)}
    found |= {"limits" for agent in agents if not is_idle(world, agent, taken)}
    found |= set() if agents else {"limits"} | room_gates(world, node, seen_by(world, None, taken))
    for agent in agents:
        found |= room_gates(world, node, seen_by(world, agent, taken))
    return found
