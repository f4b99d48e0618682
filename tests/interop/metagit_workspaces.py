"""Random workspaces as metagit writes them, and what the documented departures make of each."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sandbox import write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

AT: Final = "2026-11-01T10:00:00+00:00"
GRAPHS: Final = ("a", "a-b", "a.b", "b", "z")
HOMES: Final = ("p/r1", "p/r2", "q/r1", ".", "r1", None)
PROJECTS: Final = (None, None, "p")
STATUSES: Final = ("pending",) * 5 + ("ready", "completed", "running", "blocked", "cancelled")
WEIGHTS: Final = (0, 0, 0.25, 0.5, 1, 1.5, 3, -1, -0.5, 0.1)

Plain = dict[str, Any]


class World(NamedTuple):
    """A workspace before it is written: graphs, policy, history, worktrees and merges, as metagit has them."""

    graphs: list[Plain]
    policy: Plain
    history: list[Plain]
    worktrees: list[Plain]
    merges: list[Plain]
    limit: int


def draw(seed: int) -> World:
    """Draw a workspace; the same one for a seed, everywhere."""
    dice = Random(seed)  # noqa: S311 - nothing is kept secret
    graphs = [_graph(dice, name) for name in sorted(dice.sample(GRAPHS, dice.randint(1, 4)))]
    return World(
        graphs,
        _policy(dice),
        [_row(dice, n) for n in range(dice.choice((0, 0, 2, 5, 12, 60)))],
        [_worktree(dice, n) for n in range(dice.choice((0, 1, 3)))],
        [_merge(dice, n) for n in range(dice.choice((0, 0, 2, 6)))],
        dice.choice((1, 1, 2, 3, 5, 40)),
    )


def _graph(dice: Random, name: str) -> Plain:
    ids = [f"t{n}" for n in dice.sample(range(12), dice.randint(0, 7))]
    nodes = [_node(dice, name, node_id, ids[:number]) for number, node_id in enumerate(ids)]
    status = dice.choice(("active",) * 7 + ("completed", "cancelled"))
    times = {"created_at": AT, "updated_at": AT}
    return {"graph_id": name, "title": f"Graph {name}", "nodes": nodes, "status": status, **times}


def _node(dice: Random, graph_id: str, node_id: str, before: list[str]) -> Plain:
    needs = dice.sample(before, min(len(before), dice.choice((0, 0, 1, 2))))
    if not dice.randrange(25):
        needs.append(dice.choice(("ghost", node_id)))
    return {
        "node_id": node_id,
        "graph_id": graph_id,
        "title": f"Title {node_id}",
        "depends_on": needs,
        "status": dice.choice(STATUSES),
        "project": dice.choice(PROJECTS),
        "repository": dice.choice(HOMES),
        "agent_id": dice.choice((None, None, "ann")),
        "acl": dice.choice((None, {"acl_commands": ["metagit lease acquire"]})),
        "context_budget": dice.choice((None, None, 0, 777, 3000)),
        "priority": dice.choice((0, 0, 0, 1, 2, 5, -3)),
        "estimated_tokens": dice.choice((None, None, 0, 333, 1000, 4000)),
        "created_at": AT,
        "updated_at": AT,
    }


def _policy(dice: Random) -> Plain:
    factors = ("priority", "affinity", "cost", "fairness")
    found: Plain = {}
    if dice.randrange(8):
        found["weights"] = {name: dice.choice(WEIGHTS) for name in dice.sample(factors, dice.randint(0, 4))}
        found["weights"] |= {"fairness": dice.choice(WEIGHTS[2:])} if dice.randrange(3) else {}
    if not dice.randrange(3):
        found["graph_overrides"] = {
            name: {factor: dice.choice((*WEIGHTS, None)) for factor in dice.sample(factors, dice.randint(0, 3))}
            for name in dice.sample(GRAPHS, 2)
        }
    if dice.randrange(2):
        found["merge_queue_threshold"] = dice.randint(1, 3)
    if dice.randrange(2):
        found["merge_pressure_penalty"] = dice.choice((0, 0.5, 2.0, 7, -1))
    if not dice.randrange(3):
        found["skip_on_merge_pressure"] = True
    return found


def _row(dice: Random, number: int) -> Plain:
    home = dice.choice(HOMES)
    return {
        "decision_id": f"row{number}",
        "at": f"2026-10-{dice.randint(10, 28)}T10:00:00.123456+00:00",
        "graph_id": dice.choice(GRAPHS),
        "node_id": f"t{dice.randrange(12)}",
        "score": 1.0,
        "reasons": [],
        "dispatch_hints": {"title": "T", "project": dice.choice(PROJECTS), "repository": home, "priority": 0},
        "acl_commands": [],
        "compile_command": None,
        "skipped": not dice.randrange(5),
    }


def _worktree(dice: Random, number: int) -> Plain:
    home = dice.choice([home for home in HOMES if home])
    return {
        "worktree_id": f"w{number}",
        "path": f"/nowhere/{number}",
        "repository": home,
        "branch": f"agent/{number}",
        "agent_id": dice.choice(("ann", "bob")),
        "task_id": "t1",
        "lease_id": f"l{number}",
        "status": dice.choice(("active", "active", "destroyed")),
        "created_at": AT,
        "updated_at": AT,
    }


def _merge(dice: Random, number: int) -> Plain:
    return {
        "merge_id": f"m{number}",
        "repository": dice.choice(("p/r1", "p/r2", "q/r1", ".")),
        "source_branch": f"agent/{number}",
        "target_branch": "main",
        "status": dice.choice(("queued", "queued", "running", "succeeded", "failed")),
        "created_at": AT,
        "updated_at": AT,
    }


def save(world: World, folder: Path) -> None:
    """Write a workspace."""
    files = {f".metagit/tasks/graphs/{graph['graph_id']}.json": json.dumps(graph) for graph in world.graphs}
    files |= {f".metagit/merges/{merge['merge_id']}.json": json.dumps(merge) for merge in world.merges}
    files[".metagit/schedule/policy.json"] = json.dumps(world.policy)
    if world.worktrees:
        files[".metagit/worktrees/worktrees.json"] = json.dumps({"worktrees": world.worktrees})
    if world.history:
        files[".metagit/schedule/decisions.jsonl"] = "".join(f"{json.dumps(row)}\n" for row in world.history)
    write(folder, files)


# The departures: what metagit would have to be given to answer as git-sched does


def full_names(world: World) -> None:
    """Write ``project: p`` with ``repository: r`` as ``p/r``."""
    nodes = [node for graph in world.graphs for node in graph["nodes"]]
    for place in (*nodes, *(row["dispatch_hints"] for row in world.history)):
        home = place["repository"]
        if home and home != "." and "/" not in home and place["project"]:
            place["repository"] = f"{place['project']}/{home}"


def active_graphs(world: World) -> None:
    """Leave out the graphs that are completed or cancelled."""
    world.graphs[:] = [graph for graph in world.graphs if graph["status"] == "active"]


TRANSLATIONS: Final[dict[str, Callable[[World], None]]] = {
    "project p with repository r is the repository p/r, also where worktrees and merges are concerned": full_names,
    "only active graphs are scheduled": active_graphs,
}
"""Why answers differ, and the workspace about which metagit answers the same."""


def translate(world: World) -> tuple[World, list[str]]:
    """Give the workspace of which metagit must answer as git-sched does of this one, and why it is another."""
    found, why = deepcopy(world), []
    for reason, change in TRANSLATIONS.items():
        before = deepcopy(found)
        change(found)
        if found != before:
            why.append(reason)
    return found, why
