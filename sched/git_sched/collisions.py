"""Collisions: two nodes of one repository whose ``paths`` may touch the same file (rule E6)."""

from __future__ import annotations

import re
import warnings
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pathspec import GitIgnoreSpec

    from git_sched.graph import Node

_WILD = re.compile(r"[*?\[]")


class Pattern(NamedTuple):
    """One pattern: the literal folder it lies in, whether it is a literal path, and the literal text it ends in."""

    text: str
    folder: str
    literal: bool
    suffix: str


class Footprint(NamedTuple):
    """The patterns of a node, ready to be matched, and the tracked files they match."""

    patterns: tuple[Pattern, ...]
    spec: GitIgnoreSpec
    files: frozenset[str]


def read_pattern(text: str) -> Pattern:
    """Take a gitignore-style pattern apart; a pattern without a slash inside has no literal folder."""
    body = text.strip("/")
    wild = _WILD.search(body)
    if wild is None:
        return Pattern(text, body, literal=True, suffix=body)
    anchored = text.startswith("/") or "/" in body
    folder = body[: wild.start()].rpartition("/")[0] if anchored else ""
    suffix = re.split(r"[*?\]]", body)[-1]
    return Pattern(text, folder, literal=False, suffix=suffix)


def is_pattern(text: str) -> bool:
    """Whether a text can be read as a gitignore-style pattern."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([text])
    except ValueError:
        return False
    return True


class Footprints:
    """Footprints of nodes, worked out when a node comes up and kept for the answer."""

    def __init__(self, tracked: Sequence[str], own_repository: str | None) -> None:
        """Keep the tracked files, in order, of the workspace's own repository; none are known of others."""
        self._tracked = sorted(tracked)
        self._own = own_repository
        self._known: dict[str, Footprint] = {}

    def of(self, node: Node) -> Footprint:
        """Give the footprint of a node that has paths."""
        found = self._known.get(node.name)
        if found is None:
            found = self._known[node.name] = self._work_out(node)
        return found

    def _work_out(self, node: Node) -> Footprint:
        from pathspec import GitIgnoreSpec

        with warnings.catch_warnings():  # Python warns of [[, which is an ordinary set to git
            warnings.simplefilter("ignore", FutureWarning)
            spec = GitIgnoreSpec.from_lines(node.paths)
        patterns = tuple(read_pattern(text) for text in node.paths if not text.startswith(("!", "#")) and text.strip())
        if node.repository != self._own:
            return Footprint(patterns, spec, frozenset())
        near: set[str] = set()
        for pattern in patterns:
            near.update(self._below(pattern))
        return Footprint(patterns, spec, frozenset(spec.match_files(near)))

    def _below(self, pattern: Pattern) -> Sequence[str]:
        anchored = pattern.text.startswith("/") or "/" in pattern.text.strip("/")
        if not pattern.folder or not anchored:
            return self._tracked
        begin = bisect_left(self._tracked, pattern.folder)
        return self._tracked[begin : bisect_left(self._tracked, pattern.folder + "0", begin)]

    def collide(self, one: Node, other: Node) -> str | None:
        """Give a file or folder that both nodes may touch, or ``None``."""
        if not one.paths or not other.paths or one.repository != other.repository:
            return None
        a, b = self.of(one), self.of(other)
        if shared := a.files & b.files:
            return min(shared)
        return _literal_hit(a, b) or _literal_hit(b, a) or _folders_meet(a, b)


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
