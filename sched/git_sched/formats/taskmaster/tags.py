"""Finds the lists of tasks in a Task Master file, each with its tag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from git_sched.formats.reading.marks import Path

UNTAGGED: Final = "master"
"""The tag that Task Master uses for tasks without one."""

SHAPES: Final = "the root is {TAG: {tasks: [..]}}, {tasks: [..]}, {TAG: [..]} or {tags: {TAG: {tasks: [..]}}}"


class Tag(NamedTuple):
    """A list of tasks, the tag it belongs to, and the path to it from the root."""

    name: str
    path: Path
    tasks: list[object]


class Tags(NamedTuple):
    """The tags of a file; ``hidden`` are lists that the same tag elsewhere in the file overrides.

    ``broken`` are the paths of values that should be lists of tasks and are not.
    """

    found: tuple[Tag, ...] = ()
    hidden: tuple[Tag, ...] = ()
    broken: tuple[Path, ...] = ()


def find_tags(root: object) -> Tags:
    """Find the tags of a file of any known shape; of two lists under one tag the first is used."""
    if not isinstance(root, dict):
        return Tags()
    candidates: list[Tag] = []
    broken: list[Path] = []
    nested = root.get("tags")
    is_nest = isinstance(nested, dict) and not isinstance(nested.get("tasks"), list)
    for key, value in root.items():
        if key != "tasks" and not (key == "tags" and is_nest):
            _take((key,), value, candidates, broken)
    if isinstance(nested, dict) and is_nest:
        for key, value in nested.items():
            _take(("tags", key), value, candidates, broken)
    if isinstance(root.get("tasks"), list):
        candidates.append(Tag(UNTAGGED, ("tasks",), root["tasks"]))
    elif root.get("tasks") is not None:
        broken.append(("tasks",))
    return _separate_repeated(candidates, broken)


def _take(path: Path, value: object, candidates: list[Tag], broken: list[Path]) -> None:
    if isinstance(value, list) and value and all(isinstance(item, dict) and "id" in item for item in value):
        candidates.append(Tag(str(path[-1]), path, value))
    elif isinstance(value, dict) and value.get("tasks") is not None:
        if isinstance(value["tasks"], list):
            candidates.append(Tag(str(path[-1]), (*path, "tasks"), value["tasks"]))
        else:
            broken.append((*path, "tasks"))


def _separate_repeated(candidates: list[Tag], broken: list[Path]) -> Tags:
    first: dict[str, Tag] = {}
    for tag in candidates:
        first.setdefault(tag.name, tag)
    hidden = tuple(tag for tag in candidates if first[tag.name] is not tag and tag.tasks)
    return Tags(tuple(first.values()), hidden, tuple(broken))


def look_like_tasks(tags: Tags, keys: frozenset[str] = frozenset({"id", "status"})) -> bool:
    """Return whether most rows have the keys that Task Master writes to each, or there are no rows."""
    rows = [row for tag in tags.found for row in tag.tasks]
    fitting = sum(isinstance(row, dict) and keys <= row.keys() for row in rows)
    return bool(tags.found) and 2 * fitting >= len(rows)
