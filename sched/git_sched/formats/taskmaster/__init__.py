"""Task Master: ``.taskmaster/tasks/tasks.json``, one graph for each tag, subtasks as parts of their task."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.base import Format, Parsed, below_any_folder, file_by_file, one_file_each
from git_sched.formats.places import PLACES
from git_sched.formats.reading import fields
from git_sched.formats.reading.document import read_json_document
from git_sched.formats.reading.findings import Findings
from git_sched.formats.reading.text import read_text
from git_sched.formats.reading.words import safe_id
from git_sched.formats.taskmaster.tags import SHAPES, UNTAGGED, find_tags, look_like_tasks
from git_sched.formats.taskmaster.tasks import Literal, read_tasks
from git_sched.model.graph import Graph, Place, Spot
from git_sched.model.ids import escape

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from git_sched.formats.reading.document import Document
    from git_sched.formats.reading.marks import Path
    from git_sched.formats.taskmaster.tags import Tag, Tags
    from git_sched.model.blob import Blob

_OWN_PLACE: Final = below_any_folder(PLACES["taskmaster"][:1])
_OLD_PLACE: Final = below_any_folder(PLACES["taskmaster"][1:])

_SHARED: Final = frozenset({"id", "title", "status"})
"""Keys that every task has at the old place, where other programs keep tasks of their own."""

_KEY_OF_FIELD: Final = {"node_id": "id", "depends_on": "dependencies"}


class RowLocate(NamedTuple):
    """Finds the places of spots of one tag's graph; ``rows`` are the paths of all tasks of the file, by number."""

    document: Document
    rows: list[Path]
    root: Path = ()

    def __call__(self, spots: Collection[Spot], /) -> Mapping[Spot, Place]:
        """Find the places of all spots in one pass over the document."""
        wanted = {spot: (self._path(spot), spot.at_key) for spot in spots}
        places = self.document.places(set(wanted.values()))
        return {spot: places[want] for spot, want in wanted.items()}

    def _path(self, spot: Spot) -> Path:
        if spot.node < 0:
            return self.root
        key = _KEY_OF_FIELD.get(spot.key, spot.key)
        head: Path = (*self.rows[spot.node], key) if key else self.rows[spot.node]
        return (*head, spot.item) if spot.item >= 0 else head


def _parse_file(blob: Blob) -> Parsed:
    document = read_json_document(blob)
    if not document.readable:
        return Parsed((), document.problems)
    if _has_fractions(document.value):
        document = _with_literals(document, blob)
    rows: list[Path] = []
    found = Findings(RowLocate(document, rows))
    tags = find_tags(document.value)
    graphs: tuple[Graph, ...] = ()
    if _is_own(blob, document, tags, found):
        graphs = tuple(_graph(tag, document, rows, found) for tag in tags.found)
    _report_misplaced(tags, rows, found)
    return Parsed(graphs, (*document.problems, *found.problems()))


def _has_fractions(value: object) -> bool:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, float):
            return True
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return False


def _with_literals(document: Document, blob: Blob) -> Document:
    """Read the file again with fractions as written: ids are text, and 1.10 is not 1.1."""
    text = read_text(blob)
    return document._replace(value=json.loads(str(text), parse_float=Literal))


def _graph(tag: Tag, document: Document, rows: list[Path], found: Findings) -> Graph:
    graph_id = safe_id(tag.name, otherwise=UNTAGGED)
    tasks = read_tasks(graph_id, tag.tasks, tag.path, rows=rows, found=found)
    locate = RowLocate(document, rows, tag.path)
    return Graph(graph_id, document.path, "taskmaster", locate, *tasks, title=tag.name, numbered=True)


def _is_own(blob: Blob, document: Document, tags: Tags, found: Findings) -> bool:
    """Return whether this is a Task Master file; if not, report it, as a warning at a place that others use too."""
    is_shared = _OLD_PLACE.fullmatch(blob.path) is not None and _OWN_PLACE.fullmatch(blob.path) is None
    if is_shared and not look_like_tasks(tags, _SHARED):
        found.warning(
            Spot(-1),
            "not-a-tracker",
            "this is no Task Master file, though it lies where one could",
            hint="nothing of it is read; exclude it in the policy to silence this",
        )
        return False
    if not tags.found and not tags.broken and document.value != {}:
        found.error(Spot(-1), "wrong-type", f"this is no Task Master file: {_root(document.value)}", hint=SHAPES)
        return False
    return True


def _root(value: object) -> str:
    if not isinstance(value, dict):
        return f"the root is {fields.kind(value)}"
    keys = ", ".join(escape(str(key), limit=40) for key in list(value)[:5])
    return f"there is no list of tasks under any of the keys {keys}"


def _report_misplaced(tags: Tags, rows: list[Path], found: Findings) -> None:
    for path in tags.broken:
        found.error(Spot(len(rows)), "wrong-type", f"{_dotted(path)} is not a list of tasks", hint=SHAPES)
        rows.append(path)
    for tag in tags.hidden:
        message = f"{_dotted(tag.path)} is not read, as the file has another list for {escape(tag.name)}"
        found.warning(Spot(len(rows)), "unknown-key", message, hint="keep one of the two")
        rows.append(tag.path)


def _dotted(path: Path) -> str:
    return ".".join(escape(str(step), limit=40) for step in path)


def suits(blob: Blob) -> bool:
    """Return whether a file named by the user has the shape of a Task Master file."""
    if not blob.path.endswith(".json"):
        return False
    document = read_json_document(blob)
    tags = find_tags(document.value)
    return any(tag.tasks for tag in tags.found) and look_like_tasks(tags)


parse: Final = file_by_file(_parse_file)

FORMAT: Final = Format("taskmaster", one_file_each(PLACES["taskmaster"]), suits, parse)
