"""Precedence: the open points in an order in which they can be done, with rings set apart (rules B1, B3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.ready.cycles import knots, shortest_ring

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_sched.decide.dependency_graph import Network


class Precedence(NamedTuple):
    """Which open point comes before which.

    ``order`` lists the open points outside rings, everything after what it needs; ``dependents`` are the edges between
    those. ``rings`` are the reported rings, one for each knot; ``on_ring`` are all points of the knots, each with the
    ring that is reported for it.
    """

    order: tuple[int, ...]
    dependents: Sequence[Sequence[int]]
    rings: tuple[tuple[int, ...], ...]
    on_ring: Mapping[int, tuple[int, ...]]


def sort(network: Network) -> Precedence:
    """Sort the open points of a network, in time linear in nodes and edges."""
    order, dependents = _kahn(network, frozenset())
    open_points = [i for i, is_open in enumerate(network.is_open) if is_open]
    if len(order) == len(open_points):
        return Precedence(order, dependents, (), {})
    left = sorted(set(open_points).difference(order))
    found = knots(left, network.needs)
    rings = tuple(_named(network, shortest_ring(knot[0], knot, network.needs)) for knot in found)
    on_ring = {point: ring for knot, ring in zip(found, rings, strict=True) for point in knot}
    order, dependents = _kahn(network, on_ring)
    return Precedence(order, dependents, rings, on_ring)


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
