"""The picks: the best pair of a node and an agent, again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from naive import gates
from naive.ratings import order_of, rows_of
from naive.readiness import open_nodes, ready_nodes
from naive.reading import is_exact_rfc
from naive.sizes import size
from naive.turns import last_rows, recent_repositories

if TYPE_CHECKING:
    from naive.gates import Taken
    from naive.reading import Plain


def worktrees(world: Plain) -> list[tuple[str, str | None]]:
    """Give the worktrees that count: those of the pool, where there is one, and of the agents that were asked for.

    RFC-0012 knows the pool alone.
    """
    pool = [*world["policy"]["agent_pool"]]
    if pool and not is_exact_rfc(world):
        pool += world["request"]["agents"]
    rows = [(row[0], row[1]) for row in world["signals"].get("worktrees", [])]
    return [(repository, owner) for repository, owner in rows if not pool or owner in pool]


def has_checked_out(world: Plain, agent: str, repository: str | None) -> bool:
    """Say whether an agent has a worktree of a repository, or runs a node of it."""
    if repository is None:
        return False
    runs = {world["nodes"][name]["repository"] for name, whose in gates.running(world) if whose == agent}
    runs |= {
        node["repository"]
        for node in gates.taken_before(world)
        if gates.is_kept_from_all(world, node)
        for row in last_rows(world, node)
        if row.get("agent_id") == agent and not row.get("released")
    }
    return repository in runs or (repository, agent) in worktrees(world)


def seats_left(world: Plain, picks: list[Plain]) -> list[tuple[str, str]]:
    """Give the worktrees that belong to no named agent and that no pick has used, those of nobody first.

    A pick for nobody by name uses one of its repository, a pick for its assignee the assignee's own.
    """
    named = world["request"]["agents"]
    left = sorted((repository, owner or "") for repository, owner in worktrees(world) if owner not in named)
    for pick in picks:
        mine = [seat for seat in left if seat[0] == pick["repository"] and pick["agent"] in {None, seat[1]}]
        if mine and pick["warm"]:
            left.remove(mine[0])
    return left


def is_warm(world: Plain, node: Plain, agent: str | None, picks: list[Plain]) -> bool:
    """Say whether whoever would get a node has its repository checked out."""
    repository = node["repository"]
    if repository is None or agent is not None:
        return agent is not None and has_checked_out(world, agent, repository)
    return repository in [seat for seat, _ in seats_left(world, [] if is_exact_rfc(world) else picks)]


def is_rated_warm(world: Plain, node: Plain, agent: str | None, picks: list[Plain]) -> bool:
    """Say whether a node's affinity is 1: under RFC-0012 anybody's worktree of its repository counts."""
    if not is_exact_rfc(world):
        return is_warm(world, node, agent, picks)
    return node["repository"] is not None and any(node["repository"] == other for other, _ in worktrees(world))


def offer(world: Plain, name: str, agent: str | None, picks: list[Plain]) -> Plain:
    """Give a node as a pick for an agent, with its score at this moment."""
    node = world["nodes"][name]
    warm = is_warm(world, node, agent, picks)
    before = [] if is_exact_rfc(world) else [(pick["name"], pick["repository"]) for pick in picks]
    rows = rows_of(world, name, warm=is_rated_warm(world, node, agent, picks), turns=recent_repositories(world, before))
    score = sum(gained for _, gained in rows.values())
    return {
        "name": name,
        "agent": agent,
        "repository": node["repository"],
        "warm": warm,
        "rows": rows,
        "score": score,
        "order": order_of(world, name, score),
    }


def taken_with(world: Plain, picks: list[Plain]) -> Taken:
    """Give what is running, and the picks so far."""
    return [*gates.running(world), *((pick["name"], pick["agent"]) for pick in picks)]


def asked_for(world: Plain) -> list[str]:
    """Give the ready nodes of the graphs that were asked for."""
    graphs = world["request"]["graph_ids"]
    return [name for name in ready_nodes(world) if not graphs or world["nodes"][name]["graph_id"] in graphs]


def candidates(world: Plain, picks: list[Plain]) -> dict[str, list[str | None]]:
    """Give the nodes that may be the next pick, each with those who may take it."""
    taken = taken_with(world, picks)
    picked = [pick["name"] for pick in picks]
    nodes = [world["nodes"][name] for name in asked_for(world) if name not in picked]
    return {node["name"]: gates.takers(world, node, taken) for node in nodes}


def best_named(world: Plain, picks: list[Plain]) -> Plain | None:
    """Give the best pair of a node and a named agent.

    Only those with the fewest tasks get one, of all that may take one. Of several that have its repository checked out
    the first in the order of names gets it, of others the one that gives up least. Under RFC-0012 the best node comes
    first whoever may take it.
    """
    named = world["request"]["agents"]
    open_to = {name: [agent for agent in agents if agent in named] for name, agents in candidates(world, picks).items()}
    pairs = [offer(world, name, agent, picks) for name, agents in open_to.items() for agent in agents]
    if not pairs:
        return None
    if not is_exact_rfc(world):
        pairs = with_the_fewest(world, pairs, picks)
    best = min(pairs, key=lambda pair: pair["order"])
    equal = with_the_fewest(world, [pair for pair in pairs if pair["name"] == best["name"]], picks)
    warm = [pair for pair in equal if has_checked_out(world, pair["agent"], pair["repository"])]
    return warm[0] if warm else min(equal, key=lambda pair: sacrifice(world, pair["agent"], open_to, picks))


def with_the_fewest(world: Plain, pairs: list[Plain], picks: list[Plain]) -> list[Plain]:
    """Leave the pairs of those agents that no other one has fewer tasks than, running or picked."""
    taken = taken_with(world, picks)
    numbers = [gates.tasks_of(taken, pair["agent"]) for pair in pairs]
    return [pair for pair, number in zip(pairs, numbers, strict=True) if number == min(numbers)]


def sacrifice(world: Plain, agent: str, open_to: dict[str, list[str | None]], picks: list[Plain]) -> tuple[Any, ...]:
    """Give what an agent gives up by taking a node that it has no worktree for; less comes first.

    That is the score of its best own task, then the work left where it has a worktree, then the order of names.
    """
    own = [
        offer(world, name, agent, picks)["score"]
        for name, agents in open_to.items()
        if agent in agents
        and has_checked_out(world, agent, world["nodes"][name]["repository"])
    ]  # fmt: skip
    left = sum(
        size(world, world["nodes"][name])
        for name in open_nodes(world)
        if world["nodes"][name]["status"] != "running"
        and has_checked_out(world, agent, world["nodes"][name]["repository"])
    )
    return (max(own, default=float("-inf")), left, world["request"]["agents"].index(agent))


def best_unnamed(world: Plain, picks: list[Plain]) -> Plain | None:
    """Give the best node for an agent without a name; without named agents an assigned node goes to its assignee."""
    found = [
        offer(world, name, agent, picks)
        for name, agents in candidates(world, picks).items()
        for agent in agents
        if agent not in world["request"]["agents"]
    ]
    return min(found, key=lambda pair: pair["order"], default=None)


def pick(world: Plain) -> list[Plain]:
    """Give the picks in order; an agent without a name is used only where no named one takes anything."""
    picks: list[Plain] = []
    while len(picks) < world["request"]["limit"]:
        best = best_named(world, picks) or best_unnamed(world, picks)
        if best is None:
            break
        picks.append(best)
    return picks


def rank(world: Plain) -> list[Plain]:
    """Give all ready nodes that were asked for in their order before the first pick, whatever holds them."""
    found = [offer(world, name, likely_agent(world, world["nodes"][name]), []) for name in asked_for(world)]
    return sorted(found, key=lambda one: one["order"])


def likely_agent(world: Plain, node: Plain) -> str | None:
    """Give the agent that a node is rated for before anything is picked, whether that agent is idle or not.

    That is its assignee, if anybody or that agent was asked for; else the first named agent that has its repository
    checked out, else the first named one.
    """
    named: list[str | None] = world["request"]["agents"]
    if node["agent_id"] is not None and (not named or node["agent_id"] in named):
        return str(node["agent_id"])
    warm = [agent for agent in named if agent is not None and has_checked_out(world, agent, node["repository"])]
    return next(iter([*warm, *named]), None)


def skip(world: Plain, ranking: list[Plain], picks: list[Plain]) -> list[Plain]:
    """Give the nodes that pressure alone keeps back: those before the last pick, and at most ``limit`` more."""
    under = [
        one
        for one in ranking
        if gates.all_gates(world, world["nodes"][one["name"]], gates.running(world)) == {"merge_pressure"}
    ]
    last = max((one["order"] for one in picks), default=())
    before = [one for one in under if one["order"] < last]
    limit = world["request"]["limit"]
    return before if len(picks) == limit else under[: len(before) + limit]


def hold(world: Plain, ranking: list[Plain], picks: list[Plain], skipped: list[Plain]) -> dict[str, set[str]]:
    """Give all gates of each node that is kept back at the end."""
    taken = taken_with(world, picks)
    out = [one["name"] for one in (*picks, *skipped)]
    left = [world["nodes"][one["name"]] for one in ranking if one["name"] not in out]
    held = {node["name"]: gates.all_gates(world, node, taken) for node in left}
    return {name: found for name, found in held.items() if found}


def hold_from_the_start(world: Plain) -> set[str]:
    """Give the nodes that a gate keeps back before anything is picked."""
    taken = gates.running(world)
    return {name for name in asked_for(world) if gates.all_gates(world, world["nodes"][name], taken)}
