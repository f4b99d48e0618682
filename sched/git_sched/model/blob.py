"""A blob: the bytes of one file, with its path and its object id."""

from __future__ import annotations

from typing import NamedTuple


class Blob(NamedTuple):
    """The bytes of one file, its path relative to the workspace, and the id git gives to these bytes."""

    path: str
    data: bytes
    object_id: str = ""
