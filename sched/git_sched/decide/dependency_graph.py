"""The dependency graph: all graphs of a workspace as one, with ids resolved to numbers.

A container (a node with parts) has two points: its *opening*, which waits for what the container depends on and lets
its parts start, and the container itself, which waits for its parts. Openings are numbered after the nodes, have no
size and are never offered; they keep the number of edges linear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from git_sched.decide.hierarchy import Hierarchy
from git_sched.decide.usable_nodes import find_usable_nodes
from git_sched.model.graph import FINISHED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_sched.decide.usable_nodes import UsableNodes
    from git_sched.model.graph import BrokenNode, Graph, Node

FaultKind = Literal["unknown", "elsewhere", "in-error", "ambiguous", "whole-in-error", "part-in-error", "unread"]
"""What is wrong: a dependency that no graph has, that only another graph has, that is in error, or that names several
nodes; the task that a node is part of is in error; a part of a node is in error; a file that may hold parts cannot be
read."""


class Fault(NamedTuple):
    """What keeps a node back until the files are edited: its kind, the name it is about, and where it is written.

    ``item`` is the number of the dependency, from 0; it is -1 for a fault that is not in ``depends_on``.
    """

    kind: FaultKind
    text: str
    item: int = -1


class RedundantDependency(NamedTuple):
    """A dependency between a node and one it is part of: the item of ``depends_on``, from 0, and its text.

    ``on_whole`` means that the part names its whole, not the other way round.
    """

    text: str
    item: int
    on_whole: bool


class DependencyGraph(NamedTuple):
    """All nodes of a workspace in the order of their ids, and the edges between them.

    ``needs[i]`` are the points that must be finished before point ``i`` can start. ``is_open[i]`` is whether it is
    open; an opening is open as long as its container is. ``faults`` are, by node, what keeps it and its parts back
    until an edit; ``part_faults`` are, by container, what is wrong with its parts. ``redundant`` are the dependencies
    that add nothing, ``broken`` the nodes in error, by graph id.
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
    part_faults: Mapping[int, tuple[Fault, ...]]
    redundant: Mapping[int, tuple[RedundantDependency, ...]]
    broken: tuple[tuple[str, BrokenNode], ...]
    repeated: tuple[tuple[Graph, Node], ...]
    clashing: tuple[Graph, ...]

    def real(self, point: int) -> int:
        """Return the node of a point: the point itself, or the container of an opening."""
        return self.container.get(point, point)

    def is_container(self, node: int) -> bool:
        """Whether a node has parts."""
        return node in self.opening


def build(graphs: Iterable[Graph], *, as_metagit: bool = False) -> DependencyGraph:
    """Join graphs into one dependency graph; the order of the graphs does not matter.

    Nodes in error are left out: others wait for them, and they have no other effect. ``as_metagit`` is that of
    :func:`~git_sched.model.graph.node_order`.
    """
    usable = find_usable_nodes(graphs, as_metagit=as_metagit)
    nodes = usable.nodes
    number_of = {(node.graph_id, node.node_id): i for i, node in enumerate(nodes)}
    parent = _parents(nodes, number_of)
    children: dict[int, list[int]] = {}
    for child, above in parent.items():
        children.setdefault(above, []).append(child)
    part_faults = _part_faults(usable, number_of)
    opening = {node: len(nodes) + i for i, node in enumerate(sorted(children.keys() | part_faults.keys()))}
    _add_unread(usable, opening, part_faults)
    resolved = _resolve_all(usable, number_of)
    needs = resolved.needs
    _insert_openings(nodes, needs, parent=parent, children=children, opening=opening)
    active = {graph_id for graph_id, graph in usable.graph_of.items() if graph.active}
    is_open = [node.graph_id in active and node.status not in FINISHED for node in nodes]
    is_open.extend(is_open[node] for node in opening)
    return DependencyGraph(
        graphs=usable.graphs,
        nodes=nodes,
        number_of=number_of,
        graph_of=usable.graph_of,
        needs=needs,
        is_open=is_open,
        parent=parent,
        children={node: tuple(parts) for node, parts in children.items()},
        opening=opening,
        container={point: node for node, point in opening.items()},
        faults=resolved.faults,
        part_faults={node: tuple(faults) for node, faults in part_faults.items()},
        redundant=resolved.redundant,
        broken=usable.broken,
        repeated=usable.repeated,
        clashing=usable.clashing,
    )


def _part_faults(usable: UsableNodes, number_of: Mapping[tuple[str, str], int]) -> dict[int, list[Fault]]:
    """Return, by container, its parts that are in error."""
    found: dict[int, dict[Fault, None]] = {}
    for graph_id, one in usable.broken:
        whole = None if one.parent is None else number_of.get((graph_id, one.parent))
        if whole is not None:
            name = f"{graph_id}/{one.node_id}" if one.node_id else "one without an id"
            found.setdefault(whole, {})[Fault("part-in-error", name)] = None
    return {node: list(faults) for node, faults in found.items()}


def _add_unread(usable: UsableNodes, opening: Iterable[int], part_faults: dict[int, list[Fault]]) -> None:
    """Add to each container of a graph the files of that graph that could not be read: they may hold parts of it."""
    for node in opening:
        for path in usable.graph_of[usable.nodes[node].graph_id].unread[:1]:
            part_faults.setdefault(node, []).append(Fault("unread", path))


class _Resolved(NamedTuple):
    """What each node needs, and its dependencies that could not be resolved or add nothing."""

    needs: list[Sequence[int]]
    faults: dict[int, tuple[Fault, ...]]
    redundant: dict[int, tuple[RedundantDependency, ...]]


def _resolve_all(usable: UsableNodes, number_of: Mapping[tuple[str, str], int]) -> _Resolved:
    resolve = _Resolver(usable, number_of)
    resolved = _Resolved([], {}, {})
    for i, node in enumerate(usable.nodes):
        found, wrong, redundant = resolve(node)
        resolved.needs.append(found)
        if wrong:
            resolved.faults[i] = wrong
        if redundant:
            resolved.redundant[i] = redundant
    return resolved


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
        # A cancelled part is finished: nobody wrote that the container depends on its outcome.
        needs[node] = (*(part for part in children.get(node, ()) if nodes[part].status != "cancelled"), opening[node])


class _Resolver:
    """Resolves the texts of ``depends_on`` to node numbers, faults and redundant dependencies."""

    def __init__(self, usable: UsableNodes, number_of: Mapping[tuple[str, str], int]) -> None:
        self._number_of = number_of
        self._graph_of = usable.graph_of
        self._broken = {(graph_id, b.node_id) for graph_id, b in usable.broken}
        self._hierarchy = Hierarchy(usable.nodes, usable.broken)
        self._anywhere: set[str] | None = None

    def __call__(self, node: Node) -> tuple[tuple[int, ...], tuple[Fault, ...], tuple[RedundantDependency, ...]]:
        found: dict[int, None] = {}
        wrong: list[Fault] = []
        redundant: list[RedundantDependency] = []
        own = (node.graph_id, node.node_id)
        if node.parent is not None and (node.graph_id, node.parent) in self._broken:
            wrong.append(Fault("whole-in-error", f"{node.graph_id}/{node.parent}"))
        for item, text in enumerate(node.depends_on):
            name = self._name(node.graph_id, text)
            target = self._number_of.get(name)
            on_whole = own in self._hierarchy and self._hierarchy.is_part(own, name)
            if on_whole or (own in self._hierarchy and self._hierarchy.is_part(name, own)):
                redundant.append(RedundantDependency(text, item, on_whole))
            elif target is None:
                wrong.append(Fault(self._kind(name, text), text, item))
            else:
                found[target] = None
        return tuple(found), tuple(wrong), tuple(redundant)

    def _name(self, graph_id: str, text: str) -> tuple[str, str]:
        """Return the graph and node ids that a dependency names; the graph is its own unless it names another."""
        head, slash, tail = text.partition("/")
        return (head, tail) if slash and (graph_id, text) not in self._number_of else (graph_id, text)

    def _kind(self, name: tuple[str, str], text: str) -> FaultKind:
        graph = self._graph_of.get(name[0])
        if graph is not None and name[1] in graph.ambiguous:
            return "ambiguous"
        if name in self._broken:
            return "in-error"
        if "/" in text:
            return "unknown"
        if self._anywhere is None:
            self._anywhere = {node_id for _, node_id in self._number_of}
        return "elsewhere" if text in self._anywhere else "unknown"
