"""What is asked for and what was chosen, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched.decide.metrics import Standing
    from git_sched.decide.pick.gates import Held


class Request(NamedTuple):
    """What is asked for: how many nodes, and for which agents.

    ``tracked`` are the files of the workspace's own repository, read only where a node has ``paths``. ``graphs`` are
    task files named outright, ``assumed_done`` the names of nodes that the inputs hold as completed for a what-if:
    both are said in the record and change nothing here. ``lookahead`` is the number of plans to play through, the
    policy's where it is ``None``.
    """

    limit: int = 1
    agents: tuple[str, ...] = ()
    own_repository: str | None = None
    tracked: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()
    assumed_done: tuple[str, ...] = ()
    lookahead: int | None = None


class Ranked(NamedTuple):
    """A ready node with its score and standing."""

    node: int
    score: int
    standing: Standing


class Choice(NamedTuple):
    """The outcome of picking: ``ranking`` is the order before the first pick, held nodes included."""

    ranking: tuple[Ranked, ...]
    picks: tuple[Ranked, ...]
    skipped: tuple[Ranked, ...]
    held: Mapping[int, Held]
