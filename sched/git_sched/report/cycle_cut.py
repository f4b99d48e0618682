"""Builds the way out where everything waits for a cycle: a dependency, and what dropping it frees, which is tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.pipeline import decide

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.graph import Graph, Node


def build_cut(answer: Answer) -> record.CutRecord | None:
    """Say how many tasks the first dependency of the first cycle frees; ``None`` where nothing is stuck behind one."""
    cycles = answer.metrics.readiness.cycles
    if answer.outcome != "stuck" or not cycles:
        return None
    task, needed = (answer.metrics.node(i) for i in (cycles[0][0], cycles[0][1 % len(cycles[0])]))
    graphs = tuple(_without(graph, task, needed) for graph in answer.inputs.graphs)
    then = decide(answer.inputs._replace(graphs=graphs), answer.request, graph_ids=answer.graph_ids)
    freed = _stuck(answer) - _stuck(then)
    return {"task": task.name, "dependency": needed.name, "frees": len(freed)} if freed else None


def _without(graph: Graph, task: Node, needed: Node) -> Graph:
    """Give a graph in which one task does not name another as its dependency."""
    names = {needed.name, needed.node_id} if needed.graph_id == task.graph_id else {needed.name}
    nodes = (
        node._replace(depends_on=tuple(text for text in node.depends_on if text not in names))
        if node.name == task.name
        else node
        for node in graph.nodes
    )
    return graph._replace(nodes=tuple(nodes))


def _stuck(answer: Answer) -> set[str]:
    nodes = answer.metrics.network.nodes
    return {nodes[i].name for i in answer.metrics.readiness.stuck if i < len(nodes)}
