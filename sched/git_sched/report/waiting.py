"""Why nodes wait: groups with one cause, and what would free the most when nothing can be picked."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from git_sched.decide.ready.reasons import Reason, reasons
from git_sched.decide.ready.stuck import ONLY_AN_EDIT
from git_sched.report.freed import freed
from git_sched.report.held_text import why_held

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.metrics import Survey
    from git_sched.decide.pipeline import Answer

GROUPS = 12
"""How many groups of waiting nodes a record names."""

NAMED = 4
"""How many nodes of a group, or of a list of dependencies, are named."""

LAST: Final = ONLY_AN_EDIT | {"running", "blocked_by_status", "deferred"}
"""States in which a node is the last thing others wait for."""

RING = 8
ROOTS = 5
COUNTED = 1_000
"""Descendants are counted exactly up to this number (rule F9)."""


def names(survey: Survey, nodes: tuple[int, ...]) -> str:
    """Name a few nodes and count the others."""
    shown = ", ".join(survey.node(i).name for i in nodes[:NAMED])
    return f"{shown} and {len(nodes) - NAMED} more" if len(nodes) > NAMED else shown


def say(survey: Survey, reason: Reason, *, plural: bool = False) -> str:
    """Say one reason in words that fit behind the node's name."""
    word = reason.fault if reason.fault in _SAYINGS else reason.kind
    one, many = _SAYINGS.get(word, ("is {kind}", "are {kind}"))
    ring = " -> ".join(survey.node(i).name for i in (*reason.nodes[:RING], *reason.nodes[:1])[:RING])
    return (many if plural else one).format(
        kind=reason.kind,
        nodes=names(survey, reason.nodes),
        ring=ring,
        text=reason.text or "not active",
        said=f": {reason.text}" if reason.text else "",
        whose=f" because {names(survey, reason.nodes)} is" if reason.nodes else "",
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
    "ambiguous_dependency": (
        "depends on {text}, which several tasks are called",
        "depend on {text}, which several tasks are called",
    ),
    "cancelled_dependency": ("depends on {nodes}, which is cancelled", "depend on {nodes}, which is cancelled"),
    "cycle": ("stands on a cycle: {ring}", "stand on a cycle: {ring}"),
    "blocked_by_status": ("is marked blocked{whose}{said}", "are marked blocked{whose}{said}"),
    "deferred": ("is deferred{whose} until {text}", "are deferred{whose} until {text}"),
    "unknown_status": ("has an unknown status, {text}", "have an unknown status, {text}"),
    "graph_inactive": ("belongs to a graph that is {text}", "belong to a graph that is {text}"),
}


def groups(answer: Answer) -> list[record.WaitingRecord]:
    """Group the blocked nodes by what they wait for, those nearest to being ready first."""
    survey = answer.survey
    ready_or_running = {i for i, s in enumerate(survey.readiness.state) if s in {"ready", "running"}}
    found: dict[Reason, tuple[Reason, list[int]]] = {}
    rest = 0
    for i, state in enumerate(survey.readiness.state):
        if not survey.network.is_open[i] or i in ready_or_running:
            continue
        if state == "waits_for" and len(found) >= GROUPS * 4:
            rest += 1
            continue
        reason = reasons(survey.readiness, i)[0]
        if reason.kind == "waits_for" and not ready_or_running.issuperset(reason.nodes):
            rest += 1
        else:
            # A ring is told from others by its first node; hashing all of it for each member would be quadratic.
            key = reason._replace(nodes=reason.nodes[:1]) if reason.kind == "cycle" else reason
            found.setdefault(key, (reason, []))[1].append(i)
    rows: list[record.WaitingRecord] = [
        {"nodes": [survey.node(i).name for i in nodes[:NAMED]], "more": max(0, len(nodes) - NAMED),
         "why": say(survey, reason, plural=len(nodes) > 1), "kind": reason.kind}
        for reason, nodes in list(found.values())[:GROUPS]
    ]  # fmt: skip
    rest += sum(len(nodes) for _, nodes in list(found.values())[GROUPS:])
    if rest:
        rows.append(
            {"nodes": [], "more": rest, "why": f"wait{'s' if rest == 1 else ''} for the tasks above", "kind": ""}
        )
    return rows


def roots(answer: Answer) -> list[record.RootRecord]:
    """Name what would free the most when nothing was picked: running and held nodes, and what must be edited."""
    survey, held = answer.survey, answer.choice.held
    network, state = survey.network, survey.readiness.state
    last = (i for i in range(len(network.nodes)) if network.is_open[i] and (i in held or state[i] in LAST))
    chosen = list(islice(last, COUNTED))
    rows: list[record.RootRecord] = []
    for i, (at_once, frees) in zip(chosen, freed(survey.readiness, chosen, limit=COUNTED), strict=True):
        node, kind = network.nodes[i], "held" if i in held else state[i]
        text = why_held(held[i]) if kind == "held" else ""
        if kind not in {"held", "running"}:
            text = say(survey, reasons(survey.readiness, i)[0])
        rows.append({"graph_id": node.graph_id, "node_id": node.node_id, "state": kind, "frees": frees,
                     "freed": [survey.node(d).name for d in at_once[:NAMED]], "text": text,
                     "path": network.graph_of[node.graph_id].path, "line": None})  # fmt: skip
    rows.sort(key=lambda row: -row["frees"])
    return rows[:ROOTS]


def free_at(answer: Answer) -> int | None:
    """Give the second at which the first time gate ends: a recent hand-out, or a deferral and nothing besides."""
    survey = answer.survey
    ends = [held.until for held in answer.choice.held.values()]
    ends += [_deferred_until(survey, i) for i, state in enumerate(survey.readiness.state) if state == "deferred"]
    return min((end for end in ends if end is not None), default=None)


def _deferred_until(survey: Survey, node: int) -> int | None:
    found = reasons(survey.readiness, node)
    asked = not survey.graph_ids or survey.node(node).graph_id in survey.graph_ids
    if len(found) > 1 or not asked:
        return None
    return survey.node((*found[0].nodes, node)[0]).deferred_until


def work_left(answer: Answer) -> tuple[float, float]:
    """Give the longest remaining path and the sum of the minutes of all open nodes."""
    survey = answer.survey
    is_open = [i for i in range(len(survey.network.nodes)) if survey.network.is_open[i]]
    longest = max((survey.passes.bottom[i] for i in is_open), default=0.0)
    return longest, sum(survey.estimates.minutes[i] for i in is_open)
