"""Topological order: the open points in an order in which they can be done, with cycles set aside."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.ready.cycles import find_components, find_shortest_cycle

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_sched.decide.dependency_graph import DependencyGraph


class TopologicalOrder(NamedTuple):
    """The topological order of the open points.

    ``order`` lists the open points outside cycles, each after what it needs; ``dependents`` are the edges between them.
    ``cycles`` are the reported cycles, one for each strongly connected component; ``on_cycle`` are all points of these
    components, each with the cycle that is reported for it.
    """

    order: tuple[int, ...]
    dependents: Sequence[Sequence[int]]
    cycles: tuple[tuple[int, ...], ...]
    on_cycle: Mapping[int, tuple[int, ...]]


def sort_topologically(network: DependencyGraph) -> TopologicalOrder:
    """Sort the open points of a dependency graph, in time linear in nodes and edges."""
    order, dependents = _kahn(network, frozenset())
    open_points = [i for i, is_open in enumerate(network.is_open) if is_open]
    if len(order) == len(open_points):
        return TopologicalOrder(order, dependents, (), {})
    left = sorted(set(open_points).difference(order))
    found = find_components(left, network.needs)
    cycles = tuple(_named(network, find_shortest_cycle(component[0], component, network.needs)) for component in found)
    on_cycle = {point: cycle for component, cycle in zip(found, cycles, strict=True) for point in component}
    order, dependents = _kahn(network, on_cycle)
    return TopologicalOrder(order, dependents, cycles, on_cycle)


def _named(network: DependencyGraph, cycle: list[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(network.real(point) for point in cycle))


def _kahn(network: DependencyGraph, without: Collection[int]) -> tuple[tuple[int, ...], list[list[int]]]:
    # Kahn, Topological sorting of large networks, 1962. Edges of points on a cycle do not count.
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
