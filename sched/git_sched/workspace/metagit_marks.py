"""Tells a workspace that metagit made, in which policies are kept where metagit reads them too."""

from __future__ import annotations

from typing import Final

from git_sched.workspace import files

MARKS: Final = (".metagit.yml", "metagit.yml", ".metagit/tasks/index.json")
"""metagit's manifest, and the index that it writes beside the first graph; git-sched writes none of them."""


def is_metagits(root: str) -> bool:
    """Whether metagit made the workspace in a folder."""
    return any(files.exists(root, mark) for mark in MARKS)
