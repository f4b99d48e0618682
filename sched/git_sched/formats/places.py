"""The registry of formats: where each tracker keeps its files. A new one is a module of that name and a line here."""

from __future__ import annotations

from typing import Final

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

The order is that in which sources are listed. A module is imported only where one of its places is taken.
"""

EVERY_PLACE: Final = tuple(place for places in PLACES.values() for place in places)

FOLDERS: Final = tuple(dict.fromkeys(p.partition("*")[0].rpartition("/")[0] for p in EVERY_PLACE if p[0] == "."))
"""The folders that are a tracker's by their very name: what else stands in their place is no coincidence."""

_FIRST: Final = tuple(next((place for place in places if "/" in place), places[0]) for places in PLACES.values())

LOOKED_FOR: Final = (_FIRST[0].rpartition("/")[0], *(place.partition("/")[0] for place in _FIRST[1:]))
"""Where each format is said to have been looked for when no task file is found.

A tracker's folder is named by its top, that of native graphs, which come first, in full: its top holds more.
"""
