"""The hierarchy of tasks: which task is part of which, those in error included."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from git_sched.model.graph import BrokenNode, Node

Name = tuple[str, str]
"""The ids of a graph and of a node in it."""


class Hierarchy:
    """Answers whether one task is part of another, at any depth, in constant time."""

    def __init__(self, nodes: Iterable[Node], broken: Iterable[tuple[str, BrokenNode]]) -> None:
        """Number the tasks so that everything below a task is a range.

        Tasks that are, directly or not, parts of themselves are left out: they are on a cycle, which is reported.
        """
        above: dict[Name, Name] = {(n.graph_id, n.node_id): (n.graph_id, n.parent) for n in nodes if n.parent}
        for graph_id, one in broken:
            if one.node_id is not None and one.parent is not None:
                above.setdefault((graph_id, one.node_id), (graph_id, one.parent))
        self._ranges = _number(above)

    def __contains__(self, name: Name) -> bool:
        """Whether a task is part of another one, or has parts."""
        return name in self._ranges

    def is_part(self, one: Name, other: Name) -> bool:
        """Whether one task is part of another one, at any depth."""
        if one == other or one not in self._ranges or other not in self._ranges:
            return False
        first, end = self._ranges[other]
        return first <= self._ranges[one][0] < end


def _number(above: Mapping[Name, Name]) -> dict[Name, tuple[int, int]]:
    """Number each task in a depth-first walk from the top, with the first number that is no longer below it."""
    below: dict[Name, list[Name]] = {}
    for one, whole in above.items():
        below.setdefault(whole, []).append(one)
    first: dict[Name, int] = {}
    ranges: dict[Name, tuple[int, int]] = {}
    stack = [(top, False) for top in below if top not in above]
    while stack:
        name, is_left = stack.pop()
        if is_left:
            ranges[name] = (first[name], len(first))
            continue
        first[name] = len(first)
        stack.append((name, True))
        stack.extend((part, False) for part in below.get(name, ()))
    return ranges
