"""Collisions: finds two nodes of one repository whose ``paths`` can match the same file."""

from __future__ import annotations

import re
import warnings
from bisect import bisect_left
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pathspec import GitIgnoreSpec
    from pathspec import Pattern as Rule

    from git_sched.model.graph import Node

_WILD = re.compile(r"[*?\[]")


class Pattern(NamedTuple):
    """One pattern: the literal folder it begins with, whether it is a literal path, and the literal text it ends in."""

    text: str
    folder: str
    literal: bool
    suffix: str

    def near(self, files: Sequence[str]) -> Sequence[str]:
        """Return those of the files, which are in order, that are where the pattern can match."""
        anchored = self.text.startswith("/") or "/" in self.text.strip("/")
        if not self.folder or not anchored or "\\" in self.folder or self.folder.endswith(" "):
            return files  # git drops spaces at the end, and backslashes
        begin = bisect_left(files, self.folder)
        return files[begin : bisect_left(files, self.folder + "0", begin)]


class Footprint(NamedTuple):
    """The patterns of a node, compiled: all of them in order, and each that includes files by itself."""

    spec: GitIgnoreSpec
    patterns: tuple[Pattern, ...]
    rules: tuple[Rule, ...]

    def among(self, files: Sequence[str]) -> Iterator[Iterator[str]]:
        """Return those of the files, which are in order, that the patterns match, in parts that are in order."""
        if any(rule.include is False for rule in self.spec.patterns):  # what one includes another excludes again
            yield (file for file in files if self.spec.match_file(file))
            return
        for pattern, rule in zip(self.patterns, self.rules, strict=True):
            yield (file for file in pattern.near(files) if rule.match_file(file))


def read_pattern(text: str) -> Pattern:
    """Parse a gitignore-style pattern; one without a slash inside has no literal folder."""
    body = text.strip("/")
    wild = _WILD.search(body)
    if wild is None:
        return Pattern(text, body, literal=True, suffix=body)
    anchored = text.startswith("/") or "/" in body
    folder = body[: wild.start()].rpartition("/")[0] if anchored else ""
    suffix = re.split(r"[*?\]]", body)[-1]
    return Pattern(text, folder, literal=False, suffix=suffix)


class Footprints:
    """The footprints of nodes, computed when a node comes up in the ranking and kept for the answer."""

    def __init__(self, tracked: Sequence[str], own_repository: str | None) -> None:
        """Keep the tracked files, in order, of the workspace's own repository; those of others are unknown."""
        self._tracked = sorted(tracked)
        self._own = own_repository
        self._known: dict[str, Footprint] = {}
        self.listed: dict[str, Sequence[str]] = {}
        """The tracked files of taken nodes that others were compared with, by name."""
        self._met: dict[tuple[str, str], str | None] = {}

    def collide(self, one: Node, other: Node) -> str | None:
        """Return a file or folder that both nodes can change, or ``None``.

        Few nodes are taken and many are tried, so only the files of ``other``, the taken one, are listed.
        """
        if not one.paths or not other.paths or one.repository != other.repository:
            return None
        both = (one.name, other.name)
        if both not in self._met:
            self._met[both] = self._meet(one, other)
        return self._met[both]

    def _meet(self, one: Node, other: Node) -> str | None:
        a, b = self._of(one), self._of(other)
        shared = [file for files in a.among(self._files_of(other)) if (file := next(files, None))]
        if shared:
            return min(shared)
        return _literal_hit(a, b) or _literal_hit(b, a) or _same_claim(a, b) or _folders_meet(a, b)

    def _of(self, node: Node) -> Footprint:
        if node.name not in self._known:
            self._known[node.name] = _footprint(node.paths)
        return self._known[node.name]

    def _files_of(self, node: Node) -> Sequence[str]:
        """Return the tracked files that a node can change, in order."""
        if node.repository != self._own:
            return ()
        if node.name not in self.listed:
            self.listed[node.name] = sorted(set(chain.from_iterable(self._of(node).among(self._tracked))))
        return self.listed[node.name]


def _footprint(paths: Sequence[str]) -> Footprint:
    from pathspec import GitIgnoreSpec

    taken_in = [text for text in paths if not text.startswith(("!", "#")) and text.strip()]
    with warnings.catch_warnings():  # Python warns of [[, which is an ordinary set to git
        warnings.simplefilter("ignore", FutureWarning)
        spec = GitIgnoreSpec.from_lines(paths)
        rules = GitIgnoreSpec.from_lines(taken_in).patterns
    return Footprint(spec, tuple(map(read_pattern, taken_in)), tuple(rules))


def _same_claim(a: Footprint, b: Footprint) -> str | None:
    """Return a pattern that both have; ``x``, ``/x/``, ``x/`` and ``x/**`` count as the same."""
    shared = {_claim(pattern.text) for pattern in a.patterns} & {_claim(pattern.text) for pattern in b.patterns}
    return min(shared, default=None)


def _claim(text: str) -> str:
    body = text.strip().strip("/")
    while body.endswith("/**"):
        body = body[:-3].rstrip("/")
    return body


def _literal_hit(a: Footprint, b: Footprint) -> str | None:
    for pattern in a.patterns:
        if pattern.literal and b.spec.match_file(pattern.folder):
            return pattern.folder
    return None


def _folders_meet(a: Footprint, b: Footprint) -> str | None:
    for one in a.patterns:
        for other in b.patterns:
            if one.literal or other.literal or not one.folder or not other.folder:
                continue
            deep, high = sorted((one.folder, other.folder), key=len, reverse=True)
            if (deep == high or deep.startswith(high + "/")) and (
                one.suffix.endswith(other.suffix) or other.suffix.endswith(one.suffix)
            ):
                return deep + "/"
    return None
