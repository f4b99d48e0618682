"""What a factor is: one reason to prefer a node, rated from the survey."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched.survey import Standing, Survey

    Rater = Callable[[int, Standing], float]


def always_known(survey: Survey, node: int, standing: Standing) -> bool:  # noqa: ARG001 - the signature is Factor.known
    """Say that a factor rests on no signal."""
    return True


class Scale(NamedTuple):
    """What ratings are measured against: in words, and the ready node it comes from, if one."""

    text: str
    node: int | None


class Factor(NamedTuple):
    """One reason to prefer a node.

    ``rater`` prepares a survey once (finding its normaliser) and gives a function from a node and its standing to a
    rating in 0..1. ``why`` says in one phrase where a rating comes from. ``known`` is false where the rating rests
    on a signal that is unknown. ``moves`` says that the rating changes from pick to pick. ``scale`` tells the
    normaliser, for those factors that have one.
    """

    name: str
    summary: str
    rater: Callable[[Survey], Rater]
    why: Callable[[Survey, int, Standing], str]
    known: Callable[[Survey, int, Standing], bool] = always_known
    moves: bool = False
    scale: Callable[[Survey], Scale | None] | None = None


def share(part: float, whole: float) -> float:
    """Give part / whole clipped to 0..1, where 0/0 is 0."""
    if whole == 0:
        return 0.0
    return min(1.0, max(0.0, part / whole))
