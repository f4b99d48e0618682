"""Merge queues: metagit's merge files, or a file that names each repository's depth (rule A7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched import files
from git_sched.observe.side_files import read_json, rows, text, unreadable
from git_sched.signals import MergeQueue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.problems import Problem

FOLDER = ".metagit/merges"
WAITING = frozenset({"queued", "running"})


def observe(root: str) -> tuple[MergeQueue, tuple[Problem, ...]]:
    """Count the queued and running merges of each repository; ``queue.json`` is only an index."""
    paths = [path for path in files.expand(root, f"{FOLDER}/*.json") if not path.endswith("/queue.json")]
    if not files.exists(root, FOLDER):
        return MergeQueue(), ()
    read = [(path, read_json(root, path)) for path in paths]
    problems = [side.problem for _, side in read if side.problem]
    problems += [
        unreadable(path, "it holds no merge")
        for path, side in read
        if not side.problem and not isinstance(side.value, dict)
    ]
    if problems:
        return MergeQueue(source=f"{FOLDER} cannot be read whole"), tuple(problems)
    return MergeQueue(_count(side.value for _, side in read), known=True, source=FOLDER), ()


def from_file(root: str, path: str) -> tuple[MergeQueue, tuple[Problem, ...]]:
    """Read depths from a file: ``{"depths": {"owner/name": 3}}``, or metagit's merges in a list.

    A file that says ``{"unknown": "why"}`` hands on that nobody could find out.
    """
    side = read_json(root, path)
    if side.problem or side.value is None:
        return MergeQueue(source=f"{path} cannot be read"), (side.problem or unreadable(path, "it does not exist"),)
    value = side.value
    if isinstance(value, dict) and isinstance(value.get("unknown"), str):
        return MergeQueue(source=str(value["unknown"])), ()
    table = value.get("depths", value) if isinstance(value, dict) and "merges" not in value else None
    if isinstance(table, dict):
        if not all(type(depth) is int and depth >= 0 for depth in table.values()):
            return MergeQueue(source=f"{path} cannot be read"), (unreadable(path, "a depth is no whole number from 0"),)
        return MergeQueue(tuple(sorted(table.items())), known=True, source=path), ()
    return MergeQueue(_count(rows(value, "merges")), known=True, source=path), ()


def _count(merges: Iterable[object]) -> tuple[tuple[str, int], ...]:
    depths: dict[str, int] = {}
    for merge in merges:
        if isinstance(merge, dict) and merge.get("status") in WAITING and (repository := text(merge, "repository")):
            depths[repository] = depths.get(repository, 0) + 1
    return tuple(sorted(depths.items()))
