"""What becomes of nodes from one answer to the next: finished, freed, newly blocked and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from git_sched.report.ranking import LISTED

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer

_State = Literal["absent", "error", "done", "cancelled", "ready", "running", "blocked"]
Name = tuple[str, str]

TITLE: Final = 200
"""Characters of a title that a comparison keeps."""


def _states(answer: Answer) -> dict[Name, _State]:
    network, state = answer.metrics.network, answer.metrics.readiness.state
    found: dict[Name, _State] = {}
    for graph_id, broken in network.broken:
        if broken.node_id is not None:
            found[graph_id, broken.node_id] = "error"
    for i, node in enumerate(network.nodes):
        found[node.graph_id, node.node_id] = _state(state[i], is_open=network.is_open[i])
    return found


def _state(state: str, *, is_open: bool) -> _State:
    match state:
        case "completed":
            return "done"
        case "ready" | "running" if is_open:
            return "ready" if state == "ready" else "running"
        case _:
            return "blocked" if is_open else "cancelled"


def _change(old: _State, new: _State) -> str | None:
    """Name the list a node belongs to, or ``None`` where nothing of note became of it."""
    match old, new:
        case ("absent", _):
            return "added"
        case (_, "absent"):
            return "removed"
        case (_, "done"):
            return "finished"
        case (_, "cancelled"):
            return "cancelled"
        case ("done" | "cancelled", _):
            return "reopened"
        case ("ready" | "running", "blocked" | "error"):
            return "newly_blocked"
        case (_, "running"):
            return "begun"
        case ("running", "ready"):
            return "returned"
        case (_, "ready"):
            return "freed"
        case _:
            return None


def compare_nodes(before: Answer, after: Answer) -> record.ChangesRecord:
    """Say what became of the nodes from one answer to the next: each that changed stands in one list."""
    old, new = _states(before), _states(after)
    titles = _titles(before) | _titles(after)
    found: dict[str, list[record.NamedTaskRecord]] = {}
    for name in sorted(old.keys() | new.keys()):
        one, other = old.get(name, "absent"), new.get(name, "absent")
        if one != other and (kind := _change(one, other)) is not None:
            found.setdefault(kind, []).append({"name": "/".join(name), "title": titles.get(name, "")})
    return {
        "broken": [],
        "repaired": [],
        "deleted": [],
        "added": _names(found.get("added", [])),
        "removed": _names(found.get("removed", [])),
        "finished": _names(found.get("finished", [])),
        "cancelled": _names(found.get("cancelled", [])),
        "reopened": _names(found.get("reopened", [])),
        "begun": _names(found.get("begun", [])),
        "returned": _names(found.get("returned", [])),
        "freed": _names(found.get("freed", [])),
        "newly_blocked": _names(found.get("newly_blocked", [])),
    }


def _titles(answer: Answer) -> dict[Name, str]:
    return {(node.graph_id, node.node_id): node.title[:TITLE] for node in answer.metrics.network.nodes}


def _names(found: list[record.NamedTaskRecord]) -> record.NamesRecord:
    return {"tasks": found[:LISTED], "more": max(0, len(found) - LISTED)}
