"""Finds the node that a word of the request names, or the error that says why there is not exactly one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.model.ids import did_you_mean
from git_sched.model.phrases import count
from git_sched.model.problems import RequestError

if TYPE_CHECKING:
    from collections.abc import Collection

    from git_sched.decide.dependency_graph import DependencyGraph
    from git_sched.model.graph import BrokenNode

NAMED: Final = 20
"""Number of tasks that one id may mean and that are named; the others are counted."""


class Lookup(NamedTuple):
    """The node that a word names: one of the dependency graph, or one in error."""

    node: int | None
    graph_id: str
    broken: BrokenNode | None = None


def find(network: DependencyGraph, word: str) -> Lookup:
    """Find the node that a word names: ``node_id`` or ``graph_id/node_id``, also as its tracker writes it.

    An id that several graphs have means the one that is open.

    Raises:
        RequestError: no node has that name, or several have it.
    """
    graph_id, slash, node_id = word.partition("/")
    wanted = word.lstrip("#")
    found = [
        Lookup(i, node.graph_id)
        for i, node in enumerate(network.nodes)
        if (slash and (node.graph_id, node.node_id) == (graph_id, node_id))
        or (not slash and wanted.casefold() == node.node_id.casefold())
    ]
    exact = [f for f in found if f.node is not None and network.nodes[f.node].node_id == word]
    found = exact or found
    found += [
        Lookup(None, home, broken)
        for home, broken in network.broken
        if broken.node_id == (node_id if slash else word) and home in ({graph_id} if slash else {home})
    ]
    found = [f for f in found if f.node is None or network.is_open[f.node]] or found
    names = {network.nodes[f.node].name if f.node is not None else f"{f.graph_id}/{node_id or word}" for f in found}
    if len(names) > 1:
        raise ambiguous(word, names)
    if found:
        return found[0]
    if word in network.graph_of:
        size = count(sum(node.graph_id == word for node in network.nodes), "node")
        message = f"no node is called {word}; it is a graph with {size}"
        raise RequestError(message, hint=f"git sched status --graph-id {word}")
    raise unknown(word, [name for node in network.nodes for name in (node.name, node.node_id)])


def ambiguous(word: str, names: Collection[str]) -> RequestError:
    """Build the error for a word that names several nodes, with the full names of the first."""
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return RequestError(f"{word} could be any of {', '.join(sorted(names)[:NAMED])}{rest}", hint="name it in full")


def unknown(word: str, known: Collection[str]) -> RequestError:
    """Give the error for a word that names no node, with the nearest one that does."""
    return RequestError(
        f"no node is called {word}", hint=did_you_mean(word, known) or "git sched status --all lists the open ones"
    )
