"""Holds: who has taken which task lately, and who gave it back; what somebody else has taken counts as running."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.phrases import UNNAMED
from git_sched.model.request import Held
from git_sched.model.times import LATEST

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_sched.decide.metrics import Metrics
    from git_sched.model.graph import Node
    from git_sched.model.signals import HistoryRow

Name = tuple[str, str]
Rows = tuple["HistoryRow", ...]


class Holds(NamedTuple):
    """The rows of the log that hold tasks, by graph id and node id.

    ``taken`` are dispatches within ``after`` seconds of the clock that nobody gave back. ``returned`` say who gave a
    task back on this ``basis``: it is not offered to that agent again at once.
    """

    after: int
    basis: str
    taken: Mapping[Name, Rows]
    returned: Mapping[Name, Rows]

    def gate(self, node: Node, agent_id: str | None) -> Held | None:
        """Return the gate of a node for an agent.

        An agent's own row of this basis does not hold the node for it, so that whoever asks again gets the same answer;
        nor does an older one where the node is assigned to it.
        """
        is_own = agent_id is not None and node.agent_id == agent_id
        name = (node.graph_id, node.node_id)
        rows = [
            row
            for row in reversed(self.taken.get(name, ()))
            if row.agent_id != agent_id or not (row.basis == self.basis or is_own)
        ]
        returned = [] if rows else [row for row in self.returned.get(name, ()) if row.agent_id == agent_id]
        if not rows and not returned:
            return None
        by = tuple(dict.fromkeys(row.agent_id or UNNAMED for row in (*rows, *returned)))
        until = min(max(row.at for row in (*rows, *returned)) + self.after, LATEST)
        return Held("redispatch", "redispatch_after", self.after, by, until=until, returned=bool(returned))

    def without(self, agents: Collection[str | None]) -> Holds:
        """Return these holds without what some agents took on this basis."""
        taken = {
            name: tuple(row for row in rows if row.basis != self.basis or row.agent_id not in agents)
            for name, rows in self.taken.items()
        }
        return self._replace(taken=taken)

    def of_others(self, node: Node, agent_id: str | None) -> Held | None:
        """Return the gate by which other agents alone hold a node."""
        others = {name: tuple(row for row in rows if row.agent_id != agent_id) for name, rows in self.taken.items()}
        return self._replace(taken=others, returned={}).gate(node, agent_id)


def find_holds(metrics: Metrics) -> Holds:
    """Find the rows younger than the policy's ``redispatch_after``; rows later than the clock count as now."""
    after, clock = metrics.policy.redispatch_after, metrics.clock
    taken: dict[Name, Rows] = {}
    returned: dict[Name, Rows] = {}
    for row in metrics.signals.history.rows if after is not None else ():
        at, name = min(row.at, clock), (row.graph_id, row.node_id)
        if clock - at >= (after or 0) or not (row.released or (row.dispatched and not row.skipped)):
            continue
        for rows in (taken, returned):  # what an agent did last counts
            rows[name] = tuple(other for other in rows.get(name, ()) if other.agent_id != row.agent_id)
        if row.dispatched:
            taken[name] = (*taken[name], row._replace(at=at))
        elif row.basis == metrics.basis:
            returned[name] = (*returned[name], row._replace(at=at))
    return Holds(after or 0, metrics.basis, taken, returned)


class Taken(NamedTuple):
    """The open nodes that somebody has taken and that no file calls running, for a request.

    ``others`` are those that no agent of the request can have: they count as running. ``own`` are the others, which the
    agents that took them get again.
    """

    others: tuple[int, ...]
    own: tuple[int, ...]


def find_taken(metrics: Metrics, holds: Holds, named: Sequence[str], *, unnamed: bool) -> Taken:
    """Find what was taken before, for the named agents of a request, and those without a name if there are any."""
    network, state = metrics.network, metrics.readiness.state
    numbers = (network.number_of.get(name) for name, rows in sorted(holds.taken.items()) if rows)
    taken = [i for i in numbers if i is not None and network.is_open[i] and state[i] != "running"]
    own = {
        i
        for i in taken
        for agent in _find_requesters(network.nodes[i], named, unnamed=unnamed)
        if holds.gate(network.nodes[i], agent) is None
    }
    return Taken(tuple(i for i in taken if i not in own), tuple(i for i in taken if i in own))


def _find_requesters(node: Node, named: Sequence[str], *, unnamed: bool) -> tuple[str | None, ...]:
    """Return the agents of a request that a node could go to, as far as it is assigned."""
    if node.agent_id is not None:
        return (node.agent_id,) if not named or node.agent_id in named else ()
    return (*named, *((None,) if unnamed else ()))


def count_as_running(metrics: Metrics, named: Sequence[str], *, unnamed: bool) -> Metrics:
    """Return metrics in which what others than the agents of a request have taken is running, by whoever took it."""
    holds = find_holds(metrics)
    others = find_taken(metrics, holds, named, unnamed=unnamed).others
    nodes, state = list(metrics.network.nodes), list(metrics.readiness.state)
    for i in others:
        node = nodes[i]
        nodes[i] = node._replace(agent_id=holds.taken[node.graph_id, node.node_id][-1].agent_id)
        state[i] = "running"
    ready = tuple(i for i in metrics.readiness.ready if state[i] != "running")
    return metrics._replace(
        network=metrics.network._replace(nodes=tuple(nodes)),
        readiness=metrics.readiness._replace(state=state, ready=ready),
    )
