"""Finds the tasks that must all end before a held one is free again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.pipeline import decide
from git_sched.decide.what_if import assume_done

if TYPE_CHECKING:
    from git_sched.decide.pipeline import Answer


def find_enders(answer: Answer, node: int) -> list[str]:
    """Name the tasks that fill the gate of a held node; empty where a trial shows that it is held after their end."""
    held = answer.choice.held[node]
    if held.gate not in {"collision", "limits", "budget"}:
        return []
    graphs, _ = assume_done(answer.inputs.graphs, held.by)
    then = decide(answer.inputs._replace(graphs=graphs), answer.request, graph_ids=answer.graph_ids)
    name = answer.metrics.node(node).name
    return [] if any(then.metrics.node(i).name == name for i in then.choice.held) else list(held.by)
