"""Requests and choices: how many tasks for which agents, and what was picked, ranked and held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Gate = Literal["limits", "assigned_to", "redispatch", "collision", "budget", "merge_pressure"]
"""What can keep a ready node back."""


class Request(NamedTuple):
    """A request: how many nodes, and for which agents.

    ``tracked`` are the files of the workspace's own repository, read only where a node has ``paths``. ``graphs`` are
    task files named with ``--graph``; ``assumed_done`` are the names of nodes that the inputs hold as completed for a
    what-if. Both are copied to the record and change nothing here. ``lookahead`` is the number of alternative plans to
    try; ``None`` means the policy's.
    """

    limit: int = 1
    agents: tuple[str, ...] = ()
    own_repository: str | None = None
    tracked: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()
    assumed_done: tuple[str, ...] = ()
    lookahead: int | None = None


class PickContext(NamedTuple):
    """What changes from pick to pick: who would get the node, and how often each repository had a turn.

    ``agent_id`` is ``None`` for an unnamed agent. ``warm`` means that the agent has the node's repository checked out
    or works in it. ``turns`` counts the recent decisions of each repository.
    """

    agent_id: str | None
    warm: bool
    turns: Mapping[str | None, int]


class Held(NamedTuple):
    """Why a ready node is kept back.

    ``limit`` names the policy's setting and ``value`` is its value. ``by`` are the names of all nodes, agents or
    repositories that fill it, ``at`` is a file that both would change, ``until`` the second at which a hold ends.
    ``returned`` means that the agents in ``by`` gave the node back themselves.
    """

    gate: Gate
    limit: str = ""
    value: float = 0
    by: tuple[str, ...] = ()
    at: str = ""
    until: int | None = None
    returned: bool = False


class Ranked(NamedTuple):
    """A ready node with its score and context."""

    node: int
    score: int
    context: PickContext


class Choice(NamedTuple):
    """The outcome of picking.

    ``ranking`` is the order before the first pick, held nodes included. ``runners_up`` are, for each pick, the best
    node that was left for the same agent, with its score for that agent at that pick, or ``None``. ``taken`` means that
    somebody chose the pick, so that it was compared with no other.
    """

    ranking: tuple[Ranked, ...]
    picks: tuple[Ranked, ...]
    skipped: tuple[Ranked, ...]
    held: Mapping[int, Held]
    runners_up: tuple[Ranked | None, ...] = ()
    taken: bool = False
