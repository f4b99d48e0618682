"""The staff of a forecast: its agents, which nodes they work on now, and which repositories they have checked out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.simulation import Workers
from git_sched.decide.simulation_setup import estimate_cold_start, find_warm_places

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_sched.decide.metrics import Metrics
    from git_sched.model.request import Ranked


class Staff(NamedTuple):
    """The agents of a forecast, as places: first the idle ones, then one for each running node.

    ``names`` are the ids of the named ones. ``leaving`` are places with a running node that take nothing after it.
    """

    crew: Workers
    names: Sequence[str | None]
    leaving: Collection[int]

    def place_of(self, agent_id: str | None) -> int | None:
        """Find the place of a named agent that goes on working."""
        places = (i for i, name in enumerate(self.names) if name == agent_id and i not in self.leaving)
        return None if agent_id is None else next(places, None)

    @property
    def unnamed(self) -> tuple[int, ...]:
        """The places of idle agents without a name."""
        return tuple(i for i in range(len(self.crew.idle)) if self.names[i] is None)

    def lanes(self, named: Sequence[str]) -> tuple[int, ...]:
        """Return the places of all that go on working: named agents in their order, then busy ones, then others."""
        staying = [i for i in range(len(self.crew.idle), len(self.names)) if i not in self.leaving]
        places = [self.place_of(name) for name in named]
        others = [i for i in (*staying, *self.unnamed) if self.names[i] is None]
        return (*(place for place in places if place is not None), *others)


def count_agents(metrics: Metrics, *, limit: int | None, named: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """Return how many agents a forecast is for, and the ids of those that have names.

    These are the requested agents; else the policy's agent pool, by name; else as many as the policy's
    ``lookahead_agents``, or as have a running task, at least one.
    """
    if named or limit is not None:
        return max(limit or 1, len(named)), tuple(named)
    pool = metrics.policy.agent_pool
    if pool:
        return len(pool), pool
    return metrics.policy.lookahead_agents or max(1, len(metrics.running())), ()


def form_staff(metrics: Metrics, homes: Mapping[str | None, int], *, number: int, named: Sequence[str]) -> Staff:
    """Build the staff of ``number`` agents: the named ones, and while there is room those that work on a node now."""
    running = metrics.running()
    last = _last_nodes(metrics, running)
    left = number - len(named)
    names: list[str | None] = []
    leaving: list[int] = []
    for n, node in enumerate(running):
        agent_id = metrics.node(node).agent_id
        is_last = last.get(agent_id, n) == n
        names.append(agent_id if agent_id in named else None)
        if not is_last or (agent_id not in named and left < 1):
            leaving.append(n)
        elif agent_id not in named:
            left -= 1
    idle = [name for name in named if name not in names]
    places = find_warm_places(metrics, homes, named=idle, unnamed=left)
    crew = Workers(running, places, estimate_cold_start(metrics), None)
    return Staff(crew, (*idle, *[None] * left, *names), frozenset(len(places) + n for n in leaving))


def _last_nodes(metrics: Metrics, running: Sequence[int]) -> dict[str | None, int]:
    """Find, for each agent, the running node that takes it longest: only then is the agent free."""
    last: dict[str | None, int] = {}
    minutes = metrics.estimates.sizes
    for n, node in enumerate(running):
        agent_id = metrics.node(node).agent_id
        if agent_id is not None and minutes[node] >= minutes[running[last.get(agent_id, n)]]:
            last[agent_id] = n
    return last


def assign_first_picks(picks: Sequence[Ranked], staff: Staff, homes: Sequence[int]) -> dict[int, int | None]:
    """Assign each pick a place: the named agent's, else an unnamed one's, if possible with the repository checked out."""
    free = list(staff.unnamed)
    first: dict[int, int | None] = {}
    for pick in picks:
        place = staff.place_of(pick.context.agent_id)
        if place is None:
            place = min(free, key=lambda i: (staff.crew.idle[i] != homes[pick.node], i))
            free.remove(place)
        first[pick.node] = place
    return first
