"""What a format is: which files are its own, and how their bytes become graphs and problems."""

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
    """Paths a format recognises as one source, before anything is read."""

    root: str
    paths: tuple[str, ...]


class Format(NamedTuple):
    """One tracker's way to keep tasks in files.

    ``claim`` groups those of the given paths that belong to this format, wherever they lie below the workspace.
    ``suits`` says whether a file named by hand looks like this format; the first format that says so reads it.
    """

    name: str
    claim: Callable[[Iterable[str]], tuple[Claim, ...]]
    suits: Callable[[Blob], bool]
    parse: Callable[[Source], Parsed]


def one_file_each(places: Sequence[str], *, at_root: bool = False) -> Callable[[Iterable[str]], tuple[Claim, ...]]:
    """Give a ``claim`` for formats whose every file stands alone; with ``at_root`` not in sub-folders."""
    pattern = below_any_folder(places, at_root=at_root)
    ends = endings(places)

    def claim(paths: Iterable[str]) -> tuple[Claim, ...]:
        found = (path for path in paths if path.endswith(ends) and pattern.fullmatch(path))
        return tuple(Claim(path, (path,)) for path in sorted(found))

    return claim


def file_by_file(parse_file: Callable[[Blob], Parsed]) -> Callable[[Source], Parsed]:
    """Give the ``parse`` of a format whose every file is read by itself."""

    def parse(source: Source) -> Parsed:
        parsed = [parse_file(blob) for blob in source.blobs]
        return Parsed(
            tuple(graph for one in parsed for graph in one.graphs),
            tuple(problem for one in parsed for problem in one.problems),
        )

    return parse


def endings(places: Sequence[str]) -> tuple[str, ...]:
    """Give what paths at these places end in.

    A tree has many files and few of them are tasks: most are told by how they end, long before a pattern is tried.
    """
    return tuple(place.rpartition("*")[2].rpartition("/")[2] for place in places)


def below_any_folder(places: Sequence[str], *, at_root: bool = False) -> re.Pattern[str]:
    """Compile places into a pattern that matches them below any folder; group ``base`` is that folder."""
    bodies = "|".join(re.escape(place).replace(r"\*", "[^/]+") for place in places)
    return re.compile(rf"(?P<base>{'' if at_root else '(?:[^/]+/)*'})(?:{bodies})")
