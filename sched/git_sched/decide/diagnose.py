"""Finds what is wrong between nodes (unresolved dependencies, cycles, contradictions), with the place in the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.finished_work import find_finished_work
from git_sched.decide.ready import ONLY_AN_EDIT
from git_sched.decide.ready.reasons import reasons
from git_sched.model.graph import FINISHED, Place, Spot
from git_sched.model.ids import nearest
from git_sched.model.phrases import write_cycle
from git_sched.model.problems import Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_sched.decide.dependency_graph import DependencyGraph, Fault
    from git_sched.decide.ready.readiness import Readiness
    from git_sched.model.graph import Graph
    from git_sched.model.policy import Policy

COMPARISONS = 50_000
"""Number of names that are compared, in all, to find those that were probably meant."""

FIRST_FEW = 5
"""Number of nodes of one kind of contradiction that are named; the others are counted."""


class _Finding(NamedTuple):
    """A problem that still needs its place: a spot in a graph's source."""

    graph: Graph
    spot: Spot
    severity: Severity
    code: str
    message: str
    hint: str = ""
    others: tuple[int, ...] = ()
    """Numbers of further nodes that it is about."""


def diagnose(network: DependencyGraph, readiness: Readiness) -> tuple[Problem, ...]:
    """Find the problems between nodes: repeated ids, unresolved dependencies, cycles, and contradicted statuses."""
    drafts = [
        *_clashes(network),
        *_unresolved(network, readiness),
        *_redundant(network),
        *_cycles(network, readiness),
        *_contradictions(network, readiness),
    ]
    return tuple(_placed(drafts))


def find_unweighed_dues(network: DependencyGraph, policy: Policy) -> tuple[Problem, ...]:
    """Find the due dates of open nodes that have no effect because deadline weighs nothing: one problem for all."""
    dated = [
        node
        for node, is_open in zip(network.nodes, network.is_open, strict=False)
        if is_open and node.due is not None and not policy.weight("deadline", node.graph_id)
    ]
    if not dated:
        return ()
    names = ", ".join(node.name for node in dated[:FIRST_FEW])
    rest = f" and {len(dated) - FIRST_FEW} more" if len(dated) > FIRST_FEW else ""
    text = f"the policy gives deadline no weight, so the due date of {names}{rest} decides nothing"
    graph = network.graph_of[dated[0].graph_id]
    hint = "give deadline a weight in the policy"
    return tuple(_placed([_Finding(graph, Spot(dated[0].number, "due"), "warning", "due-unweighed", text, hint)]))


def _placed(drafts: list[_Finding]) -> Iterator[Problem]:
    wanted: dict[int, set[Spot]] = {}
    graphs = {id(draft.graph): draft.graph for draft in drafts}
    for draft in drafts:
        wanted.setdefault(id(draft.graph), set()).add(draft.spot)
    places = {key: graphs[key].locate(spots) for key, spots in wanted.items()}
    for draft in drafts:
        place = places[id(draft.graph)].get(draft.spot, Place(draft.graph.path))
        numbers = (draft.spot.node, *draft.others) if draft.spot.node >= 0 else ()
        yield Problem(draft.severity, draft.code, draft.message, *place, draft.hint, numbers)


def _clashes(network: DependencyGraph) -> Iterator[_Finding]:
    paths: dict[str, list[str]] = {}
    for graph in network.clashing:
        paths.setdefault(graph.graph_id, []).append(graph.path)
    for graph in network.clashing:
        same = [path for path in paths[graph.graph_id][: FIRST_FEW + 1] if path != graph.path][:FIRST_FEW]
        rest = len(paths[graph.graph_id]) - 1 - len(same)
        others = f"{', '.join(same) or 'this very file'}{f' and {rest} more' if same and rest else ''}"
        yield _Finding(
            graph,
            Spot(-1, "graph_id"),
            "error",
            "duplicate-graph",
            f"graph_id {graph.graph_id} is also declared in {others}",
            "rename one of them; until then the nodes of both are left out",
        )
    for graph, node in network.repeated:
        yield _Finding(
            graph,
            Spot(node.number, "node_id"),
            "error",
            "duplicate-node",
            f"{node.name} is in its graph more than once",
            "rename one of them; until then none of them is offered",
        )


def _unresolved(network: DependencyGraph, readiness: Readiness) -> Iterator[_Finding]:
    names = _Names(network)
    for i, faults in sorted(network.faults.items()):
        node = network.nodes[i]
        graph = network.graph_of[node.graph_id]
        severity: Severity = "warning" if node.status in FINISHED or not graph.active else "error"
        promise = _promise(readiness, i)
        for fault in faults:
            if fault.kind == "whole-in-error":  # that task's error is a problem of its own
                continue
            code = "ambiguous-dependency" if fault.kind == "ambiguous" else "unknown-dependency"
            text = _fault_text(fault)
            yield _Finding(
                graph,
                Spot(node.number, "depends_on", fault.item),
                severity,
                code,
                f"{node.name} depends on {fault.text}, {text}",
                _fault_hint(network, i, fault, names) + ("" if fault.kind == "in-error" else promise),
            )
    yield from _cancelled(network, readiness)


def _promise(readiness: Readiness, i: int) -> str:
    """Name the node that a fix unblocks, where it is the only fix that the node needs."""
    needs_edit = [reason for reason in reasons(readiness, i) if reason.kind in ONLY_AN_EDIT]
    if not readiness.network.is_open[i] or len(needs_edit) != 1:
        return ""
    others = " and what waits for it" if readiness.dependents[i] else ""
    return f" Fix this to unblock {readiness.network.nodes[i].node_id}{others}; other tasks are not affected."


def _fault_text(fault: Fault) -> str:
    return {
        "elsewhere": "which only another graph has",
        "in-error": "which exists and is in error",
        "ambiguous": "which more than one task is called",
    }.get(fault.kind, "which no graph has")


def _redundant(network: DependencyGraph) -> Iterator[_Finding]:
    """Find the dependencies of open nodes that repeat which task is part of which."""
    for i, dependencies in sorted(network.redundant.items()):
        node = network.nodes[i]
        if not network.is_open[i]:
            continue
        for text, item, on_whole in dependencies:
            whose = f"{node.node_id} is part of {text}" if on_whole else f"{text} is part of {node.node_id}"
            yield _Finding(
                network.graph_of[node.graph_id],
                Spot(node.number, "depends_on", item),
                "warning",
                "redundant-dependency",
                f"{node.name} depends on {text}, which adds nothing: {whose} anyway",
                f"drop {text} from its dependencies",
            )


def _fault_hint(network: DependencyGraph, i: int, fault: Fault, names: _Names) -> str:
    match fault.kind:
        case "elsewhere":
            return f"write {names.owner[fault.text]}/{fault.text} if that one is meant."
        case "in-error":
            return f"fix {fault.text} first."
        case "ambiguous":
            return "give the tasks different ids."
    near = names.nearest(fault.text.rpartition("/")[2])
    if near is None:
        return "add that task, or drop the dependency."
    local = (network.nodes[i].graph_id, near) in network.number_of
    return f"did you mean {near if local else f'{names.owner[near]}/{near}'}?"


class _Names:
    """Finds the node that was probably meant, a limited number of times: each search looks at every id."""

    def __init__(self, network: DependencyGraph) -> None:
        self.owner: dict[str, str] = {}
        for graph_id, node_id in network.number_of:
            self.owner[node_id] = min(graph_id, self.owner.get(node_id, graph_id))
        self._found: dict[str, str | None] = {}
        self._left = COMPARISONS

    def nearest(self, word: str) -> str | None:
        if word not in self._found and self._left > 0:
            self._left -= len(self.owner)
            self._found[word] = nearest(word, self.owner)
        return self._found.get(word)


def _cancelled(network: DependencyGraph, readiness: Readiness) -> Iterator[_Finding]:
    if readiness.on_cancelled == "satisfy" or all(node.status != "cancelled" for node in network.nodes):
        return
    for i, node in enumerate(network.nodes):
        if not network.is_open[i]:
            continue
        adds_nothing = {dependency.item for dependency in network.redundant.get(i, ())}
        for item, text in enumerate(node.depends_on):
            head, slash, tail = text.partition("/")
            other = network.number_of.get((head, tail)) if slash else None
            target = network.number_of.get((node.graph_id, text), other)
            if target is None or item in adds_nothing:
                continue
            if network.nodes[target].status == "cancelled":
                yield _Finding(
                    network.graph_of[node.graph_id],
                    Spot(node.number, "depends_on", item),
                    "warning",
                    "cancelled-dependency",
                    f"{node.name} depends on {text}, which is cancelled",
                    "drop the dependency, or set on_cancelled: satisfy in the policy",
                )


def _cycles(network: DependencyGraph, readiness: Readiness) -> Iterator[_Finding]:
    for cycle in readiness.cycles:
        nodes = [network.nodes[i] for i in cycle]
        shown = write_cycle(nodes, lambda node: node.name)
        cut = nodes[1] if len(nodes) > 1 else nodes[0]
        yield _Finding(
            network.graph_of[nodes[0].graph_id],
            Spot(nodes[0].number, "depends_on"),
            "error",
            "cycle",
            f"{nodes[0].name} waits for itself: {shown}",
            f"drop {nodes[0].name}'s dependency on {cut.name}, or another one of the cycle",
        )


def _contradictions(network: DependencyGraph, readiness: Readiness) -> Iterator[_Finding]:
    """Find statuses that the graph contradicts: ready with open dependencies, running or finished too early."""
    found: dict[tuple[str, str, bool], list[int]] = {}
    finished = find_finished_work(network)
    for i, node in enumerate(network.nodes):
        if node.status == "ready" and readiness.state[i] not in {"ready", "graph_inactive"}:
            found.setdefault((node.graph_id, "not-ready", False), []).append(i)
        if node.status in {"running", "completed"} and _early(network, i):
            found.setdefault((node.graph_id, "begun-early", i in finished), []).append(i)
        if node.status in FINISHED and _open_parts(network, i):
            found.setdefault((node.graph_id, "open-children", False), []).append(i)
    texts = {
        "not-ready": ("called ready, but what it depends on is not finished", "the graph decides, not the stored word"),
        "begun-early": (
            "begun or finished although something it depends on is not",
            "fix the status or the dependency",
        ),
        "open-children": ("finished although parts of it are open", "finish the parts, or reopen it"),
    }
    for (graph_id, code, _), nodes in sorted(found.items()):
        graph = network.graph_of[graph_id]
        names = [network.nodes[i].name for i in nodes]
        rest = f" and {len(names) - FIRST_FEW} more" if len(names) > FIRST_FEW else ""
        text, hint = texts[code]
        yield _Finding(
            graph,
            Spot(network.nodes[nodes[0]].number, "status"),
            "warning",
            code,
            f"{', '.join(names[:FIRST_FEW])}{rest}: {text}",
            hint,
            tuple(network.nodes[i].number for node in nodes for i in (node, *_open_parts(network, node))),
        )


def _open_parts(network: DependencyGraph, i: int) -> list[int]:
    return [part for part in network.children.get(i, ()) if network.is_open[part]]


def _early(network: DependencyGraph, i: int) -> bool:
    parts = frozenset(network.children.get(i, ()))
    direct = (need for need in network.needs[i] if need < len(network.nodes) and need not in parts)
    return any(network.nodes[need].status not in FINISHED for need in direct)
