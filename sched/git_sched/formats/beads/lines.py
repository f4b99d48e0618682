"""JSON Lines, the file that beads exports: each line is read by itself, so a broken one affects no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.formats.reading import fields, json_text
from git_sched.model.graph import Place
from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from git_sched.formats.reading.marks import Path
    from git_sched.model.graph import Spot

LINE_HINT = "fix that line, or delete it; the other lines are read"

_KEY_OF_FIELD = {"node_id": "id", "depends_on": "dependencies"}


class IssueLine(NamedTuple):
    """One line that holds a mapping; ``at`` is its line number in the file, from 0."""

    at: int
    row: dict[str, object]


class IssueLines(NamedTuple):
    """The lines of a file, the indexes from 0 of those that could not be read, and their problems."""

    read: tuple[IssueLine, ...]
    broken: tuple[int, ...]
    problems: tuple[Problem, ...]


class LineLocate(NamedTuple):
    """Finds spots in a file of JSON Lines, where a node's number is the index of its line.

    ``items`` tells for each dependency of a node, by the node's number, which item of the file it is.
    """

    path: str
    lines: Sequence[str]
    items: Mapping[int, tuple[int, ...]]

    def __call__(self, spots: Collection[Spot], /) -> Mapping[Spot, Place]:
        """Find the places of all spots; only their own lines are searched, each once."""
        by_line: dict[int, list[Spot]] = {}
        for spot in spots:
            by_line.setdefault(spot.node, []).append(spot)
        return {spot: place for node, own in by_line.items() for spot, place in self._places(node, own)}

    def _places(self, node: int, spots: Sequence[Spot]) -> Iterator[tuple[Spot, Place]]:
        is_searched = node >= 0 and any(spot.key for spot in spots)
        known = {mark.path: mark.value for mark in json_text.marks(self.lines[node])} if is_searched else {}
        for spot in spots:
            yield spot, Place(self.path) if node < 0 else Place(self.path, node + 1, self._column(spot, known))

    def _column(self, spot: Spot, places: Mapping[Path, tuple[int, int]]) -> int:
        item = spot.item
        if spot.key == "depends_on" and item >= 0:
            known = self.items.get(spot.node, ())
            item = known[item] if item < len(known) else -1
        key = _KEY_OF_FIELD.get(spot.key, spot.key)
        wanted: Path = (key, item) if item >= 0 else (key,)
        return places.get(wanted, places.get((key,), (1, 1)))[1] if key else 1


def read_lines(lines: Sequence[str], path: str) -> IssueLines:
    """Read every line that is not blank; one that is not a mapping is a problem of that line alone."""
    read: list[IssueLine] = []
    broken: list[int] = []
    problems: list[Problem] = []
    for index, line in enumerate(lines):
        if not line or line.isspace():
            continue
        value, wrong, readable = json_text.read(line, path)
        problems.extend(problem._replace(line=index + 1, hint=LINE_HINT) for problem in wrong)
        if readable and isinstance(value, dict):
            read.append(IssueLine(index, value))
            continue
        broken.append(index)
        if readable:
            message = f"a line is a mapping with an id; this one holds {fields.kind(value)}"
            problems.append(Problem("error", "wrong-type", message, path, index + 1, 1, LINE_HINT))
    return IssueLines(tuple(read), tuple(broken), tuple(problems))
