"""Finds what finishing a node frees: what then waits for nothing else, and how much can follow from that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_sched.decide.ready.readiness import Readiness

WAITING: Final = frozenset({"waits_for", "container"})
"""States that end when other nodes end, and only then."""

GOES_ON: Final = WAITING | {"running"}
"""States of a container in which its parts can start once what it depends on is finished."""


def find_freed(readiness: Readiness, nodes: Iterable[int], *, limit: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Find, for each node, what can start once it is finished, and how many can follow later, at most ``limit`` + 1.

    Nodes that a cycle, a status or another node keeps back as well are not among them.
    """
    unmet: dict[int, list[int]] = {}
    for node in nodes:
        yield _freed(readiness, node, limit=limit, unmet=unmet)


def _freed(readiness: Readiness, start: int, *, limit: int, unmet: dict[int, list[int]]) -> tuple[tuple[int, ...], int]:
    network, finished = readiness.network, readiness.finished
    met: dict[int, int] = {}
    at_once: list[int] = []
    near, stack, count = {start}, [start], 0  # near: the node, and openings that wait only for it
    while stack and count <= limit:
        for point in readiness.dependents[stack.pop()]:
            if point not in unmet:
                unmet[point] = [need for need in network.needs[point] if not finished[need]]
            met[point] = met.get(point, 0) + 1
            if met[point] < len(unmet[point]) or not _may_follow(readiness, point):
                continue
            stack.append(point)
            alone = near.issuperset(unmet[point])
            if point in network.container:
                near |= {point} if alone else set()
            else:
                count += 1
                at_once += [point] if alone else []
    return tuple(sorted(at_once)), min(count, limit + 1)


def _may_follow(readiness: Readiness, point: int) -> bool:
    """Whether only other nodes keep a point back."""
    container = readiness.network.container
    return readiness.state[container.get(point, point)] in (GOES_ON if point in container else WAITING)
