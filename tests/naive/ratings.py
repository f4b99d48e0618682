"""The factors: how each rates a ready node, and what that comes to in points."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from naive.readiness import (
    dependents,
    is_container,
    is_open,
    on_cycle,
    open_nodes,
    own_dependencies,
    parts,
    ready_nodes,
)
from naive.reading import is_exact_rfc, once, weight_of
from naive.sizes import effective_tokens, size, unit
from naive.turns import is_among_the_fewest, share_of_turns

if TYPE_CHECKING:
    from naive.reading import Plain

WEEK = 7 * 86_400
FACTORS = (
    "priority", "urgency", "criticality", "affinity", "payoff", "cost", "runtime", "fairness", "age", "deadline",
)  # fmt: skip


def ratio(part: float, whole: float) -> float:
    """Divide; nothing of nothing is 0."""
    return part / whole if whole else 0.0


@once
def inherited_priority(world: Plain, name: str) -> int:
    """Give the largest priority among a node and everything open that waits for it."""
    own: int = world["nodes"][name]["priority"]
    return max([own, *(inherited_priority(world, d) for d in dependents(world, name))])


@once
def longest_path(world: Plain, name: str) -> float:
    """Give the size of the longest remaining path that begins with a node."""
    return size(world, world["nodes"][name]) + max((longest_path(world, d) for d in dependents(world, name)), default=0)


Chain = tuple[float, float]
"""The weight of a chain of nodes, and its size."""


def density(chain: Chain) -> float:
    """Give the weight of a chain for its size; one that takes no time counts as one long."""
    weight, length = chain
    return weight / (length or 1)


def best_chain(chains: list[Chain]) -> Chain:
    """Give the densest chain, of equals the heavier; one without work comes last, so that it hides no work."""
    return max(chains, key=lambda chain: (chain[1] > 0, density(chain), chain))


def alone(world: Plain, name: str) -> Chain:
    """Give the chain that is a node alone."""
    node = world["nodes"][name]
    return float(2 ** min(max(node["priority"], 0), 8)), size(world, node)


@once
def densest_chain(world: Plain, name: str) -> Chain:
    """Give the densest chain that begins with a node: it alone, or it before the best chain of what waits for it.

    A container has no work, and never ends a chain that could go on.
    """
    weight, length = alone(world, name)
    behind = [
        chain_behind(world, other)
        if is_container(world, other) and name in own_dependencies(world, other)
        else densest_chain(world, other)
        for other in dependents(world, name)
        if name in own_dependencies(world, other) or name in parts(world, other)
    ]
    if not behind:
        return weight, length
    longer = best_chain([(weight + w, length + p) for w, p in behind])
    return longer if not length or density(longer) > density((weight, length)) else (weight, length)


@once
def chain_behind(world: Plain, container: str) -> Chain:
    """Give the densest chain that may begin with a container or its parts once what it depends on is finished."""
    found = [densest_chain(world, container)]
    free = [part for part in parts(world, container) if is_open(world, part) and not on_cycle(world, part)]
    found += [chain_behind(world, part) if is_container(world, part) else densest_chain(world, part) for part in free]
    return best_chain(found)


def payoff(world: Plain, name: str) -> float:
    """Give the weight for its size of the best chain that begins with a node, a container alone included."""
    return max(density(alone(world, name)), density(densest_chain(world, name)))


@once
def latest_start(world: Plain, name: str) -> float | None:
    """Give the second at which a node must start so that every due date behind it can hold."""
    node = world["nodes"][name]
    dates = [node["due"], *(latest_start(world, d) for d in dependents(world, name))]
    known = [date for date in dates if date is not None]
    minutes = size(world, node) if unit(world) == "minutes" else 0
    return min(known) - minutes * 60 if known else None


def rate_urgency(world: Plain, node: Plain) -> float:
    """Rate the inherited priority on a scale over the ready nodes."""
    all_ready = [inherited_priority(world, name) for name in ready_nodes(world)]
    low, high = min(0, *all_ready, 0), max(all_ready)
    return ratio(inherited_priority(world, node["name"]) - low, high - low)


def rate_criticality(world: Plain, node: Plain) -> float:
    """Rate how much of the longest remaining path begins with a node."""
    return ratio(longest_path(world, node["name"]), max(longest_path(world, name) for name in ready_nodes(world)))


def rate_payoff(world: Plain, node: Plain) -> float:
    """Rate the density of the best chain; where all priorities are one it would mean shortest first."""
    if len({world["nodes"][name]["priority"] for name in open_nodes(world)}) == 1:
        return 0.0
    best = max(payoff(world, name) for name in ready_nodes(world))
    return ratio(sqrt(payoff(world, node["name"])), sqrt(best))


def age(world: Plain, node: Plain) -> float:
    """Give how long ago a node was created; 0 in the future."""
    return max(0, world["now"] - node["created_at"]) if node["created_at"] is not None else 0


def rate_age(world: Plain, node: Plain) -> float:
    """Rate the age against the oldest ready node."""
    return ratio(age(world, node), max(age(world, world["nodes"][name]) for name in ready_nodes(world)))


def rate_deadline(world: Plain, node: Plain) -> float:
    """Rate how little time is left before the latest start, within a week."""
    latest = latest_start(world, node["name"])
    return 0.0 if latest is None else min(max(1 - (latest - world["now"]) / WEEK, 0.0), 1.0)


def rate_fairness(world: Plain, node: Plain, turns: list[str | None]) -> float:
    """Rate how few turns a repository had; metagit knows only those with the fewest, and no negative weight."""
    if not is_exact_rfc(world):
        return 1 - share_of_turns(turns, node["repository"])
    asked = world["request"]["graph_ids"]
    among = [n for n in ready_nodes(world) if not asked or world["nodes"][n]["graph_id"] in asked]
    used = weight_of(world, "fairness", node["graph_id"]) > 0
    return float(used and is_among_the_fewest(world, among, node["repository"]))


def rating(world: Plain, factor: str, node: Plain, *, warm: bool, turns: list[str | None] | None) -> float:
    """Rate a node; ``turns`` is None where nobody could read them, which contributes nothing."""
    match factor:
        case "priority":
            return float(node["priority"])
        case "urgency":
            return rate_urgency(world, node)
        case "criticality":
            return rate_criticality(world, node)
        case "affinity":
            return 1.0 if warm else 0.0
        case "payoff":
            return rate_payoff(world, node)
        case "cost":
            return 1 / (1 + effective_tokens(node) / 1000)
        case "runtime":
            return 1 / (1 + size(world, node) / 30)
        case "fairness":
            return 0.0 if turns is None or node["repository"] is None else rate_fairness(world, node, turns)
        case "age":
            return rate_age(world, node)
        case _:
            return rate_deadline(world, node)


def pressed(world: Plain, node: Plain) -> bool:
    """Say whether a node's repository has as many merges queued as the policy's threshold."""
    depths = world["signals"].get("merge_queue", {})
    return bool(depths.get(node["repository"], 0) >= world["policy"]["merge_queue_threshold"])


def rows_of(world: Plain, name: str, *, warm: bool, turns: list[str | None] | None) -> dict[str, tuple[float, int]]:
    """Give the rows of a node's score: the rating of each factor that weighs anything, and its points in millionths."""
    node = world["nodes"][name]
    rows = {}
    for factor in FACTORS:
        weight = weight_of(world, factor, node["graph_id"])
        if weight:
            value = rating(world, factor, node, warm=warm, turns=turns)
            rows[factor] = (value, round(weight * value * 1_000_000))
    penalty = world["policy"]["merge_pressure_penalty"]
    if penalty and pressed(world, node):
        rows["merge_pressure"] = (-1.0, -round(penalty * 1_000_000))
    return rows


def order_of(world: Plain, name: str, score: int) -> tuple[object, ...]:
    """Give what nodes are ordered by: score, tokens, own priority, id, graph (under RFC-0012 its file's name)."""
    node = world["nodes"][name]
    own = 0 if is_exact_rfc(world) else -node["priority"]
    file = node["graph_id"] + (".json" if is_exact_rfc(world) else "")
    return (-score, effective_tokens(node), own, id_key(world, node), file)


def id_key(world: Plain, node: Plain) -> tuple[object, ...]:
    """Give the key of an id: numbers count where the tracker numbers its ids, and come before all others."""
    if not world["graphs"][node["graph_id"]]["numbered"]:
        return (1, node["node_id"])
    pieces: list[tuple[int, int, str]] = []
    text = ""
    for character in node["node_id"]:
        if text and text.isdigit() != character.isdigit():
            pieces.append((0, int(text), "") if text.isdigit() else (1, 0, text))
            text = ""
        text += character
    pieces.append((0, int(text), "") if text.isdigit() else (1, 0, text))
    return (0, float("inf") if node["ordinal"] is None else node["ordinal"], pieces, node["node_id"])
