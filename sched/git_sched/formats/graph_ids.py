"""Names that other trackers' files leave open: graph ids made unique by path, and the workspace's own repository."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from git_sched.formats.places import HOMES
from git_sched.model.graph import OWN_REPOSITORY
from git_sched.model.ids import is_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.model.graph import Graph

_REMOTE = re.compile(r"(?:^|[/:])([^/:]+)/([^/:]+?)(?:\.git)?/?$")
_HOME = re.compile(rf"(?:^|/)(?:{'|'.join(re.escape(home) for home in HOMES)})(?=/|$).*")
_UNSAFE = re.compile(r"[^A-Za-z0-9_]+")


def repository_of_remote(url: str) -> str | None:
    """Return ``owner/name`` of a remote's address, or ``None`` if it does not end in two names."""
    found = _REMOTE.search(url.strip())
    return f"{found[1]}/{found[2]}" if found and is_id(found[1]) and is_id(found[2]) else None


def assign_graph_ids(graphs: Iterable[Graph], *, own_repository: str | None) -> tuple[Graph, ...]:
    """Give graphs of other trackers unique ids, and nodes without a repository or with ``.`` the workspace's own.

    If another graph has the same id, the folder is put in front: ``master`` below ``apps/web`` becomes
    ``apps-web.master``. Native graphs keep their ids, since two with one id are reported later as an error, and their
    nodes without a repository have none.
    """
    listed = sorted(graphs, key=lambda g: (g.path, g.graph_id))
    taken = Counter(graph.graph_id for graph in listed)
    settled = []
    for graph in listed:
        if graph.format == "native":
            settled.append(_name_own(graph, own_repository) if own_repository else graph)
            continue
        graph_id = graph.graph_id if taken[graph.graph_id] == 1 else _led_by_folder(graph)
        nodes = tuple(
            node._replace(graph_id=graph_id, repository=node.repository or own_repository) for node in graph.nodes
        )
        settled.append(graph._replace(graph_id=graph_id, nodes=nodes))
    return tuple(settled)


def is_unnamed(graph: Graph) -> bool:
    """Whether a graph needs the name of the workspace's own repository."""
    return graph.format != "native" or any(node.repository == OWN_REPOSITORY for node in graph.nodes)


def _name_own(graph: Graph, name: str) -> Graph:
    if not is_unnamed(graph):
        return graph
    nodes = (node._replace(repository=name) if node.repository == OWN_REPOSITORY else node for node in graph.nodes)
    return graph._replace(nodes=tuple(nodes))


def _led_by_folder(graph: Graph) -> str:
    folder = graph.path.rpartition("/")[0]
    lead = _UNSAFE.sub("-", _HOME.sub("", folder)).strip("-")
    return f"{lead}.{graph.graph_id}"[:200] if lead else graph.graph_id
