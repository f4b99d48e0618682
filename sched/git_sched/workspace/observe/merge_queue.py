"""Merge queues: metagit's merge files, or a file that names the depth of each repository's queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.signals import MergeQueue
from git_sched.workspace import files, places
from git_sched.workspace.observe.json_files import read_json, rows, text, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.model.problems import Problem
    from git_sched.workspace.observe.json_files import JsonPlace

FOLDER = ".metagit/merges"
NO_DEPTHS = "it holds neither merges nor depths, which are whole numbers from 0"
WAITING = frozenset({"queued", "running"})


def observe(place: JsonPlace) -> tuple[MergeQueue, tuple[Problem, ...]]:
    """Count the queued and running merges of each repository; ``queue.json`` is only an index."""
    root, folder, name = place
    found = places.expand(root, f"{folder}/*.json")
    if not files.exists(root, folder):
        return MergeQueue(), ()
    paths = [path for path in found.paths if not path.endswith("/queue.json")]
    read = [(path, read_json(root, path)) for path in paths]
    problems = [unreadable(block.at, block.why) for block in found.blocked]
    problems += [side.problem for _, side in read if side.problem]
    problems += [
        unreadable(path, "it holds no merge")
        for path, side in read
        if not side.problem and _count([side.value]) is None
    ]
    counted = _count([side.value for _, side in read])
    if problems or counted is None:
        return MergeQueue(source=f"{name} cannot be read whole"), tuple(problems)
    return MergeQueue(counted, known=True, source=name), ()


def from_file(root: str, path: str) -> tuple[MergeQueue, tuple[Problem, ...]]:
    """Read depths from a file: ``{"depths": {"owner/name": 3}}``, or metagit's merges in a list.

    A file with ``{"unknown": "why"}`` states that the depths could not be found out.
    """
    side = read_json(root, path)
    value = side.value
    if isinstance(value, dict) and isinstance(value.get("unknown"), str):
        return MergeQueue(source=str(value["unknown"])), ()
    counted = _depths(value)
    if side.problem or counted is None:
        reason = NO_DEPTHS if files.exists(root, path) else "it does not exist"
        return MergeQueue(source=f"{path} cannot be read"), (side.problem or unreadable(path, reason),)
    return MergeQueue(counted, known=True, source=path), ()


def _depths(value: object) -> tuple[tuple[str, int], ...] | None:
    """Return the depths that a file states, or those of the merges that it lists; ``None`` if it does neither."""
    if isinstance(value, list) or (isinstance(value, dict) and "merges" in value):
        merges = rows(value, "merges")
        return None if merges is None else _count(merges)
    table = value.get("depths", value) if isinstance(value, dict) else None
    if not isinstance(table, dict) or not all(type(depth) is int and depth >= 0 for depth in table.values()):
        return None
    return tuple(sorted(table.items()))


def _count(merges: Iterable[object]) -> tuple[tuple[str, int], ...] | None:
    """Count the waiting merges of each repository; ``None`` if an item is not a merge."""
    depths: dict[str, int] = {}
    for merge in merges:
        repository = text(merge, "repository") if isinstance(merge, dict) else None
        if not isinstance(merge, dict) or repository is None or text(merge, "status") is None:
            return None
        if merge["status"] in WAITING:
            depths[repository] = depths.get(repository, 0) + 1
    return tuple(sorted(depths.items()))
