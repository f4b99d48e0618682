"""What a move changed: which tasks it finished and which it freed, and how many errors it brought."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from git_sched.pipeline import Answer


class Change(NamedTuple):
    """The full names of the nodes that a move finished and freed, and the number of errors it added."""

    finished: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()
    errors: int = 0


class _Standing(NamedTuple):
    """The full names of nodes that are open, ready and completed."""

    open: frozenset[str]
    ready: frozenset[str]
    completed: tuple[str, ...]
    every: frozenset[str]


def compare(before: Answer, after: Answer) -> Change:
    """Say what happened from one answer to the next.

    Finished is what was open and is completed now; freed what was there, not ready, and is ready now.
    """
    was, now = _standing(before), _standing(after)
    return Change(
        tuple(name for name in now.completed if name in was.open),
        tuple(sorted((now.ready - was.ready) & was.every)),
        max(0, _errors(after) - _errors(before)),
    )


def _standing(answer: Answer) -> _Standing:
    network, readiness = answer.survey.network, answer.survey.readiness
    names = [f"{node.graph_id}/{node.node_id}" for node in network.nodes]
    return _Standing(
        frozenset(name for i, name in enumerate(names) if network.is_open[i]),
        frozenset(names[i] for i in readiness.ready),
        tuple(name for name, state in zip(names, readiness.state, strict=True) if state == "completed"),
        frozenset(names),
    )


def _errors(answer: Answer) -> int:
    return sum(problem.severity == "error" for problem in answer.problems)
