"""Which nodes may start, and why the others may not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from naive.reading import FINISHED, WORDS, once

if TYPE_CHECKING:
    from naive.reading import Plain

ORDER: Final = (
    "graph_inactive", "unknown_status", "cycle", "ambiguous_dependency", "unknown_dependency", "cancelled_dependency",
    "blocked_by_status", "deferred", "container", "waits_for",
)  # fmt: skip
"""The order in which the reasons of a node that is neither finished nor running are given."""

ONLY_AN_EDIT: Final = {
    "graph_inactive", "unknown_status", "cycle", "ambiguous_dependency", "unknown_dependency", "cancelled_dependency",
}  # fmt: skip
"""What no work ever changes."""


def is_open(world: Plain, name: str) -> bool:
    """Say whether a node is open: not finished, in an active graph. A node in error is not open."""
    node = world["nodes"].get(name)
    return bool(node and node["status"] not in FINISHED and world["graphs"][node["graph_id"]]["active"])


@once
def open_nodes(world: Plain) -> list[str]:
    """Give the names of the open nodes."""
    return [name for name in world["nodes"] if is_open(world, name)]


# Parts and wholes


@once
def parts(world: Plain, whole: str) -> list[str]:
    """Give the direct parts of a node, those in error as well."""
    everything = {**world["nodes"], **world["in_error"]}
    return [name for name, node in everything.items() if node["parent"] == whole]


def is_container(world: Plain, name: str) -> bool:
    """Say whether a node has parts."""
    return bool(parts(world, name))


@once
def wholes(world: Plain, name: str) -> list[str]:
    """Give the nodes that a node is part of, the nearest first, as far as they are no error."""
    found = []
    above = world["nodes"][name]["parent"]
    while above in world["nodes"]:
        found.append(above)
        above = world["nodes"][above]["parent"]
    return found


def holding_wholes(world: Plain, name: str) -> list[str]:
    """Give the wholes whose troubles are the node's too: those above it up to the first that is finished."""
    found = []
    for whole in wholes(world, name):
        if world["nodes"][whole]["status"] in FINISHED:
            break
        found.append(whole)
    return found


def unfinished_parts(world: Plain, name: str) -> list[str]:
    """Give the parts that a container waits for; a cancelled one is finished, one in error is not."""
    return [
        part
        for part in parts(world, name)
        if part in world["in_error"] or world["nodes"][part]["status"] not in FINISHED
    ]


# What a node depends on


@once
def own_dependencies(world: Plain, name: str) -> list[str]:
    """Give the full names of what a node depends on, without what it is part of and what is part of it."""
    node = world["nodes"][name]
    texts = [text if "/" in text else f"{node['graph_id']}/{text}" for text in node["depends_on"]]
    return [
        text
        for text in dict.fromkeys(texts)
        if not (text in world["nodes"] and (text in wholes(world, name) or name in wholes(world, text)))
    ]


@once
def all_dependencies(world: Plain, name: str) -> list[str]:
    """Give what a node depends on itself, and what the containers depend on that it is part of."""
    found = list(own_dependencies(world, name))
    for whole in holding_wholes(world, name):
        found += own_dependencies(world, whole)
    return list(dict.fromkeys(found))


@once
def needs(world: Plain, name: str) -> list[str]:
    """Give the open nodes that an open node waits for directly: dependencies and parts."""
    waited_for = [*all_dependencies(world, name), *parts(world, name)]
    return [other for other in dict.fromkeys(waited_for) if is_open(world, other)]


@once
def reachable(world: Plain, start: str) -> set[str]:
    """Give the open nodes that a node waits for, directly or not."""
    found: set[str] = set()
    ahead = list(needs(world, start))
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += needs(world, name)
    return found


def on_cycle(world: Plain, name: str) -> bool:
    """Say whether an open node waits for itself."""
    return is_open(world, name) and name in reachable(world, name)


@once
def dependents(world: Plain, name: str) -> list[str]:
    """Give the open nodes that wait for a node directly; the members of a cycle pass nothing on."""
    return [other for other in open_nodes(world) if not on_cycle(world, other) and name in needs(world, other)]


# Reasons


@once
def reasons(world: Plain, name: str) -> dict[str, list[str]]:
    """Give all reasons why a node is not ready, in the order in which they count, each with the nodes it names."""
    node = world["nodes"][name]
    if node["status"] in FINISHED:
        return {node["status"]: []}
    found = {kind: list(named) for kind, named in applying(world, name)}
    ordered: dict[str, list[str]] = {"running": []} if node["status"] == "running" else {}
    return ordered | {kind: found[kind] for kind in ORDER if kind in found}


def applying(world: Plain, name: str) -> list[tuple[str, list[str]]]:
    """Give the reasons that apply to an unfinished node, in no order that matters."""
    node = world["nodes"][name]
    around = [name, *holding_wholes(world, name)]
    found: list[tuple[str, list[str]]] = []
    if not world["graphs"][node["graph_id"]]["active"]:
        found.append(("graph_inactive", []))
    if any(world["nodes"][one]["status"] not in WORDS for one in around):
        found.append(("unknown_status", []))
    if on_cycle(world, name):
        found.append(("cycle", []))
    if any(world["nodes"][one]["status"] == "blocked" for one in around):
        found.append(("blocked_by_status", []))
    if any(is_deferred(world, one) for one in around):
        found.append(("deferred", []))
    if unfinished_parts(world, name):
        found.append(("container", unfinished_parts(world, name)))
    unmet: dict[str, list[str]] = {}
    for dependency in all_dependencies(world, name):
        unmet.setdefault(unmet_dependency(world, dependency), []).append(dependency)
    if any(world["nodes"][one]["parent"] in world["in_error"] for one in around):
        unmet.setdefault("unknown_dependency", [])
    return found + [(kind, named) for kind, named in unmet.items() if kind]


def unmet_dependency(world: Plain, dependency: str) -> str:
    """Say why a dependency is not satisfied; nothing where it is."""
    graph_id, _, node_id = dependency.partition("/")
    if node_id in world["graphs"].get(graph_id, {}).get("ambiguous", []):
        return "ambiguous_dependency"
    if dependency not in world["nodes"]:
        return "unknown_dependency"
    status = world["nodes"][dependency]["status"]
    if status == "completed" or (status == "cancelled" and world["policy"]["on_cancelled"] == "satisfy"):
        return ""
    return "cancelled_dependency" if status == "cancelled" else "waits_for"


def is_deferred(world: Plain, name: str) -> bool:
    """Say whether a node is deferred."""
    until = world["nodes"][name]["deferred_until"]
    return until is not None and until > world["now"]


def state(world: Plain, name: str) -> str:
    """Give the one reason that is shown, or that the node is ready."""
    return next(iter(reasons(world, name)), "ready")


@once
def ready_nodes(world: Plain) -> list[str]:
    """Give the names of the nodes that may start, of all active graphs."""
    return [name for name in world["nodes"] if state(world, name) == "ready"]


def is_stuck(world: Plain, name: str) -> bool:
    """Say whether an open node waits in the end for something that only an edit can change."""
    waits = {name, *reachable(world, name)}
    return any(needs_an_edit(world, one) for one in waits)


def needs_an_edit(world: Plain, name: str) -> bool:
    """Say whether something only an edit can change keeps a node back by itself."""
    waited_for = [*all_dependencies(world, name), *parts(world, name)]
    dead = any(
        other in world["in_error"]
        or (other in world["nodes"] and world["nodes"][other]["status"] not in FINISHED and not is_open(world, other))
        for other in waited_for
    )
    return dead or not ONLY_AN_EDIT.isdisjoint(reasons(world, name))


def outcome(world: Plain, *, picks: bool, kept: bool) -> str:
    """Give the outcome; ``kept`` says whether anything was held or skipped."""
    is_anything_open = open_nodes(world)
    if picks:
        return "decided"
    if not world["nodes"] and not world["in_error"]:
        return "empty"
    if not is_anything_open and not world["in_error"]:
        return "all-done"
    moving = kept or any(state(world, name) in {"ready", "running"} for name in is_anything_open)
    return "nothing-ready" if moving or not all(is_stuck(world, name) for name in is_anything_open) else "stuck"
