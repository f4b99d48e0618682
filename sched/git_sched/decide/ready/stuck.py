"""What no work can free: nodes that wait in the end for what only an edit of the task files can change (rule B7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from git_sched.decide.ready.readiness import Readiness

ONLY_AN_EDIT: Final = frozenset(
    {"unknown_status", "cycle", "ambiguous_dependency", "unknown_dependency", "cancelled_dependency"}
)
"""States that no work changes, only an edit of the task files."""


def find_stuck(readiness: Readiness) -> frozenset[int]:
    """Give the open points that nothing but an edit can ever make ready (rule B7)."""
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
    return readiness.state[point] != "running" and (point in network.faults or readiness.state[point] in ONLY_AN_EDIT)
