"""What-if: the same graphs with some nodes taken as completed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.lookup import ambiguous, unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.model.graph import Graph


def assume_done(graphs: tuple[Graph, ...], words: Sequence[str]) -> tuple[tuple[Graph, ...], tuple[str, ...]]:
    """Return the graphs with the named nodes completed, and the full names of these nodes, in order.

    A word is ``node_id``, or ``graph_id/node_id`` where an id exists in two graphs.

    Raises:
        RequestError: a word names no node, or more than one.
    """
    if not words:
        return graphs, ()
    names: dict[str, list[str]] = {}
    for graph in graphs:
        for node in graph.nodes:
            names.setdefault(node.node_id, []).append(node.name)
            names.setdefault(node.name, []).append(node.name)
    chosen = frozenset(_one(names, word) for word in words)
    done = tuple(
        graph._replace(nodes=tuple(n._replace(status="completed") if n.name in chosen else n for n in graph.nodes))
        for graph in graphs
    )
    return done, tuple(sorted(chosen))


def _one(names: dict[str, list[str]], word: str) -> str:
    found = set(names.get(word, []))
    if len(found) > 1:
        raise ambiguous(word, found)
    if not found:
        raise unknown(word, names)
    return found.pop()
