"""Staff: who does the work of a forecast, who of them is at a node now, and where the others are warm."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.simulation import Workers
from git_sched.decide.simulation_setup import estimate_cold_start, find_warm_places

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_sched.decide.metrics import Metrics
    from git_sched.model.request import Ranked


class Staff(NamedTuple):
    """Who works: places in a crew, those that are idle first, then one for each running node.

    ``names`` are the ids of those that were named. ``leaving`` are places at a running node that take nothing after it.
    """

    crew: Workers
    names: Sequence[str | None]
    leaving: Collection[int]

    def place_of(self, agent_id: str | None) -> int | None:
        """Give the place of a named agent that goes on working."""
        places = (i for i, name in enumerate(self.names) if name == agent_id and i not in self.leaving)
        return None if agent_id is None else next(places, None)

    @property
    def unnamed(self) -> tuple[int, ...]:
        """Give the places of idle agents without a name."""
        return tuple(i for i in range(len(self.crew.idle)) if self.names[i] is None)

    def lanes(self, named: Sequence[str]) -> tuple[int, ...]:
        """Give the places of all that go on working: named ones as they were named, then those at work, then others."""
        staying = [i for i in range(len(self.crew.idle), len(self.names)) if i not in self.leaving]
        places = [self.place_of(name) for name in named]
        others = [i for i in (*staying, *self.unnamed) if self.names[i] is None]
        return (*(place for place in places if place is not None), *others)


def count_agents(metrics: Metrics, *, limit: int | None, named: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """Say how many agents a forecast is for, and who of them has a name.

    What was asked for has it; else the policy's agent pool, by name; else the policy's ``lookahead_agents``, or as many
    as are at work, at least one.
    """
    if named or limit is not None:
        return max(limit or 1, len(named)), tuple(named)
    pool = metrics.policy.agent_pool
    if pool:
        return len(pool), pool
    return metrics.policy.lookahead_agents or max(1, len(metrics.running())), ()


def form_staff(metrics: Metrics, homes: Mapping[str | None, int], *, number: int, named: Sequence[str]) -> Staff:
    """Put so many agents to work. Whoever is at a node now is one of them while there is room, and named ones are."""
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
    """Give, for each agent, which of its running nodes takes longest: it is free only then."""
    last: dict[str | None, int] = {}
    minutes = metrics.estimates.sizes
    for n, node in enumerate(running):
        agent_id = metrics.node(node).agent_id
        if agent_id is not None and minutes[node] >= minutes[running[last.get(agent_id, n)]]:
            last[agent_id] = n
    return last


def assign_first_picks(picks: Sequence[Ranked], staff: Staff, homes: Sequence[int]) -> dict[int, int | None]:
    """Give each pick the place that takes it: the named agent's, else that of an unnamed one, warm ones first."""
    free = list(staff.unnamed)
    first: dict[int, int | None] = {}
    for pick in picks:
        place = staff.place_of(pick.context.agent_id)
        if place is None:
            place = min(free, key=lambda i: (staff.crew.idle[i] != homes[pick.node], i))
            free.remove(place)
        first[pick.node] = place
    return first
