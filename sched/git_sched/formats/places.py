"""The registry of formats: where each tracker keeps its files. A new one is a module of that name and a line here."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

PLACES: Final[dict[str, tuple[str, ...]]] = {
    "native": (".metagit/tasks/graphs/*.json", ".metagit/tasks/graphs/*.yml", ".metagit/tasks/graphs/*.yaml"),
    "taskmaster": (".taskmaster/tasks/tasks.json", "tasks/tasks.json"),
    "beads": (".beads/*.jsonl", ".beads/config.yaml", ".beads/metadata.json"),
    "backlog": (
        "backlog.config.yml",
        *(
            f"{folder}/{inside}"
            for folder in ("backlog", ".backlog")
            for inside in ("config.yml", "config.yaml", "tasks/*.md", "completed/*.md")
        ),
    ),
    "speckit": ("specs/*/tasks.md",),
    "kiro": (".kiro/specs/*/tasks.md",),
}
"""The usual paths of each format, relative to a workspace; ``*`` stands for one file or folder name.

The order is that in which sources are listed. A module is imported only if a file exists at one of its places.
"""

EVERY_PLACE: Final = tuple(place for places in PLACES.values() for place in places)

FOLDERS: Final = tuple(dict.fromkeys(p.partition("*")[0].rpartition("/")[0] for p in EVERY_PLACE if p[0] == "."))
"""The folders whose name alone belongs to a tracker: anything else of that name is reported."""

HOMES: Final = tuple(dict.fromkeys(folder.partition("/")[0] for folder in FOLDERS))
"""The tops of those folders: what is above one of them is the folder that the tracker is used in."""

_FIRST: Final = tuple(next((place for place in places if "/" in place), places[0]) for places in PLACES.values())

LOOKED_FOR: Final = (_FIRST[0].rpartition("/")[0], *(place.partition("/")[0] for place in _FIRST[1:]))
"""Where each format was looked for, as messages state it when no task file is found.

For trackers the top folder is named. For native graphs, which come first, the full path is: its top holds more.
"""


def list_folders(places: Iterable[str]) -> tuple[str, ...]:
    """Return every folder on the way to the files of some places, as a place itself."""
    ways = (accumulate(place.split("/")[:-1], "{}/{}".format) for place in places)
    return tuple(dict.fromkeys(folder for way in ways for folder in way))
