"""Which nodes may start now, and what each of the others waits for (rules B)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from git_sched.graph import FINISHED, STATUSES
from git_sched.moment import show_moment
from git_sched.rings import knots, shortest_ring
from git_sched.stuck import doomed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from git_sched.graph import Node
    from git_sched.network import FaultKind, Network

State = Literal[
    "ready",
    "completed",
    "cancelled",
    "running",
    "graph_inactive",
    "unknown_status",
    "cycle",
    "ambiguous_dependency",
    "unknown_dependency",
    "cancelled_dependency",
    "blocked_by_status",
    "deferred",
    "container",
    "waits_for",
]

STATES: Final[tuple[State, ...]] = State.__args__  # type: ignore[attr-defined]  # a Literal lists its words there
"""The states of a node in the order in which the first that applies is shown (rule B6)."""


class Reason(NamedTuple):
    """Why a node is not ready: the kind, the nodes it waits for, and a text for what is no node.

    ``fault`` tells the unresolved dependencies apart: one that nobody has, that another graph has, that is in error.
    """

    kind: State
    nodes: tuple[int, ...] = ()
    text: str = ""
    fault: FaultKind | None = None


class Readiness(NamedTuple):
    """What holds of each point of a network right now.

    ``finished`` says whether a point satisfies those that need it. ``order`` lists the open points outside rings,
    everything after what it needs; ``dependents`` are the edges between those. ``rings`` are the reported rings,
    ``on_ring`` all points of their knots, each with the ring that is reported for it. ``held_by`` leads
    from each opening that is held back to the nearest one, itself or above it, that says why.
    """

    network: Network
    now: int | None
    on_cancelled: str
    finished: Sequence[bool]
    order: tuple[int, ...]
    dependents: Sequence[Sequence[int]]
    rings: tuple[tuple[int, ...], ...]
    on_ring: Mapping[int, tuple[int, ...]]
    held_by: Mapping[int, int]
    state: Sequence[State]
    ready: tuple[int, ...]
    doomed: frozenset[int]


def assess(network: Network, *, now: int | None, on_cancelled: str) -> Readiness:
    """Work out the state of every node in time linear in nodes and edges; ``now`` is only used for deferral."""
    order, dependents, on_ring, rings = _sort(network)
    half = Readiness(network, now, on_cancelled, [], order, dependents, rings, on_ring, {}, [], (), frozenset())
    finished = _finished(half)
    half = half._replace(finished=finished)
    half = half._replace(held_by=_held_by(half))
    state = [_state(half, i) for i in range(len(network.nodes))]
    half = half._replace(state=state, ready=tuple(i for i, s in enumerate(state) if s == "ready"))
    return half._replace(doomed=doomed(half))


def _sort(
    network: Network,
) -> tuple[tuple[int, ...], list[list[int]], dict[int, tuple[int, ...]], tuple[tuple[int, ...], ...]]:
    order, dependents = _kahn(network, frozenset())
    open_points = [i for i, is_open in enumerate(network.is_open) if is_open]
    if len(order) == len(open_points):
        return order, dependents, {}, ()
    left = sorted(set(open_points).difference(order))
    found = knots(left, network.needs)
    rings = tuple(_named(network, shortest_ring(knot[0], knot, network.needs)) for knot in found)
    on_ring = {point: ring for knot, ring in zip(found, rings, strict=True) for point in knot}
    order, dependents = _kahn(network, on_ring)
    return order, dependents, on_ring, rings


def _named(network: Network, ring: list[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(network.real(point) for point in ring))


def _kahn(network: Network, without: Collection[int]) -> tuple[tuple[int, ...], list[list[int]]]:
    # Kahn, Topological sorting of large networks, 1962. A point on a ring takes part in no edge.
    is_open = network.is_open
    dependents: list[list[int]] = [[] for _ in is_open]
    missing = [0] * len(is_open)
    order: list[int] = []
    for point, needs in enumerate(network.needs):
        if not is_open[point] or point in without:
            continue
        for need in needs:
            if is_open[need] and need not in without:
                dependents[need].append(point)
                missing[point] += 1
        if not missing[point]:
            order.append(point)
    for point in order:
        for dependent in dependents[point]:
            missing[dependent] -= 1
            if not missing[dependent]:
                order.append(dependent)
    return tuple(order), dependents


def _finished(readiness: Readiness) -> list[bool]:
    network = readiness.network
    counts = {"completed", "cancelled"} if readiness.on_cancelled == "satisfy" else {"completed"}
    finished = [node.status in counts for node in network.nodes]
    finished.extend(network.nodes[node].status in FINISHED for node in network.opening)
    for point in readiness.order:
        if point in network.container:
            node = network.container[point]
            finished[point] = (
                all(finished[need] for need in network.needs[point])
                and node not in network.faults
                and _own_state(readiness, node) in {None, "running"}
            )
    return finished


def _own_state(readiness: Readiness, i: int) -> State | None:
    """Give the state that a node's own words put it in, whatever it depends on."""
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
    return node.deferred_until is not None and (readiness.now is None or node.deferred_until > readiness.now)


def _state(readiness: Readiness, i: int) -> State:
    own = _own_state(readiness, i)
    if own is None and i not in readiness.network.faults and i not in readiness.on_ring:
        finished = readiness.finished
        unmet = [need for need in readiness.network.needs[i] if not finished[need]]
        if not unmet:
            return "ready"
        if (
            i not in readiness.network.parent
            and i not in readiness.network.opening
            and all(readiness.network.nodes[need].status != "cancelled" for need in unmet)
        ):
            return "waits_for"
    elif own in {"completed", "cancelled", "running", "graph_inactive", "unknown_status"}:
        return own
    return reasons(readiness, i)[0].kind


def reasons(readiness: Readiness, i: int) -> tuple[Reason, ...]:
    """Give every reason why a node is not ready, the one that is shown first; empty for a ready node."""
    network = readiness.network
    node = network.nodes[i]
    found: list[Reason] = []
    own = _own_state(readiness, i)
    if own is not None:
        found.append(_own_reason(readiness, i, own))
    if own in FINISHED:
        return tuple(found)
    if not network.graph_of[node.graph_id].active and own != "graph_inactive":
        found.append(_own_reason(readiness, i, "graph_inactive"))
    found.extend(_own_reason(readiness, i, word) for word in _words_besides(readiness, node) if word != own)
    if i in readiness.on_ring:
        found.append(Reason("cycle", readiness.on_ring[i]))
    found.extend(_fault_reasons(readiness, i))
    found.extend(_need_reasons(readiness, i))
    return tuple(sorted(found, key=lambda reason: STATES.index(reason.kind)))


def _words_besides(readiness: Readiness, node: Node) -> Iterator[State]:
    """Give what a node says of itself that would hold it back if the first such word were mended."""
    if node.status not in STATUSES:
        yield "unknown_status"
    if node.status == "blocked":
        yield "blocked_by_status"
    if node.status != "running" and _deferred(readiness, node):
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
            return Reason(own, text=show_moment(node.deferred_until or 0))
        case _:
            return Reason(own)


def _fault_reasons(readiness: Readiness, i: int) -> list[Reason]:
    faults = readiness.network.faults.get(i, ())
    return [
        Reason(
            "ambiguous_dependency" if fault.kind == "ambiguous" else "unknown_dependency",
            text=fault.text,
            fault=fault.kind,
        )
        for fault in faults
    ]


def _need_reasons(readiness: Readiness, i: int) -> list[Reason]:
    """Give what a node waits for itself, and what keeps it back because it keeps a container above it back."""
    network = readiness.network
    found: list[Reason] = []
    unmet, above = _unmet(readiness, i)
    if above is not None and network.container[above] == i:
        own, above = _unmet(readiness, above)
        unmet += own
    if above is not None:
        level = readiness.held_by.get(above, above)
        node = network.container[level]
        state = _own_state(readiness, node)
        if state is not None and state != "running":
            found.append(_own_reason(readiness, node, state)._replace(nodes=(node,)))
        else:
            found.extend(_fault_reasons(readiness, node))
            unmet += _unmet(readiness, level)[0]
    parts = frozenset(network.children.get(i, ()))
    waits: dict[State, list[int]] = {"cancelled_dependency": [], "container": [], "waits_for": []}
    for need in dict.fromkeys(unmet):
        kind: State = "container" if need in parts else "waits_for"
        waits["cancelled_dependency" if network.nodes[need].status == "cancelled" else kind].append(need)
    return [*found, *(Reason(word, tuple(nodes)) for word, nodes in waits.items() if nodes)]


def _unmet(readiness: Readiness, point: int) -> tuple[list[int], int | None]:
    """Give the nodes a point still waits for, and the opening among what it waits for."""
    network = readiness.network
    unmet = [need for need in network.needs[point] if not readiness.finished[need]]
    return [need for need in unmet if need not in network.container], next(
        (need for need in unmet if need in network.container), None
    )


def _held_by(readiness: Readiness) -> dict[int, int]:
    """Give, for each opening that is held back, the nearest one above it (or itself) that says why."""
    network = readiness.network
    found: dict[int, int] = {}
    for point in readiness.order:
        if point in network.container and not readiness.finished[point]:
            node = network.container[point]
            unmet, above = _unmet(readiness, point)
            says = unmet or node in network.faults or _own_state(readiness, node) not in {None, "running"}
            found[point] = point if says or above is None else found.get(above, above)
    return found
