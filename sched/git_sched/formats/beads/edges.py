"""Joins the issues of one beads file: one record for each id, typed edges as dependencies and parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.formats.beads.issues import BLOCKING, GONE, PART_OF, WAITS_FOR
from git_sched.model.graph import FINISHED, Spot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from git_sched.formats.beads.issues import Issue
    from git_sched.formats.reading.words import Tally
    from git_sched.model.graph import BrokenNode, Node


class Wait(NamedTuple):
    """What an issue waits for, and which item of its dependencies states it (from 0; -1: one of an issue above it)."""

    target: str
    item: int


def link(
    issues: Iterable[Issue], broken: Iterable[BrokenNode], *, items: dict[int, tuple[int, ...]], tally: Tally
) -> tuple[Node, ...]:
    """Return the nodes of a file with their edges. Deleted issues block nothing.

    Issues that are not work (gates, agents, pinned and ephemeral issues) become nodes only if work waits for them, and
    are never offered. ``items`` gets, by the number of each node, the index in the file of each of its dependencies.
    """
    kept, clashing = _one_of_each(issues, tally)
    linker = _Linker(kept, broken)
    nodes = [linker.node(issue, items, tally) for issue in (*kept.values(), *clashing) if not issue.no_work]
    awaited = {target for node in nodes for target in node.depends_on}
    for name, issue in kept.items():
        if issue.no_work not in {"", GONE} and name in awaited:
            done = issue.node.status == "completed"
            nodes.append(issue.node if done else issue.node._replace(status="blocked", blocker_reason=issue.no_work))
    return tuple(nodes)


def _one_of_each(issues: Iterable[Issue], tally: Tally) -> tuple[dict[str, Issue], list[Issue]]:
    """Keep for each id the record that was changed last, or all of them if that is unknown, which is an error later."""
    by_id: dict[str, list[Issue]] = {}
    for issue in issues:
        by_id.setdefault(issue.node.node_id, []).append(issue)
    kept: dict[str, Issue] = {}
    clashing: list[Issue] = []
    for node_id, same in by_id.items():
        newest = max(same, key=lambda issue: issue.changed or (0, ""))
        kept[node_id] = newest
        if len(same) == 1 or _agree_on_the_end(same):
            continue
        rivals = [issue for issue in same if issue is not newest and not _older(issue, newest)]
        if rivals:
            clashing.extend(rivals)
        else:
            spot = Spot(newest.node.number, "id")
            tally.add(spot, newest.node.name, code="duplicate-node", message=_TWICE, hint=_TWICE_HINT)
    return kept, clashing


def _agree_on_the_end(same: Sequence[Issue]) -> bool:
    """Say whether all records of an id are completed, or all cancelled: which of them holds makes no difference."""
    return same[0].node.status in FINISHED and len({issue.node.status for issue in same}) == 1


_TWICE = "that the file has more than once, of which the record changed last holds"
_TWICE_HINT = "delete the older lines"


def _older(issue: Issue, newest: Issue) -> bool:
    """Return whether the newest record replaces this one: it was changed later, or all that is read is the same."""
    if issue.changed is not None and newest.changed is not None and issue.changed < newest.changed:
        return True
    return issue._replace(node=issue.node._replace(number=newest.node.number)) == newest


class _Linker:
    """Turns the edges of issues into dependencies and parts."""

    def __init__(self, issues: Mapping[str, Issue], broken: Iterable[BrokenNode]) -> None:
        self._gone = frozenset(name for name, issue in issues.items() if issue.no_work == GONE)
        self._issues = {name: issue for name, issue in issues.items() if issue.no_work != GONE}
        self._children: dict[str, list[Issue]] = {}
        for issue in self._issues.values():
            for parent in _parents(issue):
                self._children.setdefault(parent, []).append(issue)
        self._broken = {one.node_id: one.parent for one in broken if one.node_id is not None}

    def node(self, issue: Issue, items: dict[int, tuple[int, ...]], tally: Tally) -> Node:
        """Return the node of an issue with its dependencies and the issue it is a part of."""
        if not issue.edges:
            return issue.node
        parents = tuple(_parents(issue))
        known = [name for name in parents if self._is_work(name)]
        parent = known[0] if known else None
        waits = list(self._waits(issue))
        waits.extend(Wait(wait.target, -1) for name in parents if name != parent for wait in self._above(name))
        items[issue.node.number] = tuple(wait.item for wait in waits)
        for name in parents:
            if name not in self._issues and name not in self._gone and name not in self._broken:
                spot = Spot(issue.node.number, "dependencies")
                tally.add(spot, issue.node.name, code="unknown-dependency", message=_NO_PARENT, hint=_NO_PARENT_HINT)
        return issue.node._replace(depends_on=tuple(wait.target for wait in waits), parent=parent)

    def _is_work(self, name: str) -> bool:
        return not self._issues[name].no_work if name in self._issues else name in self._broken

    def _waits(self, issue: Issue) -> Iterator[Wait]:
        for edge in issue.edges:
            if edge.target in self._gone:
                continue
            if edge.kind in BLOCKING or (edge.kind == WAITS_FOR and edge.target not in self._issues):
                yield Wait(edge.target, edge.item)
            elif edge.kind == WAITS_FOR:
                children = self._children.get(edge.target, [])
                if not (edge.any_child and any(child.node.status == "completed" for child in children)):
                    yield from (Wait(child.node.node_id, edge.item) for child in children)
                    yield from (Wait(name, edge.item) for name, whole in self._broken.items() if whole == edge.target)

    def _above(self, name: str) -> Iterator[Wait]:
        """Yield what an issue waits for, and what every issue that it is a part of waits for."""
        seen: set[str] = set()
        waiting = [name]
        while waiting:
            issue = self._issues.get(name := waiting.pop())
            if issue is not None and name not in seen:
                seen.add(name)
                yield from self._waits(issue)
                waiting.extend(_parents(issue))


_NO_PARENT = "belonging to an issue that the file does not have"
_NO_PARENT_HINT = "it is offered as if it were not part of another"


def _parents(issue: Issue) -> Iterator[str]:
    return (edge.target for edge in issue.edges if edge.kind == PART_OF)
