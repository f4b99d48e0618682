"""Cycles: finds nodes that wait for each other, in linear time and without recursion."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


def find_components(points: Sequence[int], edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """Find the strongly connected components with a cycle: several points, or one that leads to itself.

    Only edges between the given points count. The algorithm is Tarjan's (Depth-first search and linear graph
    algorithms, 1972) with an explicit stack. Components and their members are in ascending order.
    """
    inside = bytearray(len(edges))
    for point in points:
        inside[point] = 1
    search = _DepthFirstSearch(edges, inside)
    for start in points:
        if not search.number[start]:
            search.run(start)
    return sorted(search.found)


class _DepthFirstSearch:
    """The state of one depth-first search: visiting numbers, low links, and the points not yet in a component."""

    def __init__(self, edges: Sequence[Sequence[int]], inside: bytearray) -> None:
        self.edges, self.inside = edges, inside
        self.number = [0] * len(edges)
        self.low = [0] * len(edges)
        self.on_stack = bytearray(len(edges))
        self.stack: list[int] = []
        self.found: list[list[int]] = []
        self.count = 0

    def run(self, start: int) -> None:
        """Search all points that can be reached from a point."""
        work = [(start, self._enter(start))]
        while work:
            point, rest = work[-1]
            deeper = self._next(point, rest)
            if deeper is not None:
                work.append((deeper, self._enter(deeper)))
                continue
            work.pop()
            if work:
                above = work[-1][0]
                self.low[above] = min(self.low[above], self.low[point])
            if self.low[point] == self.number[point]:
                self.found.extend(_pop_component(point, self.stack, self.on_stack, self.edges))

    def _enter(self, point: int) -> Iterator[int]:
        self.count += 1
        self.number[point] = self.low[point] = self.count
        self.stack.append(point)
        self.on_stack[point] = 1
        return iter(self.edges[point])

    def _next(self, point: int, rest: Iterator[int]) -> int | None:
        """Return the next point to enter from here, updating the low link for points still on the stack."""
        for target in rest:
            if not self.inside[target]:
                continue
            if not self.number[target]:
                return target
            if self.on_stack[target]:
                self.low[point] = min(self.low[point], self.number[target])
        return None


def _pop_component(root: int, stack: list[int], on_stack: bytearray, edges: Sequence[Sequence[int]]) -> list[list[int]]:
    members = []
    while True:
        member = stack.pop()
        on_stack[member] = 0
        members.append(member)
        if member == root:
            break
    return [sorted(members)] if len(members) > 1 or root in edges[root] else []


def find_shortest_cycle(start: int, component: Collection[int], edges: Sequence[Sequence[int]]) -> list[int]:
    """Find the shortest path from a point of a component back to itself, the point first and not repeated at the end.

    The search is breadth-first. Among equally short cycles the one whose points come first in ascending order wins, so
    the result does not depend on how a file is written.
    """
    members = set(component)
    came_from = {start: start}
    queue = deque([start])
    while True:  # a component has a path back to each of its points
        point = queue.popleft()
        if start in edges[point]:
            cycle = [point]
            while cycle[-1] != start:
                cycle.append(came_from[cycle[-1]])
            return cycle[::-1]
        for target in sorted(edges[point]):
            if target in members and target not in came_from:
                came_from[target] = point
                queue.append(target)
