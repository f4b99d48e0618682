"""What was given out before: whose turn it was, and what is still held for somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from naive.reading import duration_of, time_of

if TYPE_CHECKING:
    from naive.reading import Plain

Turn = tuple[str, str | None]
"""A node's name and its repository."""


def past_turns(world: Plain) -> list[Turn] | None:
    """Give the turns that count for fairness, oldest first; None where nobody could read them."""
    rows = world["signals"].get("history", [])
    if rows == "unreadable":
        return None
    rows = [row for row in rows if not row.get("skipped") and row.get("basis") != "this"]
    if any(row.get("dispatched") for row in rows):
        rows = [row for row in rows if row.get("dispatched")]
    return [(row["node"], row.get("repository")) for row in rows]


def recent_repositories(world: Plain, picks: list[Turn]) -> list[str | None] | None:
    """Give the repositories of the last turns, those of this answer included; one turn, the newest, of each node."""
    past = past_turns(world)
    if past is None:
        return None
    newest: dict[str, str | None] = {}
    for name, repository in [*past, *picks]:
        newest.pop(name, None)
        newest[name] = repository
    return list(newest.values())[-world["policy"]["fairness_window"] :]


def share_of_turns(turns: list[str | None], repository: str) -> float:
    """Give the share of a repository among some turns."""
    return turns.count(repository) / len(turns) if turns else 0.0


def is_held_for(world: Plain, node: Plain, agent: str | None) -> bool:
    """Say whether a task that was given out lately is still kept from an agent."""
    after = world["policy"]["redispatch_after"]
    if after is None:
        return False
    return any(row_holds(world, row, node, agent) for row in world["signals"].get("history", []))


def row_holds(world: Plain, row: Plain, node: Plain, agent: str | None) -> bool:
    """Say whether a row of history keeps a node from an agent.

    Rows that were never given out hold nothing, nor do old ones; rows later than now count as now. An agent's own row
    of this basis does not hold for it, nor does an older one where the node is assigned to it.
    """
    if row["node"] != node["name"] or not row.get("dispatched") or row.get("skipped"):
        return False
    since = max(0, world["now"] - time_of(row.get("at", "2026-01-01")))
    if since >= duration_of(world["policy"]["redispatch_after"]):
        return False
    own = row.get("agent_id") == agent
    return not (own and (row.get("basis") == "this" or (agent is not None and node["agent_id"] == agent)))
