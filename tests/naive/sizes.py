"""How large a node is: one unit for the whole answer, minutes or the task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from naive.readiness import is_container, open_nodes
from naive.reading import once

if TYPE_CHECKING:
    from naive.reading import Plain


def lower_median(values: list[float]) -> float:
    """Give the lower one of the two middle values."""
    return sorted(values)[(len(values) - 1) // 2]


@once
def work(world: Plain) -> list[Plain]:
    """Give the open nodes that are no containers."""
    return [world["nodes"][name] for name in open_nodes(world) if not is_container(world, name)]


def own_size(world: Plain, node: Plain) -> float | None:
    """Give the size that somebody gave: minutes, else tokens at the pace of comparable nodes."""
    if node["estimated_minutes"] is not None:
        return float(node["estimated_minutes"])
    if node["estimated_tokens"]:
        return float(node["estimated_tokens"] / tokens_per_minute(world, node))
    return None


def tokens_per_minute(world: Plain, node: Plain) -> float:
    """Give the pace: of the repository, of the workspace, else the policy's."""
    both = [other for other in work(world) if other["estimated_minutes"] is not None and other["estimated_tokens"]]
    for known in (in_repository(both, node), both):
        if len(known) >= 3:
            return lower_median([other["estimated_tokens"] / other["estimated_minutes"] for other in known])
    return float(world["policy"]["tokens_per_minute"])


def in_repository(nodes: list[Plain], node: Plain) -> list[Plain]:
    """Give the nodes of a node's repository; there are none where it names no repository."""
    return [other for other in nodes if node["repository"] is not None and other["repository"] == node["repository"]]


@once
def unit(world: Plain) -> str:
    """Give the unit of the answer: minutes where at least half of the open nodes have a size of their own."""
    nodes = work(world)
    sized = [node for node in nodes if own_size(world, node) is not None]
    return "minutes" if nodes and 2 * len(sized) >= len(nodes) else "task"


def size(world: Plain, node: Plain) -> float:
    """Give the size that ratings use."""
    if is_container(world, node["name"]):
        return 0.0
    if unit(world) == "task":
        return 1.0
    own = own_size(world, node)
    if own is not None:
        return own
    known = [other for other in work(world) if other["estimated_minutes"] is not None]
    nearby = in_repository(known, node)
    if len(nearby) >= 3:
        return float(lower_median([other["estimated_minutes"] for other in nearby]))
    return float(lower_median([other["estimated_minutes"] for other in known])) if known else 1.0


def effective_tokens(node: Plain) -> int:
    """Give the tokens that cost, tie-break and budget use."""
    given: list[int | None] = [node["estimated_tokens"], node["context_budget"]]
    return next((tokens for tokens in given if tokens is not None), 1000)
