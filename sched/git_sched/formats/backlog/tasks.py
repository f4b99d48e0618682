"""Reads the task files of one Backlog.md folder as nodes."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from git_sched.formats.reading import fields
from git_sched.formats.reading.words import Tally, agent, labels, loose_text, status_from, word_hint
from git_sched.model.graph import BrokenNode, Node, Place, Spot
from git_sched.model.ids import BAD_ID_HINT, is_id, quote
from git_sched.model.times import parse_time

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from git_sched.formats.backlog.config import Config
    from git_sched.formats.reading.document import Document
    from git_sched.formats.reading.findings import Findings
    from git_sched.formats.reading.marks import Path

NO_PRIORITY: Final = 0
"""The priority of a task without one, which is more than half of all tasks."""

_FILE_ID: Final = re.compile(r"(?P<id>.+?-\d+(?:\.\d+)*)(?![\d.])")
_ID_LIST: Final = re.compile(r"[A-Za-z]*-?\d+(?:\.\d+)*(?:\s*,\s*[A-Za-z]*-?\d+(?:\.\d+)*)*")
_KEY_OF_FIELD: Final = {"node_id": "id", "depends_on": "dependencies", "parent": "parent_task_id"}
"""The key of a task file for each field of a node that problems are placed by, where the two differ."""


class File(NamedTuple):
    """A task file: its front matter, or ``None`` if it has none; ``done`` if it is in a folder of completed ones."""

    path: str
    document: Document | None
    done: bool


class BacklogTasks(NamedTuple):
    """The nodes of a folder, those in error separately, and the ids that a completed task shares with an open one.

    ``unread`` are the files of open tasks of which nothing could be read.
    """

    nodes: tuple[Node, ...]
    broken: tuple[BrokenNode, ...]
    ambiguous: frozenset[str]
    unread: tuple[str, ...]


class FileLocate(NamedTuple):
    """Finds spots in a folder of task files, where a node's number is that of its file."""

    root: str
    files: Sequence[File]

    def __call__(self, spots: Collection[Spot], /) -> Mapping[Spot, Place]:
        """Find the places of all spots; each file is searched by itself, once."""
        by_file: dict[int, list[Spot]] = {}
        for spot in spots:
            by_file.setdefault(spot.node, []).append(spot)
        return {spot: place for node, own in by_file.items() for spot, place in self._places(node, own).items()}

    def _places(self, node: int, spots: Sequence[Spot]) -> dict[Spot, Place]:
        if node < 0:
            return dict.fromkeys(spots, Place(self.root))
        file = self.files[node]
        if file.document is None or not isinstance(file.document.value, dict):
            return dict.fromkeys(spots, Place(file.path, 1, 1))
        wanted = {spot: (_path(spot), spot.at_key) for spot in spots}
        places = file.document.places(set(wanted.values()))
        return {spot: places[want] for spot, want in wanted.items()}


def _path(spot: Spot) -> Path:
    key = _KEY_OF_FIELD.get(spot.key, spot.key)
    return (key, spot.item) if key and spot.item >= 0 else (key,) if key else ()


def read_tasks(
    graph_id: str, files: Sequence[File], config: Config, *, found: Findings, unread: Sequence[str] = ()
) -> BacklogTasks:
    """Read all task files of a folder; ``unread`` are paths of those whose bytes could not be had."""
    reader = _FileReader(graph_id, config, found)
    read = [reader.read(index, file) for index, file in enumerate(files)]
    nodes = [one for one in read if isinstance(one, Node)]
    broken = [one for one in read if isinstance(one, BrokenNode)]
    broken.extend(reader.unread(len(files) + n, path) for n, path in enumerate(unread))
    kept, ambiguous = _separate_shared(nodes, files, reader.tally)
    reader.tally.report(found)
    illegible = [file.path for file in files if not (file.done or (file.document and file.document.readable))]
    return BacklogTasks(
        tuple(_point_nowhere(node, ambiguous) for node in kept),
        tuple(broken),
        frozenset(ambiguous.values()),
        (*illegible, *unread),
    )


def _separate_shared(nodes: list[Node], files: Sequence[File], tally: Tally) -> tuple[list[Node], dict[str, str]]:
    """Leave out completed files whose id one open task has too; map such ids to a spelling that no node has.

    A dependency on such an id does not tell which file is meant, so it must not lead to the one node that is left.
    """
    by_id: dict[str, list[Node]] = {}
    for node in nodes:
        by_id.setdefault(node.node_id, []).append(node)
    kept: list[Node] = []
    ambiguous: dict[str, str] = {}
    for node_id, same in by_id.items():
        live = [node for node in same if not files[node.number].done]
        if len(same) == 1 or len(live) != 1 or live[0].status == "completed":
            kept.extend(same)
            continue
        ambiguous[node_id] = node_id.swapcase()
        kept.extend(live)
        spot = Spot(live[0].number, "id")
        tally.add(spot, live[0].name, code="duplicate-node", message=_TWICE, hint=_TWICE_HINT)
    return kept, ambiguous


_TWICE: Final = "with an id that a completed task has too"
_TWICE_HINT: Final = "give all but one a new id, as backlog doctor does; until then nothing can wait for them"


def _point_nowhere(node: Node, ambiguous: Mapping[str, str]) -> Node:
    if ambiguous.keys().isdisjoint(node.depends_on):
        return node
    return node._replace(depends_on=tuple(ambiguous.get(text, text) for text in node.depends_on))


class _FileReader:
    """Reads task files one after the other.

    A further key that makes a task unreadable when it is wrong, as the id does, goes into ``_fields`` with the function
    that reads its value; ``read`` finds the result in ``values``. A key that counts as absent when it is wrong, as the
    priority does, is read in ``_node``, with a warning through ``tally``. Either becomes a field of the node in
    ``_node``, and a field that is called otherwise than its key is added to ``_KEY_OF_FIELD``, for problems to find
    its line.
    """

    def __init__(self, graph_id: str, config: Config, found: Findings) -> None:
        self.tally = Tally()
        self._graph_id = graph_id
        self._config = config
        self._found = found
        self._fields: dict[str, Callable[[object], object]] = {
            "id": self._identifier,
            "status": _word,
            "dependencies": self._references,
            "parent_task_id": self._reference,
        }

    def read(self, index: int, file: File) -> Node | BrokenNode:
        """Read a file as a node."""
        named = self.unread(index, file.path)
        name_id = named.node_id
        row = file.document.value if file.document is not None else None
        if not isinstance(row, dict):
            if file.document is None or file.document.readable:
                self._found.error(Spot(index), "missing-key", "a task file without front matter", hint=_FENCE_HINT)
            return named
        values, sound = self._found.read(index, row, self._fields, name_id or "a task")
        node_id = values.get("id")
        if row.get("id") is None:
            self._found.error(Spot(index), "missing-key", f"{name_id or 'a task'} has no id", hint="add id: to it")
        if not isinstance(node_id, str) or not sound:
            parent = values.get("parent_task_id")
            return BrokenNode(
                node_id if isinstance(node_id, str) else name_id,
                index,
                parent if isinstance(parent, str) and parent else named.parent,
            )
        return self._node(index, node_id, row, values=values, done=file.done)

    def unread(self, index: int, path: str) -> BrokenNode:
        """Give the node of a file as its name has it: TASK-1.2 is part of TASK-1."""
        named = _FILE_ID.match(path.rpartition("/")[2])
        name_id = self._config.canonical(named["id"]) if named and is_id(named["id"]) else None
        return BrokenNode(name_id, index, (name_id or "").rpartition(".")[0] or None)

    def _node(
        self, index: int, node_id: str, row: Mapping[str, object], *, values: Mapping[str, Any], done: bool
    ) -> Node:
        name = f"{self._graph_id}/{node_id}"
        assignees = row.get("assignee")
        return Node(
            self._graph_id,
            node_id,
            index,
            title=loose_text(row.get("title")),
            depends_on=values.get("dependencies", ()),
            status="completed" if done else self._status(index, name, values.get("status", "")),
            priority=(priority := self._priority(index, name, row.get("priority"))),
            priority_text=loose_text(row.get("priority")) if priority != NO_PRIORITY else None,
            agent_id=agent(assignees[0] if isinstance(assignees, list) and assignees else assignees),
            due=self._moment(index, name, row, key="due_date"),
            created_at=self._moment(index, name, row, key="created_date"),
            labels=labels(row.get("labels")),
            parent=values.get("parent_task_id") or None,
            ordinal=_ordinal(row.get("ordinal")),
        )

    def _identifier(self, value: object) -> str:
        found = self._config.canonical(_word(value))
        if not is_id(found):
            raise fields.InvalidValueError("bad-id", f"{quote(found)} cannot be an id", hint=BAD_ID_HINT)
        return found

    def _reference(self, value: object) -> str:
        return self._config.canonical(_word(value))

    def _references(self, value: object) -> tuple[str, ...]:
        if isinstance(value, str) and not value.strip():
            return ()
        if isinstance(value, str) and _ID_LIST.fullmatch(value):
            value = value.split(",")
        return fields.sequence(self._reference)(value)

    def _status(self, index: int, name: str, word: str) -> str:
        status = self._config.status(word)
        if status is None:
            message = f"with the status {quote(word, limit=40)}, which the configuration does not list"
            hint = word_hint(word, self._config.statuses)
            self.tally.add(Spot(index, "status"), name, code="unknown-word", message=message, hint=hint)
        return status or status_from(word, {})

    def _priority(self, index: int, name: str, value: object) -> int:
        word = loose_text(value)
        priority = self._config.priority(word) if word else NO_PRIORITY
        if priority is None or (not word and value not in (None, "")):
            message = f"whose priority is {fields.kind(value)}"
            hint = f"it may be {', '.join(self._config.priorities or _PRIORITIES)}; until then it counts as none"
            self.tally.add(Spot(index, "priority"), name, code="unknown-word", message=message, hint=hint)
        return priority or NO_PRIORITY

    def _moment(self, index: int, name: str, row: Mapping[str, object], *, key: str) -> int | None:
        value = row.get(key)
        found = parse_time(str(value), end_of_day=key == "due_date") if isinstance(value, str) else None
        if value and found is None:
            message = f"whose {key} is {fields.kind(value)}, not a date"
            hint = "write '2026-11-03 09:30'; it counts as absent"
            self.tally.add(Spot(index, key), name, code="wrong-type", message=message, hint=hint)
        return found


_FENCE_HINT: Final = "begin it with --- and the id, or move it out of the folder"
_PRIORITIES: Final = ("high", "medium", "low")


def _word(value: object) -> str:
    if isinstance(value, bool | list | dict) or value is None:
        raise fields.InvalidValueError("wrong-type", f"is {fields.kind(value)}, not text", hint="write a text")
    return str(value).strip()


def _ordinal(value: object) -> float | None:
    try:
        found = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        return None
    return found if found is not None and math.isfinite(found) else None
