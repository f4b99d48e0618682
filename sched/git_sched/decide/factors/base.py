"""What a factor is: one reason to prefer a node, rated from the metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause
    from git_sched.model.request import PickContext, Ranked


def always(node: int, context: PickContext) -> bool:  # noqa: ARG001 - the signature is Prepared.known
    """Say that a rating depends on no signal."""
    return True


class Scale(NamedTuple):
    """What ratings are measured against: in words, and the ready node it comes from."""

    text: str
    node: int


class Pair(NamedTuple):
    """A pick beside the best node that was left for the same agent."""

    pick: Ranked
    rival: Ranked


def no_clause(pair: Pair) -> Clause | None:  # noqa: ARG001 - the signature is Prepared.clause
    """Say nothing: the factor has no plain words for what it prefers."""
    return None


class Prepared(NamedTuple):
    """A factor prepared for the metrics of one answer: its normalizer is found, every question after that is cheap.

    ``rate`` gives the rating of a ready node in 0..1. ``why`` says in one phrase where it comes from. ``known`` is
    false where it depends on a signal that is unknown. ``scale`` tells the normalizer, if there is one. ``clause`` says
    in plain words why this factor prefers a pick to its rival; it is asked only where the factor does.
    """

    rate: Callable[[int, PickContext], float]
    why: Callable[[int, PickContext], str]
    known: Callable[[int, PickContext], bool] = always
    scale: Scale | None = None
    clause: Callable[[Pair], Clause | None] = no_clause


class Factor(NamedTuple):
    """One reason to prefer a node. ``moves`` says that its ratings change from pick to pick."""

    name: str
    summary: str
    prepare: Callable[[Metrics], Prepared]
    moves: bool = False


def share(part: float, whole: float) -> float:
    """Give part / whole clipped to 0..1, where 0/0 is 0."""
    if whole == 0:
        return 0.0
    return min(1.0, max(0.0, part / whole))
