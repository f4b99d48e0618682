"""The metrics: readiness, estimates, paths and signals, computed once for each answer; the factors rate from them."""

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
    """The dependency graph and what is computed from it; ``graph_ids`` are the requested graphs, all if empty.

    ``basis`` is the key of the input. ``now`` is the time of the answer and ``clock`` that of this machine, both in
    seconds since 1970. ``agents`` are the named agents of the request, whose worktrees count beside those of the pool.
    With ``qualified`` texts name a node ``graph/node``, since more than one graph has open ones.
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
    agents: tuple[str, ...]
    qualified: bool

    @property
    def ready(self) -> tuple[int, ...]:
        """Every ready node of every active graph: ratings are normalized over these alone."""
        return self.readiness.ready

    def node(self, i: int) -> Node:
        """Return the node with a number."""
        return self.network.nodes[i]

    def label(self, i: int) -> str:
        """Return a node's name for a sentence, so that it can be pasted."""
        node = self.network.nodes[i]
        return node.name if self.qualified else node.node_id

    def open_nodes(self) -> list[int]:
        """Return every open node, containers included."""
        return [i for i in range(len(self.network.nodes)) if self.network.is_open[i]]

    def uses_now(self) -> bool:
        """Whether the answer depends on its time: a deferral, or an age or due date of a factor with a weight."""
        ages, deadlines = self.policy.weighs("age"), self.policy.weighs("deadline")
        return any(
            node.deferred_until is not None
            or (ages and node.created_at is not None)
            or (deadlines and node.due is not None)
            for node, is_open in zip(self.network.nodes, self.network.is_open, strict=False)
            if is_open
        )

    def candidates(self) -> tuple[int, ...]:
        """Return the ready nodes of the requested graphs."""
        if not self.graph_ids:
            return self.ready
        return tuple(i for i in self.ready if self.network.nodes[i].graph_id in self.graph_ids)

    def running(self) -> tuple[int, ...]:
        """Return the running nodes of active graphs; a running container counts only through its parts."""
        network, state = self.network, self.readiness.state
        return tuple(
            i
            for i, s in enumerate(state)
            if s == "running"
            and network.is_open[i]
            and not any(network.is_open[c] for c in network.children.get(i, ()))
        )


def measure(
    network: DependencyGraph,
    *,
    policy: Policy,
    signals: Signals,
    basis: Basis,
    graph_ids: frozenset[str] = frozenset(),
    agents: tuple[str, ...] = (),
) -> Metrics:
    """Compute readiness, estimates and paths of a dependency graph."""
    readiness = assess(network, now=basis.now, on_cancelled=policy.on_cancelled)
    estimates = estimate(network, tokens_per_minute=policy.tokens_per_minute)
    passes = sweep(network, readiness, estimates)
    graphs = {node.graph_id for node, is_open in zip(network.nodes, network.is_open, strict=False) if is_open}
    times = (basis.now, basis.clock)
    found = (network, readiness, estimates, passes, policy, signals)
    return Metrics(*found, *times, basis.key, graph_ids, agents, len(graphs) > 1)
