"""Explains why nodes wait: groups with one cause, and what would free the most where nothing can be picked."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from git_sched.decide.ready import ONLY_AN_EDIT
from git_sched.decide.ready.reasons import FirstReasons, Reason, reasons
from git_sched.model.phrases import write_cycle
from git_sched.report.freed_tasks import find_freed
from git_sched.report.gates import explain_gate
from git_sched.report.task import locate_tasks

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.metrics import Metrics
    from git_sched.decide.pipeline import Answer

GROUPS = 12
"""Number of groups of waiting nodes in a record."""

NAMED = 4
"""Number of nodes of a group, or of a list of dependencies, that are named."""

LAST: Final = ONLY_AN_EDIT | {"running", "blocked_by_status", "deferred"}
"""States of nodes at the end of a chain of waiting: they do not wait for other nodes themselves."""

ROOTS = 5
COUNTED = 1_000
"""Descendants are counted exactly up to this number."""


def name_nodes(metrics: Metrics, nodes: tuple[int, ...]) -> str:
    """Name a few nodes and count the others."""
    shown = ", ".join(map(metrics.label, nodes[:NAMED]))
    return f"{shown} and {len(nodes) - NAMED} more" if len(nodes) > NAMED else shown


def explain_reason(metrics: Metrics, reason: Reason, *, plural: bool = False) -> str:
    """Explain one reason in words that fit after the node's name."""
    word = reason.fault if reason.fault in _SAYINGS else reason.kind
    one, many = _SAYINGS.get(word, ("is {kind}", "are {kind}"))
    cycle = write_cycle(reason.nodes, metrics.label) if reason.kind == "cycle" else ""
    return (many if plural else one).format(
        kind=reason.kind,
        nodes=name_nodes(metrics, reason.nodes),
        cycle=cycle,
        text=reason.text or "not active",
        said=f": {reason.text}" if reason.text else "",
        whose=f" because {name_nodes(metrics, reason.nodes)} is" if reason.nodes else "",
    )


_SAYINGS: dict[str, tuple[str, str]] = {
    "waits_for": ("waits for {nodes}", "wait for {nodes}"),
    "container": ("waits for its parts: {nodes}", "wait for their parts: {nodes}"),
    "unknown_dependency": (
        "depends on a task that does not exist: {text}",
        "depend on a task that does not exist: {text}",
    ),
    "elsewhere": ("depends on {text}, which only another graph has", "depend on {text}, which only another graph has"),
    "in-error": ("depends on {text}, which is in error", "depend on {text}, which is in error"),
    "whole-in-error": (
        "waits: the task it is part of is in error: {text}",
        "wait: the task they are part of is in error: {text}",
    ),
    "part-in-error": ("waits: a part of it is in error: {text}", "wait: a part of them is in error: {text}"),
    "unread": (
        "waits: a file that may hold parts of it cannot be read: {text}",
        "wait: a file that may hold parts of them cannot be read: {text}",
    ),
    "ambiguous_dependency": (
        "depends on {text}, which several tasks are called",
        "depend on {text}, which several tasks are called",
    ),
    "cancelled_dependency": ("depends on {nodes}, which is cancelled", "depend on {nodes}, which is cancelled"),
    "cycle": ("is on a cycle: {cycle}", "are on a cycle: {cycle}"),
    "blocked_by_status": ("is marked blocked{whose}{said}", "are marked blocked{whose}{said}"),
    "deferred": ("is deferred{whose} until {text}", "are deferred{whose} until {text}"),
    "unknown_status": ("has an unknown status, {text}", "have an unknown status, {text}"),
    "graph_inactive": ("belongs to a graph that is {text}", "belong to a graph that is {text}"),
}


_ON_OTHERS: Final = frozenset({"waits_for", "container"})
"""Reasons that are other tasks."""


def group_waiting(answer: Answer) -> list[record.WaitingRecord]:
    """Group the blocked nodes by what they wait for, those nearest to being ready first."""
    metrics = answer.metrics
    found, rest = _group(metrics)
    rows: list[record.WaitingRecord] = [
        {"nodes": [metrics.node(i).name for i in nodes[:NAMED]],
         "titles": [metrics.node(i).title for i in nodes[:NAMED]], "more": max(0, len(nodes) - NAMED),
         "why": explain_reason(metrics, reason, plural=len(nodes) > 1),
         "waits_for": [metrics.node(i).name for i in reason.nodes[:NAMED]] if reason.kind in _ON_OTHERS else [],
         "kind": reason.kind}
        for reason, nodes in found[:GROUPS]
    ]  # fmt: skip
    rest += sum(len(nodes) for _, nodes in found[GROUPS:])
    if rest:
        rows.append(
            {
                "nodes": [],
                "titles": [],
                "more": rest,
                "why": f"wait{'s' if rest == 1 else ''} for the tasks above",
                "waits_for": [],
                "kind": "",
            }
        )
    return rows


def _group(metrics: Metrics) -> tuple[list[tuple[Reason, list[int]]], int]:
    """Group the blocked nodes by reason, and count those that wait for nodes that wait themselves."""
    ready_or_running = {i for i, s in enumerate(metrics.readiness.state) if s in {"ready", "running"}}
    first = FirstReasons(metrics.readiness)
    groups: dict[Reason, tuple[Reason, list[int]]] = {}
    group_of: dict[int, tuple[Reason, list[int] | None]] = {}  # by identity: to hash a long reason takes long
    rest = 0
    for i, state in enumerate(metrics.readiness.state):
        if not metrics.network.is_open[i] or i in ready_or_running:
            continue
        if state == "waits_for" and len(groups) >= GROUPS * 4:
            rest += 1
            continue
        reason = first(i)
        if id(reason) not in group_of:
            is_near = reason.kind != "waits_for" or ready_or_running.issuperset(reason.nodes)
            key = reason._replace(nodes=reason.nodes[:1]) if reason.kind == "cycle" else reason  # all are of one cycle
            group_of[id(reason)] = (reason, groups.setdefault(key, (reason, []))[1] if is_near else None)
        group = group_of[id(reason)][1]
        if group is None:
            rest += 1
        else:
            group.append(i)
    return list(groups.values()), rest


def find_roots(answer: Answer) -> list[record.RootRecord]:
    """Find what would free the most where nothing was picked: running and held nodes, and what must be edited."""
    metrics, held = answer.metrics, answer.choice.held
    network, state = metrics.network, metrics.readiness.state
    last = (
        i
        for i in range(len(network.nodes))
        if network.is_open[i] and (i in held or state[i] in LAST or i in network.part_faults)
    )
    chosen = list(islice(last, COUNTED))
    first = FirstReasons(metrics.readiness)
    rows: list[record.RootRecord] = []
    for i, (at_once, frees) in zip(chosen, find_freed(metrics.readiness, chosen, limit=COUNTED), strict=True):
        node, kind = network.nodes[i], "held" if i in held else state[i]
        text = explain_gate(metrics, held[i]) if kind == "held" else ""
        if kind not in {"held", "running"}:
            text = explain_reason(metrics, first(i))
        rows.append({"graph_id": node.graph_id, "node_id": node.node_id, "title": node.title, "state": kind,
                     "frees": frees, "freed": [metrics.node(d).name for d in at_once[:NAMED]], "text": text,
                     "path": "", "line": None})  # fmt: skip
    best = sorted(zip(rows, chosen, strict=True), key=lambda row: -row[0]["frees"])[:ROOTS]
    places = locate_tasks(metrics, [i for _, i in best])
    return [{**row, "path": places[i].path, "line": places[i].line} for row, i in best]


def find_free_time(answer: Answer) -> int | None:
    """Return the second, since 1970, at which the first recent dispatch, or deferral without other reasons, ends."""
    metrics = answer.metrics
    ends = [held.until for held in answer.choice.held.values()]
    ends += [_deferred_until(metrics, i) for i, state in enumerate(metrics.readiness.state) if state == "deferred"]
    return min((end for end in ends if end is not None), default=None)


def _deferred_until(metrics: Metrics, node: int) -> int | None:
    found = reasons(metrics.readiness, node)
    asked = not metrics.graph_ids or metrics.node(node).graph_id in metrics.graph_ids
    if len(found) > 1 or not asked:
        return None
    return metrics.node((*found[0].nodes, node)[0]).deferred_until
