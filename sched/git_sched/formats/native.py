"""Native graphs: ``.metagit/tasks/graphs/*`` in JSON or YAML, as metagit and people write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.base import Format, Parsed, file_by_file, one_file_each
from git_sched.formats.native_keys import GRAPH_KEYS, NODE_KEYS
from git_sched.formats.places import PLACES
from git_sched.formats.reading import fields
from git_sched.formats.reading.document import read_document
from git_sched.formats.reading.findings import Findings
from git_sched.formats.reading.kinds import readers_of
from git_sched.model.graph import FINISHED, BrokenNode, Graph, Node, Place, Spot, full_repository
from git_sched.model.ids import escape, is_id

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from git_sched.formats.reading.document import Document
    from git_sched.formats.reading.marks import Path
    from git_sched.model.blob import Blob

NODE_READERS: Final = readers_of(NODE_KEYS)
"""How each key of a node is read. A null counts as absent."""

_BESIDES_ID: Final = {key: reader for key, reader in NODE_READERS.items() if key != "node_id"}

GRAPH_READERS: Final = readers_of({name: key for name, key in GRAPH_KEYS.items() if name != "nodes"})
"""How each key of a graph is read; its nodes are read one by one, so that one in error does not hide the others."""


class NativeLocate(NamedTuple):
    """Finds spots of a native graph in its document."""

    document: Document

    def __call__(self, spots: Collection[Spot], /) -> Mapping[Spot, Place]:
        """Find all spots in one pass over the document."""
        wanted = {spot: (_path(spot), spot.at_key) for spot in spots}
        found = self.document.places(set(wanted.values()))
        return {spot: found[want] for spot, want in wanted.items()}


def _path(spot: Spot) -> Path:
    head: Path = () if spot.node < 0 else ("nodes", spot.node)
    key: Path = (spot.key,) if spot.key else ()
    return (*head, *key, spot.item) if spot.item >= 0 else (*head, *key)


def _parse_file(blob: Blob) -> Parsed:
    document = read_document(blob)
    if not document.readable:
        return Parsed((), document.problems)
    locate = NativeLocate(document)
    found = Findings(locate)
    graphs = _read_graph(document, locate, found)
    return Parsed(graphs, (*document.problems, *found.problems()))


def _read_graph(document: Document, locate: NativeLocate, found: Findings) -> tuple[Graph, ...]:
    root = document.value
    if not isinstance(root, dict):
        found.error(
            Spot(-1),
            "wrong-type",
            f"a task graph is a mapping; this file holds {'nothing' if root is None else fields.kind(root)}",
            hint="begin with graph_id: NAME and nodes:",
        )
        return ()
    values, _ = found.read(-1, root, GRAPH_READERS, "the graph")
    found.unknown_keys(-1, root, GRAPH_KEYS.keys(), "the graph")
    graph_id = values.get("graph_id")
    if not isinstance(graph_id, str):
        if root.get("graph_id") is None:
            found.error(Spot(-1), "missing-key", "the graph has no graph_id", hint="add graph_id: NAME")
        graph_id = None
    rows = root.get("nodes")
    if rows is None:
        rows = []
    if not isinstance(rows, list):
        found.error(
            Spot(-1, "nodes"), "wrong-type", f"nodes is {fields.kind(rows)}, not a list", hint="write a list of nodes"
        )
        rows = []
    nodes, broken = _read_nodes(graph_id or "?", rows, found)
    if graph_id is None:
        return ()
    status = str(values.get("status", "active"))
    if "status" not in values and root.get("status") is not None:
        nodes, broken = _served_by_nobody(nodes, broken)
    return (Graph(graph_id, document.path, "native", locate, nodes, broken, str(values.get("title", "")), status),)


def _served_by_nobody(
    nodes: tuple[Node, ...], broken: tuple[BrokenNode, ...]
) -> tuple[tuple[Node, ...], tuple[BrokenNode, ...]]:
    """Put what is unfinished in error: whether its graph is active cannot be told."""
    unfinished = tuple(BrokenNode(node.node_id, node.number) for node in nodes if node.status not in FINISHED)
    return tuple(node for node in nodes if node.status in FINISHED), (*broken, *unfinished)


def _read_nodes(graph_id: str, rows: list[object], found: Findings) -> tuple[tuple[Node, ...], tuple[BrokenNode, ...]]:
    nodes: list[Node] = []
    broken: list[BrokenNode] = []
    for index, row in enumerate(rows):
        node = _read_node(graph_id, index, row, found)
        (nodes if isinstance(node, Node) else broken).append(node)  # type: ignore[arg-type]  # told apart above
    return tuple(nodes), tuple(broken)


def _read_node(graph_id: str, index: int, row: object, found: Findings) -> Node | BrokenNode:
    if not isinstance(row, dict):
        found.error(
            Spot(index),
            "wrong-type",
            f"node {index + 1} of {graph_id} is {fields.kind(row)}, not a mapping",
            hint="write node_id: NAME and the other keys of the node",
        )
        return BrokenNode(None, index)
    raw_id = row.get("node_id")
    known_id = raw_id if type(raw_id) is str and is_id(raw_id) else None
    subject = f"{graph_id}/{known_id}" if known_id else f"node {index + 1} of {graph_id}"
    values, sound = found.read(index, row, _BESIDES_ID if known_id else NODE_READERS, subject)
    found.unknown_keys(index, row, NODE_KEYS.keys(), subject)
    if raw_id is None:
        found.error(
            Spot(index),
            "missing-key",
            f"{subject} has no node_id",
            hint="add node_id: NAME (quoted if it could be a number)",
        )
    if known_id is None or not sound:
        return BrokenNode(known_id, index)
    _warn(index, subject, values, found, graph_id)
    values["node_id"] = known_id
    return _node(graph_id, index, values, found)


def _warn(index: int, subject: str, values: dict[str, object], found: Findings, graph_id: str) -> None:
    own = values.pop("graph_id", None)
    if own is not None and own != graph_id:
        found.warning(
            Spot(index, "graph_id"),
            "graph-id-differs",
            f"{subject} says it belongs to another graph, {escape(str(own))}",
            hint=f"the file's graph_id, {graph_id}, holds",
        )
    for key in ("estimated_tokens", "context_budget"):
        value = values.get(key)
        if isinstance(value, int) and value < 0:
            found.warning(
                Spot(index, key), "negative-estimate", f"{subject} has {key} {value}", hint="it counts as absent"
            )
            del values[key]


def _node(graph_id: str, index: int, values: dict[str, object], found: Findings) -> Node:
    acl = values.pop("acl", None)
    commands: tuple[str, ...] = ()
    if isinstance(acl, dict) and acl.get("acl_commands") is not None:
        try:
            commands = fields.sequence(fields.text)(acl["acl_commands"])
        except fields.InvalidValueError as misfit:
            found.warning(
                Spot(index, "acl"),
                misfit.code,
                f"{graph_id}/{values['node_id']}: {fields.where(('acl_commands', *misfit.path))} {misfit.message}",
                hint="it is left out; write a list of commands",
            )
    project, repository = values.get("project"), values.get("repository")
    full = full_repository(project, repository)  # type: ignore[arg-type]  # NODE_KEYS gives every key its type
    values |= {"repository_name": repository, "repository": full}
    return Node(graph_id=graph_id, number=index, acl_commands=commands, **values)  # type: ignore[arg-type]  # as above


def suits(blob: Blob) -> bool:
    """Say whether a file named by hand reads as a native graph: by its ending."""
    return blob.path.endswith((".json", ".yml", ".yaml"))


parse: Final = file_by_file(_parse_file)

FORMAT: Final = Format("native", one_file_each(PLACES["native"], at_root=True), suits, parse)
