"""Reads the workspace of a question, for every operation, with the names of the factors that a policy can weigh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors import FACTOR_NAMES
from git_sched.workspace.gather import gather, observe_log

if TYPE_CHECKING:
    from git_sched.workspace.gather import Workspace
    from git_sched.workspace.question import Question


def read_workspace(question: Question) -> Workspace:
    """Read everything that an answer to this question is computed from."""
    return observe_log(read_files(question))


def read_files(question: Question) -> Workspace:
    """Read everything but the decisions log and the time: both are under its lock where the answer is written to it."""
    return gather(question, factors=FACTOR_NAMES)
