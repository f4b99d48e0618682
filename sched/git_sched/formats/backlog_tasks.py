"""The task files of one Backlog.md folder become nodes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.front_matter import read_front_matter
from git_sched.graph import BrokenNode, Node, Place, Spot

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_sched.formats.backlog_config import Config
    from git_sched.formats.base import Blob
    from git_sched.formats.document import Document
    from git_sched.formats.findings import Findings

NO_PRIORITY: Final = 0
"""What a task without priority counts as; more than half of all tasks have none."""

_FILE_ID: Final = re.compile(r"(?P<id>.+?-\d+(?:\.\d+)*)(?![\d.])")
_ID_LIST: Final = re.compile(r"[A-Za-z]*-?\d+(?:\.\d+)*(?:\s*,\s*[A-Za-z]*-?\d+(?:\.\d+)*)*")
_FILE_KEYS: Final = {"node_id": "id", "depends_on": "dependencies", "parent": "parent_task_id"}


class File(NamedTuple):
    """A task file as read; ``done`` where it lies among the completed ones."""

    document: Document
    done: bool


class Record(NamedTuple):
    """A task by its canonical id, as far as it could be read."""

    node_id: str
    node: Node | BrokenNode
    done: bool


class FileLocate(NamedTuple):
    """Finds spots in a folder of task files, where a node's number is that of its file."""

    root: str
    files: Sequence[File]

    def __call__(self, spots: Collection[Spot], /) -> Mapping[Spot, Place]:
        """Find all spots; each file is walked by itself."""
        return {spot: self._place(spot) for spot in spots}

    def _place(self, spot: Spot) -> Place:
        if spot.node < 0:
            return Place(self.root)
        key = _FILE_KEYS.get(spot.key, spot.key)
        path = (key, spot.item) if key and spot.item >= 0 else (key,) if key else ()
        document = self.files[spot.node].document
        return (
            document.places([(path, spot.at_key)])[path, spot.at_key] if document.readable else Place(document.path, 1)
        )


def read_files(blobs: Sequence[Blob], config: Config, found: Findings, files: list[File]) -> list[Blob]:
    """Read the front matter of task files into ``files``; give the files that hold no task."""
    strangers = []
    for blob in blobs:
        document = read_front_matter(blob)
        if document is None or (document.readable and not isinstance(document.value, dict)):
            strangers.append(blob)
        else:
            files.append(File(document, "/completed/" in f"/{blob.path}"))
    return strangers
