"""A document: a file read as plain values, each of which can be found again in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.formats.reading.text import read_text
from git_sched.model.graph import Place
from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from git_sched.formats.reading.marks import Mark, Path
    from git_sched.model.blob import Blob


class Document(NamedTuple):
    """A file as plain values: dict, list, str, int, float, bool, None and :class:`Loose`.

    ``problems`` are those of the text itself; if one is an error, ``value`` is ``None`` and ``readable`` false.
    ``marks`` returns the places of at least the paths it is called with; ``searches`` has what they found.
    """

    path: str
    value: object
    problems: tuple[Problem, ...]
    readable: bool
    marks: Callable[[Collection[Path] | None], Iterator[Mark]]
    searches: list[Mapping[Path, Mark]]

    def places(self, wanted: Collection[tuple[Path, bool]]) -> Mapping[tuple[Path, bool], Place]:
        """Find values (or, with ``True``, their keys) in one pass; a missing one has its nearest parent's place."""
        paths = {path[:n] for path, _ in wanted for n in range(len(path) + 1)}
        found = self._search(paths)
        return {want: self._place(want, found) for want in wanted}

    def _search(self, paths: set[Path]) -> Mapping[Path, Mark]:
        """Find the marks of some paths; a second search keeps all marks, since a file may hold thousands of graphs."""
        if len(self.searches) < 2:  # noqa: PLR2004 - the second one is of everything
            marks = self.marks(None if self.searches else paths)
            kept = (mark for mark in marks if self.searches or mark.path in paths)
            self.searches.append({mark.path: mark for mark in kept if not mark.repeated})
        return self.searches[-1]

    def _place(self, want: tuple[Path, bool], found: Mapping[Path, Mark]) -> Place:
        path, at_key = want
        for n in range(len(path), -1, -1):
            if mark := found.get(path[:n]):
                line, column = mark.key if at_key and mark.key and n == len(path) else mark.value
                return Place(self.path, line, column)
        return Place(self.path)


def read_document(blob: Blob) -> Document:
    """Read a JSON or YAML file: a name ending in ``.json`` is JSON, any other YAML."""
    if blob.path.endswith(".json"):
        return read_json_document(blob)
    text = read_text(blob)
    if isinstance(text, Problem):
        return unreadable(blob.path, text)
    from git_sched.formats.reading import yaml_text

    value, problems = yaml_text.read(text, blob.path)
    readable = not any(p.severity == "error" for p in problems)
    return Document(blob.path, value if readable else None, problems, readable, lambda _: yaml_text.marks(text), [])


def read_json_document(blob: Blob) -> Document:
    """Read a file as JSON whatever its name."""
    text = read_text(blob)
    if isinstance(text, Problem):
        return unreadable(blob.path, text)
    from git_sched.formats.reading import json_text

    value, problems, readable = json_text.read(text, blob.path)
    return Document(blob.path, value, problems, readable, lambda paths: json_text.marks(text, paths), [])


def unreadable(path: str, problem: Problem) -> Document:
    """Return the document of a file that could not be read because of a problem."""
    return Document(path, None, (problem,), readable=False, marks=lambda _: iter(()), searches=[])
