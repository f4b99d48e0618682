"""Finds which nodes can start now: the state of every node of the dependency graph."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Final

from git_sched.decide.ready.readiness import STATES, Readiness
from git_sched.decide.ready.reasons import (
    has_only_needs,
    holding_words,
    inherited_states,
    need_states,
    own_state,
    reasons,
    unmet_needs,
)
from git_sched.decide.ready.toposort import sort_topologically
from git_sched.model.graph import FINISHED

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched.decide.dependency_graph import DependencyGraph
    from git_sched.decide.ready.readiness import State


def assess(network: DependencyGraph, *, now: int, on_cancelled: str) -> Readiness:
    """Find the state of every node in time linear in nodes and edges; ``now`` (seconds) is only used for deferral."""
    half = Readiness(network, now, on_cancelled, *sort_topologically(network), [], {}, [], (), frozenset())
    half = half._replace(finished=_finished(half))  # each of the following uses the ones before it
    half = half._replace(held_by=_held_by(half))
    inherited = cache(partial(inherited_states, half))
    state = [_state(half, i, inherited) for i in range(len(network.nodes))]
    half = half._replace(state=state, ready=tuple(i for i, s in enumerate(state) if s == "ready"))
    return half._replace(stuck=find_stuck(half))


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
                and own_state(readiness, node) in {None, "running"}
                and not any(holding_words(readiness, node))
            )
    return finished


def _state(readiness: Readiness, i: int, inherited: Callable[[int], frozenset[State]]) -> State:
    if has_only_needs(readiness, i):
        unmet, above = unmet_needs(readiness, i)
        states = need_states(readiness, unmet) | (frozenset() if above is None else inherited(above))
        return min(states, key=STATES.index, default="ready")
    own = own_state(readiness, i)
    if own in {"completed", "cancelled", "running", "graph_inactive", "unknown_status"}:
        return own
    found = reasons(readiness, i)
    return found[0].kind if found else "ready"


def _held_by(readiness: Readiness) -> dict[int, int]:
    """Find, for each opening that is kept back, the nearest one, itself or above it, that has the reason."""
    network = readiness.network
    found: dict[int, int] = {}
    for point in readiness.order:
        if point in network.container and not readiness.finished[point]:
            node = network.container[point]
            unmet, above = unmet_needs(readiness, point)
            says = unmet or node in network.faults or any(holding_words(readiness, node))
            found[point] = point if says or above is None else found.get(above, above)
    return found


ONLY_AN_EDIT: Final = frozenset(
    {"unknown_status", "cycle", "ambiguous_dependency", "unknown_dependency", "cancelled_dependency"}
)
"""States that no work changes, only an edit of the task files."""


def find_stuck(readiness: Readiness) -> frozenset[int]:
    """Find the open points that only an edit of the task files can make ready."""
    network, state = readiness.network, readiness.state
    found = {p for p in range(len(network.is_open)) if network.is_open[p] and _is_stuck_itself(readiness, p)}
    found.update(readiness.on_cycle)
    for point in readiness.order:
        if point not in found and (point >= len(state) or state[point] != "running"):
            needs = network.needs[point]
            if any(need in found or not (network.is_open[need] or readiness.finished[need]) for need in needs):
                found.add(point)
    return frozenset(found)


def _is_stuck_itself(readiness: Readiness, point: int) -> bool:
    network = readiness.network
    if point in network.container:
        return network.container[point] in network.faults
    needs_an_edit = point in network.faults or point in network.part_faults or readiness.state[point] in ONLY_AN_EDIT
    return readiness.state[point] != "running" and needs_an_edit
