"""Renders the view as a Mermaid flowchart, with safe characters in labels and thick arrows on the longest path."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import format_duration

if TYPE_CHECKING:
    from git_sched import record

CHARACTERS: Final = 50_000
"""The largest number of characters of a drawing that GitHub accepts."""

EDGES: Final = 200
NODES: Final = 200
LABEL: Final = 80

ACROSS: Final = 5
"""The largest number of nodes beside each other that can be read in the width of a job summary."""

_CLASSES: Final = {"picked": "pick", "ready": "ready"}
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_./ -]")


def render(found: record.DecisionsRecord) -> str:
    """Render the view of a decision record; empty where it would be too large to be drawn."""
    return draw(found["view"], direction=choose_direction(found["view"]) or "LR")


def choose_direction(view: record.ViewRecord) -> str:
    """Choose the direction in which at most five nodes are beside each other, ``LR`` or ``TB``; empty if neither is."""
    levels = [0] * len(view["nodes"])
    for _ in levels[:NODES]:
        for edge in _edges(view):
            levels[edge["end"]] = max(levels[edge["end"]], min(levels[edge["start"]] + 1, NODES))
    if max(levels, default=0) < ACROSS:
        return "LR"
    return "TB" if max(Counter(levels).values()) <= ACROSS else ""


def _edges(view: record.ViewRecord) -> list[record.ViewEdgeRecord]:
    """Return the edges between nodes that are drawn."""
    size = min(len(view["nodes"]), NODES)
    return [e for e in view["edges"] if 0 <= e["start"] < size and 0 <= e["end"] < size][:EDGES]


def draw(view: record.ViewRecord, *, direction: str) -> str:
    """Draw a view from left to right (``LR``) or from top to bottom (``TB``)."""
    nodes, edges = view["nodes"][:NODES], _edges(view)
    if not nodes:
        return ""
    named: set[int] = set()
    lines: list[str] = []
    begins = {e["start"] for e in edges} | {e["end"] for e in edges}
    lone = [i for i in range(len(nodes)) if i not in begins]
    at: int | None = None
    for edge in edges:
        while lone and lone[0] < edge["start"]:
            lines.append(_node(nodes, lone.pop(0), named))
            at = None
        arrow = "==>" if edge["longest"] else "-->"
        if at != edge["start"]:
            lines.append(_node(nodes, edge["start"], named))
        lines[-1] += f" {arrow} {_node(nodes, edge['end'], named)}"
        at = edge["end"]
    lines += [_node(nodes, i, named) for i in lone]
    text = "\n".join(
        [
            f"flowchart {direction}",
            *(f"  {line}" for line in lines),
            "  classDef pick stroke-width:3px",
            "  classDef ready stroke-dasharray:0",
        ]
    )
    return f"{text}\n" if len(text) < CHARACTERS else ""


def _node(nodes: list[record.ViewNodeRecord], i: int, named: set[int]) -> str:
    """Write a node by its number, with its label where it is named for the first time."""
    if i in named:
        return f"n{i + 1}"
    named.add(i)
    node = nodes[i]
    label = _UNSAFE.sub("", f"{node['graph_id']}/{node['node_id']}")[:LABEL]
    size = "" if node["minutes"] is None else f"<br/>{_UNSAFE.sub('', format_duration(node['minutes']))[:LABEL]}"
    kind = _CLASSES.get(node["state"])
    return f'n{i + 1}["{label}{size}"]{f":::{kind}" if kind else ""}'
