"""Separates the usable nodes, which can be scheduled, from those in error."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.graph import FINISHED, BrokenNode, Node, node_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_sched.model.graph import Graph


class UsableNodes(NamedTuple):
    """The nodes that can be scheduled, as :func:`~git_sched.model.graph.node_order` has them, and what is in error.

    ``broken`` are the nodes in error, by graph id; ``repeated`` are those of them that share an id within a graph.
    ``clashing`` are graphs that share an id and have a node in error.
    """

    graphs: tuple[Graph, ...]
    nodes: tuple[Node, ...]
    graph_of: Mapping[str, Graph]
    broken: tuple[tuple[str, BrokenNode], ...]
    repeated: tuple[tuple[Graph, Node], ...]
    clashing: tuple[Graph, ...]


def find_usable_nodes(graphs: Iterable[Graph], *, as_metagit: bool = False) -> UsableNodes:
    """Separate usable nodes from those in error; the order of the graphs does not matter.

    In error are all nodes of graphs that share an id, and all nodes that share an id within a graph. Where every
    record of one id is completed, or every one is cancelled, they are one usable node. ``as_metagit`` is that of
    :func:`~git_sched.model.graph.node_order`.
    """
    ordered = tuple(sorted(graphs, key=lambda g: (g.graph_id, g.path)))
    by_id: dict[str, list[Graph]] = {}
    for graph in ordered:
        by_id.setdefault(graph.graph_id, []).append(graph)
    usable: list[Node] = []
    broken: list[tuple[str, BrokenNode]] = []
    repeated: list[tuple[Graph, Node]] = []
    clashing: list[Graph] = []
    for graph_id, same in by_id.items():
        before = len(broken)
        for records in _by_id(same):
            node = _join_records(records, alone=len(same) == 1)
            if node is not None:
                usable.append(node)
                continue
            broken.extend((graph_id, _as_broken(record)) for _, record in records)
            if len(same) == 1 and len(records) > 1:
                repeated.extend((graph, record) for graph, record in records if isinstance(record, Node))
        if len(same) > 1 and len(broken) > before:
            clashing.extend(same)
    graph_of = {graph_id: same[0] for graph_id, same in by_id.items()}
    usable.sort(key=lambda node: node_order(node, numbered=graph_of[node.graph_id].numbered, as_metagit=as_metagit))
    return UsableNodes(ordered, tuple(usable), graph_of, tuple(broken), tuple(repeated), tuple(clashing))


Records = list[tuple["Graph", Node | BrokenNode]]


def _by_id(same: Sequence[Graph]) -> Iterable[Records]:
    """Group the records of graphs that share an id by node id; one without an id is a group of its own."""
    found: dict[object, Records] = {}
    for graph in same:
        records: list[Node | BrokenNode] = [*graph.broken, *graph.nodes]
        for record in records:
            key = (graph.path, record.number) if record.node_id is None else record.node_id
            found.setdefault(key, []).append((graph, record))
    return found.values()


def _join_records(records: Records, *, alone: bool) -> Node | None:
    """Return the node that the records of one id make, or ``None`` where they are in error."""
    nodes = [record for _, record in records if isinstance(record, Node)]
    if alone and len(records) == len(nodes) == 1:
        return nodes[0]
    if len(nodes) < len(records) or len({node.status for node in nodes}) > 1 or nodes[0].status not in FINISHED:
        return None
    # What a finished node depended on no longer matters, and its records may disagree about it.
    return min(nodes, key=lambda node: (node.parent or "", node.title, node.number))._replace(depends_on=())


def _as_broken(record: Node | BrokenNode) -> BrokenNode:
    return record if isinstance(record, BrokenNode) else BrokenNode(record.node_id, record.number, record.parent)
