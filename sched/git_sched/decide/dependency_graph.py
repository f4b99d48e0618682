"""The network: all graphs of a workspace as one, with ids resolved and edges as integers.

A container (a node with parts) is two points: its *opening*, which waits for what the container depends on and lets
its parts begin, and the container itself, which waits for its parts. Openings are numbered after the nodes, carry no
work and are never offered; they keep the number of edges linear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from git_sched.model.graph import FINISHED, BrokenNode
from git_sched.model.ids import order_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_sched.model.graph import Graph, Node

FaultKind = Literal["unknown", "elsewhere", "in-error", "ambiguous"]


class Fault(NamedTuple):
    """A dependency that could not be resolved: which item of ``depends_on``, its text, and why."""

    kind: FaultKind
    text: str
    item: int


class DependencyGraph(NamedTuple):
    """All nodes of a workspace in the order of their ids (rule E1), and the edges between them.

    ``needs[i]`` are the points that must be finished before point ``i`` may begin. ``is_open`` says of each point
    whether it is open (rule B1); an opening is open as long as its container is. ``faults`` holds unresolved
    dependencies by node. ``broken`` are nodes in error, by graph id.
    """

    graphs: tuple[Graph, ...]
    nodes: tuple[Node, ...]
    number_of: Mapping[tuple[str, str], int]
    graph_of: Mapping[str, Graph]
    needs: Sequence[Sequence[int]]
    is_open: Sequence[bool]
    parent: Mapping[int, int]
    children: Mapping[int, tuple[int, ...]]
    opening: Mapping[int, int]
    container: Mapping[int, int]
    faults: Mapping[int, tuple[Fault, ...]]
    broken: tuple[tuple[str, BrokenNode], ...]
    repeated: tuple[tuple[Graph, Node], ...]
    clashing: tuple[Graph, ...]

    def real(self, point: int) -> int:
        """Give the node a point stands for: itself, or the container of an opening."""
        return self.container.get(point, point)

    def is_container(self, node: int) -> bool:
        """Whether a node has parts."""
        return node in self.opening


def build(graphs: Iterable[Graph]) -> DependencyGraph:
    """Join graphs into one network; the order in which they are given does not matter.

    Graphs that share an id, and nodes that share an id within a graph, are in error and left out of the network.
    """
    served = _served(graphs)
    nodes = served.nodes
    number_of = {(node.graph_id, node.node_id): i for i, node in enumerate(nodes)}
    parent = _parents(nodes, number_of)
    children: dict[int, list[int]] = {}
    for child, above in parent.items():
        children.setdefault(above, []).append(child)
    opening = {node: len(nodes) + i for i, node in enumerate(sorted(children))}
    needs, faults = _resolved(served, number_of)
    _insert_openings(nodes, needs, parent=parent, children=children, opening=opening)
    active = {graph_id for graph_id, graph in served.graph_of.items() if graph.active}
    is_open = [node.graph_id in active and node.status not in FINISHED for node in nodes]
    is_open.extend(is_open[node] for node in opening)
    return DependencyGraph(
        graphs=served.graphs,
        nodes=nodes,
        number_of=number_of,
        graph_of=served.graph_of,
        needs=needs,
        is_open=is_open,
        parent=parent,
        children={node: tuple(parts) for node, parts in children.items()},
        opening=opening,
        container={point: node for node, point in opening.items()},
        faults=faults,
        broken=served.broken,
        repeated=served.repeated,
        clashing=served.clashing,
    )


class _Served(NamedTuple):
    """The nodes that are served, in the order of their ids, and what is left out. Each field is as in a network."""

    graphs: tuple[Graph, ...]
    nodes: tuple[Node, ...]
    graph_of: Mapping[str, Graph]
    broken: tuple[tuple[str, BrokenNode], ...]
    repeated: tuple[tuple[Graph, Node], ...]
    clashing: tuple[Graph, ...]


def _served(graphs: Iterable[Graph]) -> _Served:
    ordered = tuple(sorted(graphs, key=lambda g: (g.graph_id, g.path)))
    by_id: dict[str, list[Graph]] = {}
    for graph in ordered:
        by_id.setdefault(graph.graph_id, []).append(graph)
    clashing = tuple(graph for same in by_id.values() if len(same) > 1 for graph in same)
    graph_of = {graph_id: same[0] for graph_id, same in by_id.items() if len(same) == 1}
    broken = [(graph.graph_id, one) for graph in ordered for one in graph.broken]
    repeated: list[tuple[Graph, Node]] = []
    keyed = []
    for graph in clashing:
        broken.extend((graph.graph_id, BrokenNode(node.node_id, node.number)) for node in graph.nodes)
    for graph in graph_of.values():
        twice = _repeated_ids(graph)
        for node in graph.nodes:
            if node.node_id in twice:
                repeated.append((graph, node))
                broken.append((graph.graph_id, BrokenNode(node.node_id, node.number)))
            else:
                key = order_key(node.node_id, numbered=graph.numbered, ordinal=node.ordinal)
                keyed.append((key, node.graph_id, node))
    keyed.sort(key=lambda entry: entry[:2])
    nodes = tuple(entry[2] for entry in keyed)
    return _Served(ordered, nodes, graph_of, tuple(broken), tuple(repeated), clashing)


def _repeated_ids(graph: Graph) -> set[str]:
    seen = {b.node_id for b in graph.broken if b.node_id is not None}
    twice: set[str] = set()
    for node in graph.nodes:
        if node.node_id in seen:
            twice.add(node.node_id)
        seen.add(node.node_id)
    return twice


def _resolved(
    served: _Served, number_of: Mapping[tuple[str, str], int]
) -> tuple[list[Sequence[int]], dict[int, tuple[Fault, ...]]]:
    """Give what each node needs, and the dependencies of it that could not be resolved."""
    resolve = _Resolver(number_of, served.graph_of, served.broken)
    needs: list[Sequence[int]] = []
    faults: dict[int, tuple[Fault, ...]] = {}
    for i, node in enumerate(served.nodes):
        found, wrong = resolve(node)
        if wrong:
            faults[i] = wrong
        needs.append(found)
    return needs, faults


def _parents(nodes: tuple[Node, ...], number_of: Mapping[tuple[str, str], int]) -> dict[int, int]:
    found = {}
    for i, node in enumerate(nodes):
        if node.parent is not None and (above := number_of.get((node.graph_id, node.parent))) is not None:
            found[i] = above
    return found


def _insert_openings(
    nodes: tuple[Node, ...],
    needs: list[Sequence[int]],
    *,
    parent: Mapping[int, int],
    children: Mapping[int, list[int]],
    opening: Mapping[int, int],
) -> None:
    for child, above in parent.items():
        if child not in opening:
            needs[child] = (*needs[child], opening[above])
    for node in opening:
        own = needs[node]
        needs.append((*own, opening[parent[node]]) if node in parent else own)
        # A part that was cancelled is finished: nobody wrote that the container depends on its outcome.
        needs[node] = (*(part for part in children[node] if nodes[part].status != "cancelled"), opening[node])


class _Resolver:
    """Turns the texts of ``depends_on`` into node numbers and faults."""

    def __init__(
        self,
        number_of: Mapping[tuple[str, str], int],
        graph_of: Mapping[str, Graph],
        broken: Iterable[tuple[str, BrokenNode]],
    ) -> None:
        self._number_of = number_of
        self._graph_of = graph_of
        self._broken = {(graph_id, b.node_id) for graph_id, b in broken}
        self._anywhere: set[str] | None = None

    def __call__(self, node: Node) -> tuple[tuple[int, ...], tuple[Fault, ...]]:
        found: dict[int, None] = {}
        wrong: list[Fault] = []
        for item, text in enumerate(node.depends_on):
            target = self._number_of.get((node.graph_id, text))
            if target is None and "/" in text:
                graph_id, _, node_id = text.partition("/")
                target = self._number_of.get((graph_id, node_id))
            if target is None:
                wrong.append(Fault(self._kind(node.graph_id, text), text, item))
            else:
                found[target] = None
        return tuple(found), tuple(wrong)

    def _kind(self, graph_id: str, text: str) -> FaultKind:
        head, slash, tail = text.partition("/")
        named = (head, tail) if slash else (graph_id, text)
        graph = self._graph_of.get(named[0])
        if graph is not None and named[1] in graph.ambiguous:
            return "ambiguous"
        if named in self._broken:
            return "in-error"
        if slash:
            return "unknown"
        if self._anywhere is None:
            self._anywhere = {node_id for _, node_id in self._number_of}
        return "elsewhere" if text in self._anywhere else "unknown"
