"""Side files: JSON that other tools leave beside the graphs; a corrupt one is a problem, never a crash."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.json_codec import load
from git_sched.model.problems import Problem
from git_sched.workspace import files

if TYPE_CHECKING:
    from collections.abc import Mapping


class SideFile(NamedTuple):
    """A side file as read: ``value`` is ``None`` where there is a problem, or no file."""

    value: object = None
    problem: Problem | None = None


class JsonPlace(NamedTuple):
    """Where a side file or a folder of them lies: a folder to start from, the path below it, and what it is called."""

    root: str
    path: str
    name: str


def find_place(root: str, path: str, *, main: str | None, prefix: str) -> JsonPlace:
    """Give the place of a side file in a workspace: its own, else the one of the main worktree, if that has it.

    What metagit keeps there git does not carry from one worktree to another, and the signals are those of the machine.
    ``main`` is the main worktree's folder, ``prefix`` the workspace's path below it.
    """
    if main is None or files.exists(root, path) or not files.exists(main, prefix + path):
        return JsonPlace(root, path, path)
    return JsonPlace(main, prefix + path, f"{prefix}{path} of the main worktree")


def read_json(root: str, path: str) -> SideFile:
    """Read one JSON file below a root; a file that does not exist is an empty answer without a problem."""
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
    """Say that a side file could not be used."""
    return Problem("warning", "signal-unreadable", reason, path, hint="its signal counts as unknown until it is mended")


def rows(value: object, key: str) -> list[dict[str, object]] | None:
    """Give the mappings in a list, or in the list under a key; ``None`` where there is no such list."""
    listed = value.get(key) if isinstance(value, dict) else value
    if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
        return None
    return listed


def text(row: Mapping[str, object], key: str) -> str | None:
    """Give the text under a key, blanks stripped, or ``None``."""
    value = row.get(key)
    return value.strip() or None if isinstance(value, str) else None
