"""Inputs: everything an answer is computed from, as one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from git_sched.model.basis import Basis
    from git_sched.model.graph import Graph
    from git_sched.model.policy import Policy
    from git_sched.model.problems import Problem
    from git_sched.model.signals import Signals


class Inputs(NamedTuple):
    """Everything an answer is computed from. ``policy`` is ``None`` where it cannot be trusted.

    ``looked_for`` are the places where task files are looked for; an answer names them where there are none.
    """

    graphs: tuple[Graph, ...]
    policy: Policy | None
    signals: Signals
    basis: Basis
    problems: tuple[Problem, ...] = ()
    looked_for: tuple[str, ...] = ()
