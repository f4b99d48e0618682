"""Finished work: finished tasks that no open task waits for, whose problems have no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.graph import FINISHED, climb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.decide.dependency_graph import DependencyGraph
    from git_sched.model.problems import Problem


def find_finished_work(network: DependencyGraph) -> frozenset[int]:
    """Find the nodes that are finished and that no open node depends on, as a part or otherwise."""
    finished = {i for i, node in enumerate(network.nodes) if node.status in FINISHED}
    waiting = (needs for needs, is_open in zip(network.needs, network.is_open, strict=True) if is_open)
    return frozenset(finished.difference(*waiting))


def split_problems(
    problems: Sequence[Problem], network: DependencyGraph
) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Split problems into those to report and those that are only about finished work; the order stays.

    A problem names its nodes by their numbers in its source: the graph whose path is the problem's, or a folder above.
    """
    if not any(problem.numbers for problem in problems):
        return tuple(problems), ()
    nodes = (network.nodes[i] for i in find_finished_work(network))
    known = {(network.graph_of[node.graph_id].path, node.number) for node in nodes}
    parts: tuple[list[Problem], list[Problem]] = ([], [])
    for problem in problems:
        parts[_is_about(problem, known)].append(problem)
    return tuple(parts[0]), tuple(parts[1])


def _is_about(problem: Problem, known: set[tuple[str, int]]) -> bool:
    return bool(problem.numbers) and all(
        any((path, number) in known for path in climb(problem.path)) for number in problem.numbers
    )
