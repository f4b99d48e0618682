"""Marks: where values stand in a file, and the words of YAML that readers disagree about."""

from __future__ import annotations

from typing import NamedTuple

Path = tuple[str | int, ...]
"""The keys and list indexes that lead from the root of a document to a value."""

DEPTH_LIMIT = 64
"""How deeply lists and mappings may be nested."""


class AmbiguousScalar(str):
    """A plain YAML scalar that readers take for different things, such as ``no``, ``010`` or ``2026-01-01``.

    It keeps the text as written. Whoever needs text must refuse it; whoever reads dates may accept it.
    """

    __slots__ = ()


class Mark(NamedTuple):
    """Where the value at a path stands, and its key if it has one; ``repeated`` when the key stood before."""

    path: Path
    value: tuple[int, int]
    key: tuple[int, int] | None = None
    repeated: bool = False
