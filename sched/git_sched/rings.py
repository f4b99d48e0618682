"""Rings: nodes that wait for each other, found in linear time and without recursion."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def knots(points: Sequence[int], edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """Give the strongly connected components that hold a ring: several points, or one that leads to itself.

    Only edges between the given points count. Tarjan, Depth-first search and linear graph algorithms, 1972, with
    an explicit stack. Components and their members are in ascending order.
    """
    inside = bytearray(len(edges))
    for point in points:
        inside[point] = 1
    number = [0] * len(edges)
    low = [0] * len(edges)
    on_stack = bytearray(len(edges))
    stack: list[int] = []
    found: list[list[int]] = []
    count = 0
    for start in points:
        if number[start]:
            continue
        work = [(start, iter(edges[start]))]
        count += 1
        number[start] = low[start] = count
        stack.append(start)
        on_stack[start] = 1
        while work:
            point, rest = work[-1]
            for target in rest:
                if not inside[target]:
                    continue
                if not number[target]:
                    count += 1
                    number[target] = low[target] = count
                    stack.append(target)
                    on_stack[target] = 1
                    work.append((target, iter(edges[target])))
                    break
                if on_stack[target]:
                    low[point] = min(low[point], number[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[point])
                if low[point] == number[point]:
                    found.extend(_knot(point, stack, on_stack, edges))
    return sorted(found)


def _knot(root: int, stack: list[int], on_stack: bytearray, edges: Sequence[Sequence[int]]) -> list[list[int]]:
    members = []
    while True:
        member = stack.pop()
        on_stack[member] = 0
        members.append(member)
        if member == root:
            break
    return [sorted(members)] if len(members) > 1 or root in edges[root] else []


def shortest_ring(start: int, knot: Collection[int], edges: Sequence[Sequence[int]]) -> list[int]:
    """Give the shortest way from a point of a knot back to itself, the point first and not repeated at the end.

    Breadth first; among equally short rings the one whose points come first in the edge lists, taken in ascending
    order, so the answer does not depend on how a file is written.
    """
    members = set(knot)
    came_from = {start: start}
    queue = deque([start])
    while queue:
        point = queue.popleft()
        if start in edges[point]:
            ring = [point]
            while ring[-1] != start:
                ring.append(came_from[ring[-1]])
            return ring[::-1]
        for target in sorted(edges[point]):
            if target in members and target not in came_from:
                came_from[target] = point
                queue.append(target)
    return [start]  # pragma: no cover - a knot has a way back from each of its points
