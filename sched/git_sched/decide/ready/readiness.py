"""The readiness of a dependency graph: the state of each node now, and the order in which nodes can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.decide.dependency_graph import DependencyGraph

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

STATES: Final[tuple[State, ...]] = get_args(State)
"""The states of a node in the order in which the first that applies is shown."""


class Readiness(NamedTuple):
    """The state of each point of a dependency graph now.

    ``order``, ``dependents``, ``cycles`` and ``on_cycle`` are those of :class:`~.toposort.TopologicalOrder`.
    ``finished[i]`` is whether point ``i`` satisfies those that need it. ``held_by`` leads from each opening that is
    kept back to the nearest one, itself or above it, that has the reason. ``stuck`` are the open points that only an
    edit frees.
    """

    network: DependencyGraph
    now: int
    on_cancelled: str
    order: tuple[int, ...]
    dependents: Sequence[Sequence[int]]
    cycles: tuple[tuple[int, ...], ...]
    on_cycle: Mapping[int, tuple[int, ...]]
    finished: Sequence[bool]
    held_by: Mapping[int, int]
    state: Sequence[State]
    ready: tuple[int, ...]
    stuck: frozenset[int]
