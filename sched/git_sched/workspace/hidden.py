"""Finds the line that makes git ignore the places of task files, as ``metagit init`` does: no commit has them then."""

from __future__ import annotations

import posixpath
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from git_sched.formats.places import EVERY_PLACE, FOLDERS
from git_sched.formats.policy_file import POLICY_PATHS
from git_sched.model.ids import escape
from git_sched.model.problems import Problem, WorldError
from git_sched.workspace import files, places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.workspace.git_output import IgnoreRule
    from git_sched.workspace.locate import Location

METAGIT_FOLDER: Final = ".metagit/"
"""What ``metagit init`` adds to ``.gitignore``."""


def find_hidden(location: Location) -> Problem | None:
    """Find what hides the task files of a workspace from git: those on disk or, if there are none, whole folders."""
    root = location.root
    if root is None:
        return None
    there = places.expand_all(root, EVERY_PLACE).paths
    return find_hiding(location, there or [f"{folder}/" for folder in FOLDERS])


def find_hiding(location: Location, paths: Sequence[str]) -> Problem | None:
    """Return the problem that git ignores the first of some paths, relative to the workspace, that it ignores."""
    if location.git is None or location.top is None:
        return None
    asked = [location.prefix + path for path in paths]
    if not _are_files(location.top, asked):
        return None
    try:
        rules = location.git.ignore_rules(location.top, asked)
    except WorldError:  # git does not look beyond a link or into a submodule, and this only explains an answer
        return None
    path = next((path for path in paths if location.prefix + path in rules), None)
    return None if path is None else _problem(location, path, rules[location.prefix + path])


def _are_files(top: str, paths: Sequence[str]) -> bool:
    """Whether every ignore file on the way to some paths is a file; git would wait for a pipe in its place."""
    folders = {head for path in paths for head in accumulate(path.split("/")[:-1], "{}/{}".format)} | {""}
    ignores = [f"{folder}/.gitignore".lstrip("/") for folder in folders]
    return not any(isinstance(files.read(top, path), files.Refusal) for path in ignores if files.exists(top, path))


def _problem(location: Location, path: str, rule: IgnoreRule) -> Problem:
    folder = path.rpartition("/")[0]
    line = f"{escape(rule.source, limit=200)}:{rule.line}: {escape(rule.pattern)}"
    inside = rule.source.startswith(location.prefix) and not posixpath.isabs(rule.source)
    return Problem(
        "warning",
        "ignored-by-git",
        f"git ignores {folder} because of {line}, so no commit has the task files there",
        rule.source.removeprefix(location.prefix) if inside else "",
        rule.line if inside else None,
        1 if inside else None,
        hint=_hint(location, folder, rule),
    )


def _hint(location: Location, folder: str, rule: IgnoreRule) -> str:
    if f"{rule.pattern.strip('/')}/" != METAGIT_FOLDER or not folder.startswith(METAGIT_FOLDER):
        return f"remove that line, or add the files all the same: git add -f {folder}"
    own = posixpath.dirname(rule.source) == location.prefix.rstrip("/")
    lead = "" if own else "**/"  # a pattern with a slash in it holds for the folder of its file alone
    hint = f"replace that line with two, {lead}.metagit/* and !{lead}.metagit/tasks/, and commit {folder}"
    policy = next((path for path in POLICY_PATHS if files.exists(location.root or "", path)), None)
    return f"{hint}; the policy: git add -f {policy}" if policy else hint
