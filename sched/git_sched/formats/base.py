"""The type of a format: which files belong to it, and how their bytes become graphs and problems."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from git_sched.model.blob import Blob
    from git_sched.model.graph import Graph
    from git_sched.model.problems import Problem


class Source(NamedTuple):
    """The files that together make up the graphs of one tracker; ``root`` names it in lists and problems.

    ``unread`` are paths of further files that could not be read; what is wrong with them is reported elsewhere.
    """

    format: str
    root: str
    blobs: tuple[Blob, ...]
    unread: tuple[str, ...] = ()


class Parsed(NamedTuple):
    """What a source holds: its graphs, and everything that is wrong with it."""

    graphs: tuple[Graph, ...] = ()
    problems: tuple[Problem, ...] = ()


class Claim(NamedTuple):
    """Paths that a format recognizes as one source, before anything is read."""

    root: str
    paths: tuple[str, ...]


class Format(NamedTuple):
    """How one tracker keeps tasks in files.

    ``claim`` groups those of the given paths that belong to this format, wherever they are below the workspace.
    ``suits`` tells whether a file named by the user looks like this format; the first format that suits reads it.
    """

    name: str
    claim: Callable[[Iterable[str]], tuple[Claim, ...]]
    suits: Callable[[Blob], bool]
    parse: Callable[[Source], Parsed]


def one_file_each(places: Sequence[str], *, at_root: bool = False) -> Callable[[Iterable[str]], tuple[Claim, ...]]:
    """Return a ``claim`` for formats in which every file is a source; with ``at_root`` not in subfolders."""
    pattern = below_any_folder(places, at_root=at_root)
    ends = endings(places)

    def claim(paths: Iterable[str]) -> tuple[Claim, ...]:
        found = (path for path in paths if path.endswith(ends) and pattern.fullmatch(path))
        return tuple(Claim(path, (path,)) for path in sorted(found))

    return claim


def file_by_file(parse_file: Callable[[Blob], Parsed]) -> Callable[[Source], Parsed]:
    """Return a ``parse`` for formats in which every file is read by itself."""

    def parse(source: Source) -> Parsed:
        parsed = [parse_file(blob) for blob in source.blobs]
        return Parsed(
            tuple(graph for one in parsed for graph in one.graphs),
            tuple(problem for one in parsed for problem in one.problems),
        )

    return parse


def endings(places: Sequence[str]) -> tuple[str, ...]:
    """Return the endings of paths at these places.

    A tree has many files and few of them are tasks: most are ruled out by their ending, before a pattern is tried.
    """
    return tuple(place.rpartition("*")[2].rpartition("/")[2] for place in places)


def below_any_folder(places: Sequence[str], *, at_root: bool = False) -> re.Pattern[str]:
    """Compile places into a pattern that matches them below any folder; group ``base`` is that folder."""
    bodies = "|".join(re.escape(place).replace(r"\*", "[^/]+") for place in places)
    return re.compile(rf"(?P<base>{'' if at_root else '(?:[^/]+/)*'})(?:{bodies})")
