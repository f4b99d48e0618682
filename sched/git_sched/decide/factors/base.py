"""The type of a factor: one reason to prefer a node, rated from the metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched.decide.metrics import Metrics
    from git_sched.model.phrases import Clause
    from git_sched.model.request import PickContext, Ranked


def always(node: int, context: PickContext) -> bool:  # noqa: ARG001 - the signature is Prepared.known
    """Return that a rating is known: it depends on no signal."""
    return True


class Scale(NamedTuple):
    """The largest value that ratings are divided by: in words, and the ready node that has it."""

    text: str
    node: int


class Pair(NamedTuple):
    """A pick, and the best node that was left for the same agent."""

    pick: Ranked
    rival: Ranked


class Prepared(NamedTuple):
    """A factor prepared for one answer: its normalizer is computed, so that each rating after that is cheap.

    ``rate`` returns the rating of a ready node, 0 to 1 (for ``priority`` any integer). ``why`` explains it in a phrase.
    ``clause`` says in plain words why this factor prefers a pick to its rival, or ``None`` where no words fit; it is
    called only where the factor does. ``known`` is false where it depends on a signal that is unknown. ``scale`` is the
    normalizer, if there is one.
    """

    rate: Callable[[int, PickContext], float]
    why: Callable[[int, PickContext], str]
    clause: Callable[[Pair], Clause | None]
    known: Callable[[int, PickContext], bool] = always
    scale: Scale | None = None


class Factor(NamedTuple):
    """One reason to prefer a node. ``moves`` means that its ratings change from pick to pick."""

    name: str
    summary: str
    prepare: Callable[[Metrics], Prepared]
    moves: bool = False


def share(part: float, whole: float) -> float:
    """Divide, clipped to 0..1; 0/0 is 0."""
    if whole == 0:
        return 0.0
    return min(1.0, max(0.0, part / whole))
