"""Side files: JSON that other tools keep next to the graphs; a corrupt one is a problem, never a crash."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.json_codec import load
from git_sched.model.problems import Problem
from git_sched.workspace import files, places

if TYPE_CHECKING:
    from collections.abc import Mapping


class SideFile(NamedTuple):
    """A side file as read: ``value`` is ``None`` if there is a problem, or no file."""

    value: object = None
    problem: Problem | None = None


class JsonPlace(NamedTuple):
    """Where a side file or a folder of them is: a folder, the path below it, and the name used in messages."""

    root: str
    path: str
    name: str


def find_place(root: str, path: str, *, main: str | None, prefix: str) -> JsonPlace:
    """Return the place of a side file in a workspace: its own, or the one of the main worktree if only that has it.

    Git does not share these files between worktrees, but the signals in them hold for the whole machine.
    ``main`` is the main worktree's folder, ``prefix`` the workspace's path below it.
    """
    is_main = main is not None and os.path.join(main, prefix, "") == os.path.join(root, "")
    if main is None or is_main or _holds(root, path) or not files.exists(main, prefix + path):
        return JsonPlace(root, path, path)
    return JsonPlace(main, prefix + path, f"{prefix}{path} of the main worktree")


def _holds(root: str, path: str) -> bool:
    """Whether there may be a file, or a folder with files in it: metagit makes empty ones wherever it is run."""
    if path.endswith(".json"):
        return files.exists(root, path)
    return places.expand(root, f"{path}/*.json") != places.Found()


def read_json(root: str, path: str) -> SideFile:
    """Read one JSON file below a root; a file that does not exist is not a problem."""
    if not files.exists(root, path):
        return SideFile()
    data = files.read(root, path)
    if isinstance(data, files.Refusal):
        return SideFile(problem=unreadable(path, data.message))
    try:
        value = load(data)
    except ValueError as error:
        return SideFile(problem=unreadable(path, f"it is not valid JSON: {error}"))
    return SideFile(value) if value is not None else SideFile(problem=unreadable(path, "it holds nothing but null"))


def unreadable(path: str, reason: str) -> Problem:
    """Return the problem that a side file cannot be used."""
    return Problem("warning", "signal-unreadable", reason, path, hint="its signal counts as unknown until it is fixed")


def rows(value: object, key: str) -> list[dict[str, object]] | None:
    """Return the mappings in a list, or in the list under a key; ``None`` if there is no such list."""
    listed = value.get(key) if isinstance(value, dict) else value
    if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
        return None
    return listed


def text(row: Mapping[str, object], key: str) -> str | None:
    """Return the text under a key without surrounding spaces, or ``None`` if there is none."""
    value = row.get(key)
    return value.strip() or None if isinstance(value, str) else None
