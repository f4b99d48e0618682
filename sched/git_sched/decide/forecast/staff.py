"""The staff of a forecast: its agents, which nodes they work on now, and which repositories they have checked out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.simulation import REMAINING, Workers
from git_sched.decide.simulation_setup import estimate_cold_start, find_free_seats, find_own_seats

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_sched.decide.metrics import Metrics
    from git_sched.model.request import Ranked


class Team(NamedTuple):
    """Whom a forecast is for: ``number`` agents, those with a name, and how many without one are idle.

    ``leaving`` are running nodes of agents without a name that take nothing after them.
    """

    number: int
    named: tuple[str, ...]
    unnamed: int
    leaving: Collection[int]

    @property
    def idle(self) -> int:
        """The number of agents that tasks are picked for; a named one that works on a node may get another."""
        return len(self.named) + self.unnamed


class Staff(NamedTuple):
    """The agents of a forecast, as places: first the idle ones, then one for each running node.

    An agent that begins several nodes at once, or one while another is running, has a place for each. ``names`` are
    the ids of the named ones. ``leaving`` are places that take nothing after their first node. ``own`` are the
    repositories that agents have checked out, by id. ``first`` are the places of the first picks, by node.
    """

    crew: Workers
    names: Sequence[str | None]
    leaving: Collection[int]
    own: Mapping[str | None, frozenset[int]]
    first: Mapping[int, int]

    def lanes(self, named: Sequence[str]) -> tuple[int, ...]:
        """Return the places of all that go on working: named agents in their order, then busy ones, then others."""
        idle, staying = len(self.crew.idle), [i for i in range(len(self.names)) if i not in self.leaving]
        places = [next(i for i in staying if self.names[i] == name) for name in named]
        others = [i for i in staying if self.names[i] is None]
        return (*places, *(i for i in others if i >= idle), *(i for i in others if i < idle))


def form_team(metrics: Metrics, *, limit: int | None, named: Sequence[str]) -> Team:
    """Find whom a forecast is for: the named agents, and while there is room those that work on a node now."""
    number, names = _count_agents(metrics, limit=limit, named=named)
    running = metrics.running()
    last = _last_nodes(metrics, running)
    left = number - len(names)
    leaving: list[int] = []
    for n, node in enumerate(running):
        agent_id = metrics.node(node).agent_id
        if agent_id in names:
            continue
        if last.get(agent_id, n) != n or left < 1:
            leaving.append(node)
        else:
            left -= 1
    return Team(number, names, left, frozenset(leaving))


def _count_agents(metrics: Metrics, *, limit: int | None, named: Sequence[str]) -> tuple[int, tuple[str, ...]]:
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


def _last_nodes(metrics: Metrics, running: Sequence[int]) -> dict[str | None, int]:
    """Find, for each agent, the running node that takes it longest: only then is the agent free."""
    last: dict[str | None, int] = {}
    minutes = metrics.estimates.sizes
    for n, node in enumerate(running):
        agent_id = metrics.node(node).agent_id
        if agent_id is not None and minutes[node] >= minutes[running[last.get(agent_id, n)]]:
            last[agent_id] = n
    return last


def form_staff(metrics: Metrics, homes: Mapping[str | None, int], *, team: Team, picks: Sequence[Ranked]) -> Staff:
    """Build the staff of a team that begins with some picks."""
    running, own = metrics.running(), find_own_seats(metrics, homes)
    agents = [metrics.node(node).agent_id for node in running]
    idle = [name for name in team.named for _ in range(_count_places(name, picks, agents))]
    seats = [own.get(name, frozenset()) for name in idle]
    seats += find_free_seats(metrics, homes, named=team.named, number=team.unnamed)
    busy_seats = [own.get(agent_id, frozenset()) for agent_id in agents]
    crew = Workers(running, seats, busy_seats, estimate_cold_start(metrics), None)
    busy = [agent_id if agent_id in team.named else None for agent_id in agents]
    names = (*idle, *[None] * team.unnamed, *busy)
    first = _assign(picks, names, seats, [homes[metrics.node(pick.node).repository] for pick in picks])
    leaving = {len(seats) + n for n, node in enumerate(running) if node in team.leaving}
    ends = _find_ends(metrics, crew, first, picks)
    for name in team.named:
        places = [place for place, whose in enumerate(names) if whose == name]
        leaving |= {*places} - {max(places, key=lambda place: (ends.get(place, 0.0), place))}
    return Staff(crew, names, frozenset(leaving), own, first)


def _count_places(name: str, picks: Sequence[Ranked], busy: Sequence[str | None]) -> int:
    """Count the places that a named agent needs besides its running nodes: one for each pick, at least one in all."""
    number = sum(pick.context.agent_id == name for pick in picks)
    return number or int(name not in busy)


def _assign(
    picks: Sequence[Ranked], names: Sequence[str | None], seats: Sequence[frozenset[int]], homes: Sequence[int]
) -> dict[int, int]:
    """Assign each pick a place: one of the named agent, else an unnamed one's, if possible one that is warm there."""
    free = list(range(len(seats)))
    named = {name for name in names if name is not None}
    first: dict[int, int] = {}
    for pick, home in zip(picks, homes, strict=True):
        name = pick.context.agent_id if pick.context.agent_id in named else None
        place = min((i for i in free if names[i] == name), key=lambda i: (home not in seats[i], i))
        free.remove(place)
        first[pick.node] = place
    return first


def _find_ends(metrics: Metrics, crew: Workers, first: Mapping[int, int], picks: Sequence[Ranked]) -> dict[int, float]:
    """Find when the running nodes and the first picks end, by place."""
    sizes, idle = metrics.estimates.sizes, len(crew.idle)
    ends = {idle + n: REMAINING * sizes[node] for n, node in enumerate(crew.busy)}
    for pick in picks:
        cold = 0.0 if pick.context.warm or metrics.node(pick.node).repository is None else crew.cold_start
        ends[first[pick.node]] = sizes[pick.node] + cold
    return ends
