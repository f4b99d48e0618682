"""The input of a decision, read from a scene: records become nodes, and nodes in error stay in error."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Plain = dict[str, Any]
"""What JSON calls an object. All values of this reader are such, so that a case can be printed and read."""

T = TypeVar("T")


def once(function: Callable[..., T]) -> Callable[..., T]:
    """Work out a function of a world, or of a world and a name, once in each world: slow, but not hopeless."""

    @wraps(function)
    def remembered(world: Plain, *name: str) -> T:
        memory = world["memory"]
        if (function, name) not in memory:
            memory[function, name] = function(world, *name)
        found: T = memory[function, name]
        return found

    return remembered


PRESETS: Final[dict[str, dict[str, float]]] = {
    "balanced": {"urgency": 2.0, "criticality": 1.0, "affinity": 1.5, "payoff": 0.5},
    "rfc-0012": {"priority": 1.0, "affinity": 0.5, "cost": 0.25},
}
DEFAULTS: Final[Plain] = {
    "preset": "balanced",
    "weights": {},
    "graph_overrides": {},
    "agent_pool": [],
    "limits": {},
    "merge_queue_threshold": 3,
    "merge_pressure_penalty": 2.0,
    "skip_on_merge_pressure": False,
    "on_cancelled": "block",
    "redispatch_after": "4h",
    "fairness_window": 50,
    "tokens_per_minute": 500.0,
}
WORDS: Final = ("pending", "ready", "blocked", "running", "completed", "cancelled")
FINISHED: Final = ("completed", "cancelled")
MILLION: Final = 1_000_000


def read(scene: Plain) -> Plain:
    """Read a scene: graphs, nodes by name, names of nodes in error, policy, signals, time and request."""
    policy = DEFAULTS | {key: value for key, value in scene["policy"].items() if value is not None}
    world: Plain = {
        "memory": {},
        "graphs": {},
        "nodes": {},
        "in_error": {},
        "policy": policy,
        "signals": scene.get("signals", {}),
        "now": time_of(scene["now"]),
        "request": {"limit": 1, "agents": [], "graph_ids": [], "tracked": [], "own_repository": None}
        | scene.get("request", {}),
    }
    records = defaultdict(list)
    for graph in scene["graphs"]:
        foreign = graph.get("foreign", {})
        status = graph.get("status", "active")
        world["graphs"][graph["graph_id"]] = {
            "active": status == "active",
            "numbered": foreign.get("numbered", False),
            "ambiguous": foreign.get("ambiguous", []),
        }
        for row in graph.get("nodes", []):
            records[f"{graph['graph_id']}/{row.get('node_id')}"].append((graph, row))
    for name, found in records.items():
        place_records(world, name, found, twins=graphs_of_one_id(scene))
    return world


def graphs_of_one_id(scene: Plain) -> set[str]:
    """Give the ids that more than one graph has."""
    ids = [graph["graph_id"] for graph in scene["graphs"]]
    return {one for one in ids if ids.count(one) > 1}


def place_records(world: Plain, name: str, found: list[tuple[Plain, Plain]], *, twins: set[str]) -> None:
    """Put the records of one id where they belong: a node, or a node in error.

    A single good record is a node. Where all records are good and completed, or all cancelled, that is what they are.
    """
    graph, row = found[0]
    statuses = {record.get("foreign", {}).get("status", record.get("status", "pending")) for _, record in found}
    good = len(found) == 1 and is_good(row) and graph["graph_id"] not in twins and graph_is_known(graph)
    finished = len(statuses) == 1 and statuses <= set(FINISHED)
    parent = next((f"{graph['graph_id']}/{record['foreign']['parent']}"
                   for _, record in found if record.get("foreign", {}).get("parent")), None)  # fmt: skip
    if good or (len(found) == 1 and is_good(row) and graph["graph_id"] not in twins and finished):
        world["nodes"][name] = node_of(graph, row, parent)
    elif finished and all(is_good(record) for _, record in found):
        bare = {"node_id": row["node_id"], "status": row["status"]}
        world["nodes"][name] = node_of(graph, bare, parent)
    else:
        known = name if is_name(row.get("node_id")) else f"{graph['graph_id']}/None"
        world["in_error"][known] = {"parent": parent, "records": len(found)}


def graph_is_known(graph: Plain) -> bool:
    """Say whether the graph's status is one that there is."""
    return graph.get("status", "active") in {"active", "completed", "cancelled"}


def is_name(value: object) -> bool:
    """Say whether a value may be an id, as far as these scenes try."""
    return isinstance(value, str) and " " not in value


def is_good(row: Plain) -> bool:
    """Say whether every value of a record has its type and range."""
    priority = row.get("priority", 0)
    minutes = row.get("estimated_minutes", 1)
    return (
        is_name(row.get("node_id"))
        and type(priority) is int
        and -MILLION <= priority <= MILLION
        and type(minutes) in {int, float}
        and minutes > 0
        and row.get("status", "pending") in WORDS
        and isinstance(row.get("depends_on", []), list)
        and all(map(is_name, row.get("depends_on", [])))
        and is_name(row.get("agent_id", "nobody"))
        and ("due" not in row or row["due"][0].isdigit())
    )


def node_of(graph: Plain, row: Plain, parent: str | None) -> Plain:
    """Give a node with every key; an estimate below 0 counts as absent."""
    foreign = row.get("foreign", {})
    repository, project = (row.get("repository") or "").strip(), (row.get("project") or "").strip()
    if repository and project and "/" not in repository:
        repository = f"{project}/{repository}"
    tokens, budget = row.get("estimated_tokens"), row.get("context_budget")
    return {
        "name": f"{graph['graph_id']}/{row['node_id']}",
        "graph_id": graph["graph_id"],
        "node_id": row["node_id"],
        "status": foreign.get("status", row.get("status", "pending")),
        "priority": row.get("priority", 0),
        "estimated_minutes": row.get("estimated_minutes"),
        "estimated_tokens": tokens if tokens is not None and tokens >= 0 else None,
        "context_budget": budget if budget is not None and budget >= 0 else None,
        "repository": repository or None,
        "agent_id": row.get("agent_id"),
        "due": time_of(row["due"], end_of_day=True) if "due" in row else None,
        "created_at": time_of(row["created_at"]) if "created_at" in row else None,
        "deferred_until": time_of(foreign["deferred_until"]) if "deferred_until" in foreign else None,
        "paths": row.get("paths", []),
        "depends_on": row.get("depends_on", []),
        "ordinal": foreign.get("ordinal"),
        "parent": parent,
    }


def time_of(text: str, *, end_of_day: bool = False) -> int:
    """Give the seconds since 1970; without a zone it is UTC, a date alone is its start or its end."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    if end_of_day and "T" not in text:
        moment += timedelta(days=1, seconds=-1)
    return int(moment.timestamp())


def duration_of(text: str) -> int:
    """Give the seconds of a duration such as ``4h``."""
    return int(text[:-1]) * {"s": 1, "m": 60, "h": 3_600, "d": 86_400}[text[-1]]


def weight_of(world: Plain, factor: str, graph_id: str) -> float:
    """Give what a factor weighs for the nodes of a graph: the preset's, the policy's, the graph's own."""
    policy = world["policy"]
    base = PRESETS[policy["preset"]] | policy["weights"]
    over = {key: value for key, value in policy["graph_overrides"].get(graph_id, {}).items() if value is not None}
    return float((base | over).get(factor, 0))


def is_exact_rfc(world: Plain) -> bool:
    """Say whether the order is that of RFC-0012 to the letter."""
    return bool(world["policy"]["preset"] == "rfc-0012")
