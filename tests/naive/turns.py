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


def is_among_the_fewest(world: Plain, asked: list[str], repository: str | None) -> bool:
    """Say whether metagit would call a repository underrepresented: of those of the asked nodes, it has fewest rows.

    Every row of the log is one, skipped or repeated or not, but for those of this basis and those of tasks given back.
    """
    past = world["signals"].get("history", [])
    rows = [row.get("repository") for row in past if row.get("basis") != "this" and not row.get("released")]
    homes = [world["nodes"][name]["repository"] for name in asked]
    return repository is not None and rows.count(repository) == min(rows.count(h) for h in homes if h is not None)


def last_rows(world: Plain, node: Plain) -> list[Plain]:
    """Give the newest row of each agent that took a task or gave it back lately; rows later than now count as now."""
    after = world["policy"]["redispatch_after"]
    rows = world["signals"].get("history", [])
    if after is False or rows == "unreadable":
        return []
    newest: dict[str | None, Plain] = {}
    for row in rows:
        since = max(0, world["now"] - time_of(row.get("at", "2026-01-01")))
        is_hand_out = row.get("released") or (row.get("dispatched") and not row.get("skipped"))
        if row["node"] == node["name"] and is_hand_out and since < duration_of(after):
            newest[row.get("agent_id")] = row
    return list(newest.values())


def is_taken(world: Plain, node: Plain) -> bool:
    """Say whether somebody took a task lately and has not given it back."""
    return any(not row.get("released") for row in last_rows(world, node))


def is_held_for(world: Plain, node: Plain, agent: str | None) -> bool:
    """Say whether a task that was taken or given back lately is still kept from an agent."""
    return any(row_holds(row, node, agent) for row in last_rows(world, node))


def row_holds(row: Plain, node: Plain, agent: str | None) -> bool:
    """Say whether a row of history keeps a node from an agent.

    An agent's own row of this basis does not hold for it, nor does an older one where the node is assigned to it. Who
    gave a task back on this basis is not offered it again.
    """
    own, of_this = row.get("agent_id") == agent, row.get("basis") == "this"
    if row.get("released"):
        return own and of_this
    return not (own and (of_this or (agent is not None and node["agent_id"] == agent)))
