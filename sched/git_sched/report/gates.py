"""Explains gates in words: why a ready task is held, and which tasks must end before it is free again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.decide.pipeline import decide
from git_sched.decide.what_if import assume_done
from git_sched.model.phrases import count
from git_sched.model.times import format_time

if TYPE_CHECKING:
    from collections.abc import Collection

    from git_sched.decide.metrics import Metrics
    from git_sched.decide.pipeline import Answer
    from git_sched.model.request import Held

NAMED: Final = 3
"""Number of tasks, agents or repositories that fill a gate and are named; the others are counted."""


def explain_gate(metrics: Metrics, held: Held, *, picked: Collection[int] = ()) -> str:
    """Explain in one phrase why a node is held; ``picked`` are the nodes that the answer picks."""
    by = _name_fillers(metrics, held)
    match held.gate:
        case "collision":
            return f"same files as {_name_colliders(metrics, held, picked)}"
        case "assigned_to":
            return f"assigned to {by}"
        case "redispatch":
            until = f"until {format_time(held.until)}" if held.until is not None else ""
            if held.returned:
                return f"{by} gave it back; only others can get it {until}"
            return f"taken by {by}; held {until}"
        case "merge_pressure":
            depth = metrics.signals.merge_queue.depth(held.by[0])
            return f"{count(depth, 'merge')} queued for {held.by[0]}, threshold {held.value:.15g}"
        case "budget":
            return f"limits.tokens is {held.value:.15g}; taken by {by or 'nothing yet, it needs more alone'}"
        case _:
            taken = f"; taken by {by}" if by else ""
            return f"limits.{held.limit} is {held.value:.15g}{taken}"


def _find_node(metrics: Metrics, name: str) -> int | None:
    graph_id, _, node_id = name.partition("/")
    return metrics.network.number_of.get((graph_id, node_id))


def _name_fillers(metrics: Metrics, held: Held) -> str:
    """Name what fills a gate; tasks are named as in all texts of this answer."""
    numbers = [(name, _find_node(metrics, name)) for name in held.by[:NAMED]]
    names = ", ".join(name if node is None else metrics.label(node) for name, node in numbers)
    return f"{names} and {len(held.by) - NAMED} more" if len(held.by) > NAMED else names


def _name_colliders(metrics: Metrics, held: Held, picked: Collection[int]) -> str:
    """Name the tasks that collide with a node: first the running ones, then those taken before, then those picked."""
    nodes = {name: _find_node(metrics, name) for name in held.by}
    running = [name for name, i in nodes.items() if i is not None and metrics.readiness.state[i] == "running"]
    chosen = [name for name, i in nodes.items() if i in picked]
    taken = [name for name in held.by if name not in {*running, *chosen}]
    return ", and ".join(
        f"{_name_fillers(metrics, held._replace(by=tuple(names)))}, which {'is' if len(names) == 1 else 'are'} {state}"
        for names, state in ((running, "running"), (taken, "taken"), (chosen, "picked"))
        if names
    )


def find_enders(answer: Answer, node: int) -> list[str]:
    """Name the tasks that fill the gate of a held node; empty where a trial shows that it is held after their end."""
    held = answer.choice.held[node]
    if held.gate not in {"collision", "limits", "budget"}:
        return []
    graphs, _ = assume_done(answer.inputs.graphs, held.by)
    then = decide(answer.inputs._replace(graphs=graphs), answer.request, graph_ids=answer.graph_ids)
    name = answer.metrics.node(node).name
    return [] if any(then.metrics.node(i).name == name for i in then.choice.held) else list(held.by)
