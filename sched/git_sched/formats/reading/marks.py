"""Marks: the places of values in a file, and YAML scalars that readers disagree about."""

from __future__ import annotations

from typing import NamedTuple

Path = tuple[str | int, ...]
"""The keys and list indexes that lead from the root of a document to a value."""

DEPTH_LIMIT = 64
"""Levels to which lists and mappings may be nested."""


class AmbiguousScalar(str):
    """A plain YAML scalar that readers take for different things, such as ``no``, ``010`` or ``2026-01-01``.

    It keeps the text as written. Readers of text must refuse it; readers of dates may accept it.
    """

    __slots__ = ()


class Mark(NamedTuple):
    """The place of the value at a path, and of its key if it has one; ``repeated`` if the key occurred before."""

    path: Path
    value: tuple[int, int]
    key: tuple[int, int] | None = None
    repeated: bool = False
