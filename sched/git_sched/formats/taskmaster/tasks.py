"""Reads the tasks of one Task Master tag as nodes: ids are kept as text, subtasks are parts of their task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from git_sched.formats.reading import fields
from git_sched.formats.reading.words import (
    DEFAULT_PRIORITY,
    PRIORITIES,
    Tally,
    agent,
    loose_text,
    status_from,
    word_hint,
)
from git_sched.model.graph import FINISHED, STATUSES, BrokenNode, Node, Spot
from git_sched.model.ids import BAD_ID_HINT, escape, is_id, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from git_sched.formats.reading.findings import Findings
    from git_sched.formats.reading.marks import Path

STATUS: Final = {
    "pending": "pending",
    "in-progress": "running",
    "review": "running",
    "done": "completed",
    "completed": "completed",
    "cancelled": "cancelled",
    "deferred": "blocked",
    "blocked": "blocked",
}
"""The native status for each status of Task Master; others are kept. A task without a status is pending."""

_ID_HINT: Final = "write a number or a text"
_PRIORITY_HINT: Final = "it may be critical, high, medium or low; until then it counts as medium"
_OPEN_HINT: Final = "it counts as its task does, which is never offered; reopen the task if work is left"
_SIBLING_HINT: Final = "write TASK.SUB for a sub-task of another task, or let the parent depend on the task"


class TagTasks(NamedTuple):
    """The nodes of one tag, those in error separately."""

    nodes: tuple[Node, ...]
    broken: tuple[BrokenNode, ...]


class TaskRow(NamedTuple):
    """A task or subtask as it is in the file, the task that it is a part of, and the ids in its list."""

    path: Path
    value: object
    parent: Node | BrokenNode | None = None
    siblings: frozenset[str] = frozenset()


class Literal(str):
    """A JSON number with a fraction, kept as written: 1.10 is not 1.1."""

    __slots__ = ()


def identifier(value: object) -> str:
    """Read an id: a text, or a number as written.

    Raises:
        InvalidValueError: the value is neither, or not an id.
    """
    if isinstance(value, bool | float) or not isinstance(value, int | str):
        raise fields.InvalidValueError("wrong-type", f"is {fields.kind(value)}, not an id", hint=_ID_HINT)
    found = str(value).strip()
    if not is_id(found):
        raise fields.InvalidValueError("bad-id", f"{quote(found)} cannot be an id", hint=BAD_ID_HINT)
    return found


def reference(value: object) -> str:
    """Read a dependency: a text, or a number as written.

    Raises:
        InvalidValueError: the value is neither, or cannot name a task.
    """
    if isinstance(value, bool | float) or not isinstance(value, int | str):
        raise fields.InvalidValueError("wrong-type", f"is {fields.kind(value)}, not an id", hint=_ID_HINT)
    return fields.reference(str(value).strip())


def status_word(value: object) -> str:
    """Read a status as written; an empty one counts as absent."""
    return fields.text(value).strip() or "pending"


def read_tasks(graph_id: str, tasks: list[object], path: Path, *, rows: list[Path], found: Findings) -> TagTasks:
    """Read the tasks of a tag and all their subtasks; the path of each is appended to ``rows``."""
    reader = _TagReader(graph_id, tasks, rows, found)
    waiting = [TaskRow((*path, i), task) for i, task in enumerate(tasks)][::-1]
    while waiting:
        waiting.extend(reversed(reader.take(waiting.pop())))
    reader.report()
    return TagTasks(tuple(reader.nodes), tuple(reader.broken))


class _TagReader:
    """Reads tasks one after the other; a task comes before its subtasks."""

    def __init__(self, graph_id: str, tasks: list[object], rows: list[Path], found: Findings) -> None:
        self.nodes: list[Node] = []
        self.broken: list[BrokenNode] = []
        self._tally = Tally()
        self._graph_id = graph_id
        self._rows = rows
        self._found = found
        self._tops = _ids_of(tasks)

    def take(self, row: TaskRow) -> list[TaskRow]:
        """Read one row; return the rows of its subtasks."""
        index = len(self._rows)
        self._rows.append(row.path)
        node = self._node(index, row)
        if isinstance(node, Node):
            self.nodes.append(node)
        else:
            self.broken.append(node)
        parts = row.value.get("subtasks") if isinstance(row.value, dict) else None
        if not isinstance(parts, list) or not parts:
            return []
        siblings = _ids_of(parts, within=node.node_id or "")
        return [TaskRow((*row.path, "subtasks", i), part, node, siblings) for i, part in enumerate(parts)]

    def report(self) -> None:
        """Report once what several tasks have in common."""
        self._tally.report(self._found)

    def _node(self, index: int, row: TaskRow) -> Node | BrokenNode:
        parent_id = row.parent.node_id if row.parent else None
        kind = "sub-task" if row.parent else "task"
        what = f"a {kind} of {self._graph_id}"
        if not isinstance(row.value, dict):
            message = f"{what} is {fields.kind(row.value)}, not a mapping"
            self._found.error(Spot(index), "wrong-type", message, hint="write a mapping with an id")
            return BrokenNode(None, index, parent_id)
        if row.value.get("id") is None:
            self._found.error(Spot(index), "missing-key", f"{what} has no id", hint="give it one")
            return BrokenNode(None, index, parent_id)
        shown_id = escape(str(row.value["id"]), limit=40)
        values, sound = self._found.read(index, row.value, _FIELDS, f"{kind} {shown_id} of {self._graph_id}")
        node_id = _full_id(values.get("id"), row.parent)
        if isinstance(node_id, str) and sound:
            return self._sound_node(index, row, node_id, values=values)
        return BrokenNode(node_id, index, parent_id)

    def _sound_node(self, index: int, row: TaskRow, node_id: str, *, values: Mapping[str, Any]) -> Node:
        name = f"{self._graph_id}/{node_id}"
        parent = row.parent if isinstance(row.parent, Node) else None
        parent_id = row.parent.node_id if row.parent else None
        depends_on = values.get("dependencies", ())
        if parent_id is not None:
            spots = (Spot(index, "dependencies", item) for item in range(len(depends_on)))
            depends_on = tuple(
                self._from_within(parent_id, text, spot, row=row) for text, spot in zip(depends_on, spots, strict=True)
            )
        return Node(
            self._graph_id,
            node_id,
            index,
            title=values.get("title", ""),
            depends_on=depends_on,
            status=self._status(index, name, values.get("status", "pending"), parent=parent),
            priority=self._priority(index, name, values.get("priority"), parent=parent),
            priority_text=self._priority_text(values.get("priority"), parent=parent),
            agent_id=values.get("assignee"),
            parent=parent_id,
        )

    def _from_within(self, parent: str, text: str, spot: Spot, *, row: TaskRow) -> str:
        """Return the id that a subtask means: a dotted one as it is, any other within its own task."""
        if "." in text or "/" in text:
            return text
        if text not in row.siblings and text in self._tops:
            message = "with a sub-task that waits for a sibling where only a task has that number"
            name = f"{self._graph_id}/{parent}"
            self._tally.add(spot, name, code="unknown-dependency", message=message, hint=_SIBLING_HINT)
        return f"{parent}.{text}"

    def _status(self, index: int, name: str, word: str, *, parent: Node | None) -> str:
        status = status_from(word, STATUS)
        if status not in STATUSES:
            message = f"with the unknown status {quote(word, limit=40)}"
            hint = word_hint(word, tuple(STATUS))
            self._tally.add(Spot(index, "status"), name, code="unknown-word", message=message, hint=hint)
        if parent is not None and parent.status in FINISHED and status not in FINISHED:
            message = f"open below a task that is {parent.status}"
            self._tally.add(Spot(index, "status"), name, code="open-children", message=message, hint=_OPEN_HINT)
            return parent.status
        return status

    def _priority(self, index: int, name: str, value: object, *, parent: Node | None) -> int:
        if value is None:
            return DEFAULT_PRIORITY if parent is None else parent.priority
        if isinstance(value, str) and value in PRIORITIES:
            return PRIORITIES[value]
        message = f"whose priority is {fields.kind(value)}"
        self._tally.add(Spot(index, "priority"), name, code="unknown-word", message=message, hint=_PRIORITY_HINT)
        return DEFAULT_PRIORITY

    def _priority_text(self, value: object, *, parent: Node | None) -> str | None:
        if value is None:
            return None if parent is None else parent.priority_text
        return value if isinstance(value, str) and value in PRIORITIES else None


def _full_id(sub_id: object, parent: Node | BrokenNode | None) -> str | None:
    if not isinstance(sub_id, str) or parent is None:
        return sub_id if isinstance(sub_id, str) else None
    if parent.node_id is None:
        return None
    full = f"{parent.node_id}.{sub_id.removeprefix(parent.node_id + '.')}"
    return full if is_id(full) else None


def _ids_of(rows: list[object], *, within: str = "") -> frozenset[str]:
    found = set()
    for row in rows:
        if isinstance(row, dict) and isinstance(row.get("id"), int | str):
            found.add(str(row["id"]).strip().removeprefix(f"{within}."))
    return frozenset(found)


_FIELDS: Final[dict[str, Callable[[object], object]]] = {
    "id": identifier,
    "dependencies": fields.sequence(reference),
    "status": status_word,
    "title": loose_text,
    "assignee": agent,
    "priority": lambda value: value,
    "subtasks": fields.sequence(lambda value: value),
}
"""How each key of a task is read. A null counts as absent."""
