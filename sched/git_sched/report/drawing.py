"""Builds the view: a small part of the graph around what comes next and the longest path, for a drawing."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from git_sched.decide.metrics.passes import longest_path
from git_sched.report.ranking import LISTED
from git_sched.report.task import find_longest_path

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer

CHAINS = 3
"""How many of the best ready nodes, besides the picks, are drawn with the longest path that begins with them."""


def build_view(answer: Answer) -> record.ViewRecord:
    """Build the view: the picks, the best ready nodes and the longest path, each with the longest chain after it."""
    metrics, choice = answer.metrics, answer.choice
    critical = find_longest_path(metrics)
    free = [r.node for r in choice.ranking if r.node not in choice.held]
    starts = dict.fromkeys([*(p.node for p in choice.picks), *free[:CHAINS]])
    ranks = {node: n for n, node in enumerate(free)}
    ordered = sorted(starts, key=lambda node: ranks.get(node, len(ranks)))[:LISTED]
    chains = [longest_path(metrics.passes, metrics.readiness, node) for node in ordered] + [critical]
    numbers: dict[int, int] = {}
    edges: dict[tuple[int, int], None] = {}
    for chain in chains:
        for node in chain:
            if node not in numbers and len(numbers) < LISTED:
                numbers[node] = len(numbers)
        edges.update(dict.fromkeys(pairwise(chain)))
    thick = set(pairwise(critical))
    return {
        "nodes": [
            {"graph_id": metrics.node(i).graph_id, "node_id": metrics.node(i).node_id, "title": metrics.node(i).title,
             "state": _state(answer, i), "minutes": metrics.estimates.own[i]}
            for i in numbers
        ],
        "edges": [
            {"start": numbers[a], "end": numbers[b], "longest": (a, b) in thick}
            for a, b in edges if a in numbers and b in numbers
        ],
        "more": len({node for chain in chains for node in chain} - numbers.keys()),
        "longest_path": [metrics.node(i).name for i in critical[:LISTED]],
    }  # fmt: skip


def _state(answer: Answer, node: int) -> str:
    if any(p.node == node for p in answer.choice.picks):
        return "picked"
    return "held" if node in answer.choice.held else answer.metrics.readiness.state[node]
