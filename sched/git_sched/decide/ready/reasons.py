"""The reasons why a node is not ready: its status, its dependencies, and those of the containers it is part of."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.ready.readiness import STATES
from git_sched.model.graph import FINISHED, STATUSES
from git_sched.model.times import format_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_sched.decide.dependency_graph import FaultKind
    from git_sched.decide.ready.readiness import Readiness, State
    from git_sched.model.graph import Node


class Reason(NamedTuple):
    """Why a node is not ready: the kind, the nodes that it waits for, and a text for anything that is not a node.

    ``fault`` is what an edit must fix; see :data:`~git_sched.decide.dependency_graph.FaultKind`.
    """

    kind: State
    nodes: tuple[int, ...] = ()
    text: str = ""
    fault: FaultKind | None = None


def own_state(readiness: Readiness, i: int) -> State | None:
    """Return the state that follows from a node's own status and graph, whatever it depends on."""
    node = readiness.network.nodes[i]
    if node.status == "completed":
        return "completed"
    if node.status == "cancelled":
        return "cancelled"
    if not readiness.network.is_open[i]:
        return "graph_inactive" if node.status != "running" else "running"
    if node.status == "running":
        return "running"
    if node.status not in STATUSES:
        return "unknown_status"
    if node.status == "blocked":
        return "blocked_by_status"
    return "deferred" if _deferred(readiness, node) else None


def _deferred(readiness: Readiness, node: Node) -> bool:
    return node.deferred_until is not None and node.deferred_until > readiness.now


def reasons(readiness: Readiness, i: int) -> tuple[Reason, ...]:
    """Return every reason why a node is not ready, the one that is shown first; empty for a ready node."""
    network = readiness.network
    node = network.nodes[i]
    found: list[Reason] = []
    own = own_state(readiness, i)
    if own is not None:
        found.append(_own_reason(readiness, i, own))
    if own in FINISHED:
        return tuple(found)
    if not network.graph_of[node.graph_id].active and own != "graph_inactive":
        found.append(_own_reason(readiness, i, "graph_inactive"))
    besides = () if own == "running" else holding_words(readiness, i)
    found.extend(_own_reason(readiness, i, word) for word in besides if word != own)
    if i in readiness.on_cycle:
        found.append(Reason("cycle", readiness.on_cycle[i]))
    found.extend(_fault_reasons(readiness, i))
    found.extend(_part_reasons(readiness, i))
    found.extend(_need_reasons(readiness, i))
    return tuple(sorted(found, key=lambda reason: STATES.index(reason.kind)))


def holding_words(readiness: Readiness, i: int) -> Iterator[State]:
    """Find what in a node's own keys keeps it and its parts from being ready, each as a state."""
    node = readiness.network.nodes[i]
    if node.status not in STATUSES:
        yield "unknown_status"
    if node.status == "blocked":
        yield "blocked_by_status"
    if _deferred(readiness, node):
        yield "deferred"


def _own_reason(readiness: Readiness, i: int, own: State) -> Reason:
    node = readiness.network.nodes[i]
    match own:
        case "blocked_by_status":
            return Reason(own, text=node.blocker_reason or "")
        case "unknown_status":
            return Reason(own, text=node.status)
        case "graph_inactive":
            return Reason(own, text=readiness.network.graph_of[node.graph_id].status)
        case "deferred":
            return Reason(own, text=format_time(node.deferred_until or 0))
        case _:
            return Reason(own)


def _fault_reasons(readiness: Readiness, i: int) -> list[Reason]:
    faults = readiness.network.faults.get(i, ())
    return [
        Reason("ambiguous_dependency" if f.kind == "ambiguous" else "unknown_dependency", text=f.text, fault=f.kind)
        for f in faults
    ]


def _part_reasons(readiness: Readiness, i: int) -> list[Reason]:
    """Return what is wrong with the parts of a node: the first part in error, and the number of others."""
    faults = readiness.network.part_faults.get(i, ())
    counts = Counter(fault.kind for fault in faults)
    first = {fault.kind: fault for fault in reversed(faults)}
    return [
        Reason("container", text=f"{first[kind].text}{f' and {n - 1} more' if n > 1 else ''}", fault=kind)
        for kind, n in sorted(counts.items())
    ]


def _need_reasons(readiness: Readiness, i: int) -> list[Reason]:
    """Return what a node itself waits for, and what the containers that it is part of wait for."""
    network = readiness.network
    found: list[Reason] = []
    unmet, above = unmet_needs(readiness, i)
    if above is not None and network.container[above] == i:
        own, above = unmet_needs(readiness, above)
        unmet += own
    if above is not None:
        found, inherited = _inherited(readiness, above)
        unmet += inherited
    parts = frozenset(network.children.get(i, ()))
    waits: dict[State, list[int]] = {"cancelled_dependency": [], "container": [], "waits_for": []}
    for need in dict.fromkeys(unmet):
        kind: State = "container" if need in parts else "waits_for"
        waits["cancelled_dependency" if network.nodes[need].status == "cancelled" else kind].append(need)
    return [*found, *(Reason(word, tuple(nodes)) for word, nodes in waits.items() if nodes)]


def _inherited(readiness: Readiness, opening: int) -> tuple[list[Reason], list[int]]:
    """Return what keeps the parts behind an opening back: reasons of the containers above, and what these wait for."""
    network = readiness.network
    found: list[Reason] = []
    unmet: list[int] = []
    levels: dict[int, None] = {}
    above: int | None = opening
    while above is not None and (level := readiness.held_by.get(above, above)) not in levels:
        levels[level] = None
        node = network.container[level]
        found += [_own_reason(readiness, node, word)._replace(nodes=(node,)) for word in holding_words(readiness, node)]
        found += _fault_reasons(readiness, node)
        own, above = unmet_needs(readiness, level)
        unmet += own
    return found, unmet


def inherited_states(readiness: Readiness, opening: int) -> frozenset[State]:
    """Return the kinds of the reasons that keep the parts behind an opening back."""
    found, unmet = _inherited(readiness, opening)
    return frozenset(reason.kind for reason in found) | need_states(readiness, unmet)


def need_states(readiness: Readiness, unmet: Iterable[int]) -> frozenset[State]:
    """Return the kinds of the reasons that a node without parts has for waiting for these nodes."""
    nodes = readiness.network.nodes
    return frozenset("cancelled_dependency" if nodes[i].status == "cancelled" else "waits_for" for i in unmet)


def has_only_needs(readiness: Readiness, i: int) -> bool:
    """Whether nothing keeps a node back but what it and the containers above it wait for."""
    network = readiness.network
    own = i in network.opening or i in network.faults or i in network.part_faults or i in readiness.on_cycle
    return not own and own_state(readiness, i) is None


class FirstReasons:
    """The reason of each node that is shown first; nodes that wait for the same share one, which is found once."""

    def __init__(self, readiness: Readiness) -> None:
        """Start with none known."""
        self._readiness = readiness
        self._known: dict[tuple[tuple[int, ...], int | None], Reason] = {}

    def __call__(self, i: int) -> Reason:
        """Return the first reason why a node is not ready."""
        if not has_only_needs(self._readiness, i):
            return reasons(self._readiness, i)[0]
        unmet, above = unmet_needs(self._readiness, i)
        key = (tuple(unmet), above)
        if key not in self._known:
            self._known[key] = reasons(self._readiness, i)[0]
        return self._known[key]


def unmet_needs(readiness: Readiness, point: int) -> tuple[list[int], int | None]:
    """Return the nodes that a point still waits for, and the opening that it waits for, if any."""
    container = readiness.network.container
    unmet = [need for need in readiness.network.needs[point] if not readiness.finished[need]]
    return [need for need in unmet if need not in container], next((need for need in unmet if need in container), None)
