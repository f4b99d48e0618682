"""The view as a Mermaid flowchart: nodes n1, n2, ..., safe characters in labels, thick arrows on the longest path."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import format_amount

if TYPE_CHECKING:
    from git_sched import record

CHARACTERS: Final = 50_000
"""What GitHub draws at most."""

EDGES: Final = 200
NODES: Final = 200
LABEL: Final = 80

_CLASSES: Final = {"picked": "pick", "ready": "ready"}
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_./ -]")


def render(found: record.DecisionsRecord) -> str:
    """Render the view of a decision record; empty where it would be too large to be drawn."""
    return draw(found["view"])


def draw(view: record.ViewRecord) -> str:
    """Draw a view."""
    nodes = view["nodes"][:NODES]
    edges = [e for e in view["edges"] if 0 <= e["start"] < len(nodes) and 0 <= e["end"] < len(nodes)][:EDGES]
    if not nodes:
        return ""
    said: set[int] = set()
    lines: list[str] = []
    begins = {e["start"] for e in edges} | {e["end"] for e in edges}
    lone = [i for i in range(len(nodes)) if i not in begins]
    at: int | None = None
    for edge in edges:
        while lone and lone[0] < edge["start"]:
            lines.append(_say(nodes, lone.pop(0), said))
            at = None
        arrow = "==>" if edge["longest"] else "-->"
        if at != edge["start"]:
            lines.append(_say(nodes, edge["start"], said))
        lines[-1] += f" {arrow} {_say(nodes, edge['end'], said)}"
        at = edge["end"]
    lines += [_say(nodes, i, said) for i in lone]
    text = "\n".join(
        [
            "flowchart LR",
            *(f"  {line}" for line in lines),
            "  classDef pick stroke-width:3px",
            "  classDef ready stroke-dasharray:0",
        ]
    )
    return f"{text}\n" if len(text) < CHARACTERS else ""


def _say(nodes: list[record.ViewNodeRecord], i: int, said: set[int]) -> str:
    """Give a node by its number, with its label where it is named for the first time."""
    if i in said:
        return f"n{i + 1}"
    said.add(i)
    node = nodes[i]
    label = _UNSAFE.sub("", f"{node['graph_id']}/{node['node_id']}")[:LABEL]
    about = "about " if node["minutes_filled"] else ""
    minutes = _UNSAFE.sub("", format_amount(node["minutes"]))[:LABEL]
    kind = _CLASSES.get(node["state"])
    return f'n{i + 1}["{label}<br/>{about}{minutes} min"]{f":::{kind}" if kind else ""}'
