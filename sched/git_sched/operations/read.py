"""Reads the workspace of a question, for every operation, with the names of the factors that a policy can weigh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors import FACTOR_NAMES
from git_sched.workspace.gather import gather

if TYPE_CHECKING:
    from git_sched.workspace.gather import Workspace
    from git_sched.workspace.question import Question


def read_workspace(question: Question) -> Workspace:
    """Read everything that an answer to this question is computed from."""
    return gather(question, factors=FACTOR_NAMES)
