"""The workspaces that every tool is asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import repos

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

BROKEN: dict[str, str | bytes] = {
    ".metagit/tasks/graphs/bad.yml": "graph_id: bad\nnodes:\n  - node_id: a\n    priority: high\n  - [\n",
    ".metagit/tasks/graphs/good.yml": "graph_id: good\nnodes:\n- node_id: a\n- {node_id: b, depends_on: [nowhere]}\n",
}
REFUSED: dict[str, str | bytes] = {**repos.work(repos.task("a")), repos.POLICY: "version: 1\nwieghts: {urgency: 1}\n"}

PLACES: dict[str, Mapping[str, str | bytes]] = {
    "example": repos.example(),
    "empty": {"README.md": "Nothing to do here.\n"},
    "broken": BROKEN,
    "refused": REFUSED,
}


def place(name: str, folder: Path) -> Path:
    """Make a workspace: a repository, or for ``outside`` a folder that is none."""
    if name == "outside":
        for path, content in repos.work(repos.task("a")).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder
    return repos.repository(folder, PLACES[name])


NAMES = [*PLACES, "outside"]
