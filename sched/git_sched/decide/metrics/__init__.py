"""The metrics: everything the factors rate from, taken once for each answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.metrics.estimates import Estimates, estimate
from git_sched.decide.metrics.passes import Passes, sweep
from git_sched.decide.ready import assess

if TYPE_CHECKING:
    from git_sched.decide.dependency_graph import DependencyGraph
    from git_sched.decide.ready.readiness import Readiness
    from git_sched.model.basis import Basis
    from git_sched.model.graph import Node
    from git_sched.model.policy import Policy
    from git_sched.model.signals import Signals


class Metrics(NamedTuple):
    """The network and what is known about it; ``graph_ids`` are the graphs the request asks for, all if empty.

    ``basis`` is the key of what all this was read from. ``now`` is the time of the answer and ``clock`` that of this
    machine, both in seconds. ``qualified`` says that sentences name a node ``graph/node``, since more than one graph
    has open ones.
    """

    network: DependencyGraph
    readiness: Readiness
    estimates: Estimates
    passes: Passes
    policy: Policy
    signals: Signals
    now: int
    clock: int
    basis: str
    graph_ids: frozenset[str]
    qualified: bool

    @property
    def ready(self) -> tuple[int, ...]:
        """Every ready node of every active graph: this set alone normalises ratings."""
        return self.readiness.ready

    def node(self, i: int) -> Node:
        """Give the node with a number."""
        return self.network.nodes[i]

    def label(self, i: int) -> str:
        """Name a node in a sentence, so that it can be pasted."""
        node = self.network.nodes[i]
        return node.name if self.qualified else node.node_id

    def open_nodes(self) -> list[int]:
        """Give every node that is still to do, containers included."""
        return [i for i in range(len(self.network.nodes)) if self.network.is_open[i]]

    def uses_now(self) -> bool:
        """Whether anything follows from the time of the answer: a deferral, an age or a due date that counts."""
        ages, deadlines = self.policy.weighs("age"), self.policy.weighs("deadline")
        return any(
            node.deferred_until is not None
            or (ages and node.created_at is not None)
            or (deadlines and node.due is not None)
            for node, is_open in zip(self.network.nodes, self.network.is_open, strict=False)
            if is_open
        )

    def candidates(self) -> tuple[int, ...]:
        """Give the ready nodes of the graphs that were asked for."""
        if not self.graph_ids:
            return self.ready
        return tuple(i for i in self.ready if self.network.nodes[i].graph_id in self.graph_ids)

    def running(self) -> tuple[int, ...]:
        """Give the running nodes of active graphs; a container at work counts through its parts alone."""
        network, state = self.network, self.readiness.state
        return tuple(
            i
            for i, s in enumerate(state)
            if s == "running"
            and network.is_open[i]
            and not any(network.is_open[c] for c in network.children.get(i, ()))
        )


def measure(
    network: DependencyGraph, *, policy: Policy, signals: Signals, basis: Basis, graph_ids: frozenset[str] = frozenset()
) -> Metrics:
    """Work out readiness, estimates and passes of a network."""
    readiness = assess(network, now=basis.now, on_cancelled=policy.on_cancelled)
    estimates = estimate(network, tokens_per_minute=policy.tokens_per_minute)
    passes = sweep(network, readiness, estimates)
    graphs = {node.graph_id for node, is_open in zip(network.nodes, network.is_open, strict=False) if is_open}
    times = (basis.now, basis.clock)
    found = (network, readiness, estimates, passes, policy, signals)
    return Metrics(*found, *times, basis.key, graph_ids, len(graphs) > 1)
