"""Who waits for whom: the three shapes of an invented project.

A shape is a list with one tuple per task: the positions of the tasks it waits for. All of them
are smaller than its own, so a list is in a possible order of work, and cutting off its end
leaves a project that still makes sense.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.dice import Dice

Edges = list[tuple[int, ...]]

MOST_PREREQUISITES: Final = 3
"""In a layered project a task waits for one to this many tasks of the layer before."""

MOST_LANES: Final = 10
"""A fork opens two to this many lanes."""

LONGEST_LANE: Final = 4
"""A lane between fork and join has one to this many tasks."""

EPIC_SIZES: Final = (5, 30)
"""Smallest and largest number of tasks in one tree."""

FAN_OUT: Final = (1, 1, 2, 3)
"""How many tasks one task of a tree opens; each entry is equally likely."""

CROSS_LINK: Final = 0.2
"""The share of a tree's tasks that also wait for some other task of the same tree."""


def layered(size: int, dice: Dice) -> Edges:
    """Layer upon layer, about as wide as the project is deep: a plan written top-down."""
    edges: Edges = []
    before = range(0)
    while len(edges) < size:
        layer = range(len(edges), len(edges) + dice.randint(2, 2 * math.isqrt(size) + 1))
        edges += [_some_of(before, dice) for _ in layer]
        before = layer
    return edges[:size]


def _some_of(layer: range, dice: Dice) -> tuple[int, ...]:
    wanted = dice.randint(1, MOST_PREREQUISITES)
    return tuple(sorted(dice.sample(layer, min(wanted, len(layer)))))


def fork_join(size: int, dice: Dice) -> Edges:
    """Gates open parallel lanes and wait for the lanes before: releases, milestones."""
    edges: Edges = [()]
    while len(edges) < size:
        gate = len(edges) - 1
        lanes = dice.randint(2, MOST_LANES)
        edges.append(tuple(_lane(edges, gate=gate, dice=dice) for _ in range(lanes)))
    return edges[:size]


def _lane(edges: Edges, *, gate: int, dice: Dice) -> int:
    """Append one chain of tasks behind the gate and return the position of its last one."""
    last = gate
    for _ in range(dice.randint(1, LONGEST_LANE)):
        edges.append((last,))
        last = len(edges) - 1
    return last


def tree(size: int, dice: Dice) -> Edges:
    """Independent epics: half of them spread out from one task, half run together into one."""
    edges: Edges = []
    while len(edges) < size:
        epic = _cross_linked(_epic(dice.randint(*EPIC_SIZES), dice), dice)
        edges += [tuple(len(edges) + before for before in waits) for waits in epic]
    return edges[:size]


def _epic(size: int, dice: Dice) -> Edges:
    spreading: Edges = [()]
    parent = 0
    while len(spreading) < size:
        spreading += [(parent,)] * dice.choice(FAN_OUT)
        parent += 1
    return _reversed(spreading) if dice.chance(0.5) else spreading


def _reversed(edges: Edges) -> Edges:
    """Walk the same links the other way, positions counted from the end."""
    last = len(edges) - 1
    waits: list[list[int]] = [[] for _ in edges]
    for position, before in enumerate(edges):
        for one in before:
            waits[last - one].append(last - position)
    return [tuple(sorted(one)) for one in waits]


def _cross_linked(edges: Edges, dice: Dice) -> Edges:
    linked = edges[:1]
    for position, waits in enumerate(edges[1:], start=1):
        other = {dice.randrange(position)} if dice.chance(CROSS_LINK) else set()
        linked.append(tuple(sorted({*waits, *other})))
    return linked


SHAPES: Final[Mapping[str, Callable[[int, Dice], Edges]]] = {
    "layered": layered,
    "fork-join": fork_join,
    "tree": tree,
}
