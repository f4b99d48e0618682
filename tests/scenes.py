"""A scene is all a decision is made from, as plain values: graphs, policy, signals, time and request.

Graphs are native ones; what only other trackers can say of a node or a graph stands under ``foreign`` (``parent``,
``deferred_until``, an unknown ``status``, ``numbered`` ids). A policy without ``version`` is a metagit ``policy.json``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from git_sched.decide.factors import FACTOR_NAMES
from git_sched.decide.pipeline import Answer, decide
from git_sched.formats import native, policy_file
from git_sched.formats.base import Parsed, Source
from git_sched.model.basis import Basis
from git_sched.model.blob import Blob
from git_sched.model.inputs import Inputs
from git_sched.model.request import Request
from git_sched.model.signals import History, HistoryRow, MergeQueue, Signals, Worktree, Worktrees
from git_sched.model.times import parse_time

if TYPE_CHECKING:
    from collections.abc import Mapping

Scene = dict[str, Any]


def read_graph(name: str, written: Mapping[str, Any] | str) -> Parsed:
    """Read a graph as its file would be read, then add what only foreign trackers can say. A text is the file."""
    if isinstance(written, str):
        return native.parse(Source("native", _path(name), (Blob(_path(name), written.encode()),)))
    nodes = [{key: value for key, value in row.items() if key != "foreign"} for row in written.get("nodes", [])]
    graph = {key: value for key, value in written.items() if key != "foreign"} | ({"nodes": nodes} if nodes else {})
    path = _path(name)
    parsed = native.parse(Source("native", path, (Blob(path, json.dumps(graph, indent=1).encode()),)))
    foreign = [row.get("foreign", {}) for row in written.get("nodes", [])]
    graphs = [
        found._replace(
            nodes=tuple(node._replace(**_foreign(foreign[node.number])) for node in found.nodes),
            broken=tuple(one._replace(parent=foreign[one.number].get("parent")) for one in found.broken),
            **written.get("foreign", {}),
        )
        for found in parsed.graphs
    ]
    return Parsed(tuple(graphs), parsed.problems)


def _path(name: str) -> str:
    return f".metagit/tasks/graphs/{name}.json"


def _foreign(said: Mapping[str, Any]) -> dict[str, Any]:
    return {key: parse_time(value) if key == "deferred_until" else value for key, value in said.items()}


def read_signals(said: Mapping[str, Any], basis: Basis) -> Signals:
    """Read signals; one that a scene does not name is unknown."""
    signals = Signals()
    if "worktrees" in said:
        rows = tuple(Worktree(*row) for row in said["worktrees"])
        complete = tuple(said["speaks_of"]) if "speaks_of" in said else None
        signals = signals._replace(worktrees=Worktrees(rows, known=True, source="the case", complete=complete))
    if "merge_queue" in said:
        depths = tuple(sorted(said["merge_queue"].items()))
        signals = signals._replace(merge_queue=MergeQueue(depths, known=True, source="the case"))
    if said.get("history") == "unreadable":
        signals = signals._replace(history=History(known=False, source="the case"))
    elif "history" in said:
        past = tuple(_history_row(n, row, basis) for n, row in enumerate(said["history"]))
        signals = signals._replace(history=History(past, known=True, source="the case"))
    return signals


def _history_row(number: int, said: Mapping[str, Any], basis: Basis) -> HistoryRow:
    others = {key: value for key, value in said.items() if key not in {"node", "at", "basis"}}
    graph_id, _, node_id = said["node"].partition("/")
    at = parse_time(said.get("at", "2026-01-01"))
    assert at is not None
    key = basis.key if said.get("basis") == "this" else "an older one"
    return HistoryRow(f"row {number}", graph_id, node_id, at, basis=key, **others)


def inputs_of(scene: Scene) -> Inputs:
    """Read all that a decision is made from."""
    names = scene.get("files", [str(number) for number in range(len(scene["graphs"]))])
    parsed = [read_graph(name, graph) for name, graph in zip(names, scene["graphs"], strict=True)]
    written = scene.get("policy", {"version": 1})
    file = "policy.yml" if "version" in written else "policy.json"
    policy = policy_file.parse(Blob(f".metagit/schedule/{file}", json.dumps(written).encode()), factors=FACTOR_NAMES)
    now = parse_time(scene.get("now", "2026-01-01"))
    clock = parse_time(scene["clock"]) if "clock" in scene else now
    assert now is not None
    assert clock is not None
    inputs = tuple((_path(name), "0" * 40) for name in names)
    basis = Basis(inputs=inputs, now=now, now_source="commit", clock=clock)
    return Inputs(
        tuple(graph for one in parsed for graph in one.graphs),
        policy.policy,
        read_signals(scene.get("signals", {}), basis),
        basis,
        (*policy.problems, *(problem for one in parsed for problem in one.problems)),
    )


def answer_to(scene: Scene, **asked: object) -> Answer:
    """Decide what a scene asks; single parts of its request may be asked otherwise."""
    wanted = {**scene.get("request", {}), **asked}
    graph_ids = tuple(wanted.pop("graph_ids", ()))
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in wanted.items()}
    return decide(inputs_of(scene), Request(**values), graph_ids=graph_ids)
