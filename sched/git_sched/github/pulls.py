"""Finds the pull request of a run whose event does not name it (``action.md`` 3.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from git_sched.github.api import pages

if TYPE_CHECKING:
    from git_sched.github.api import Api


def find_pull(api: Api, repository: str, branch: str, head: str) -> int | None:
    """Give the number of the open pull request from ``owner:branch`` that stands at the commit ``head``."""
    listed = pages(api, f"/repos/{repository}/pulls?state=open&head={quote(branch, safe='')}")
    for row in listed.value if listed.ok else ():
        found = row.get("head") if isinstance(row, dict) else None
        if isinstance(found, dict) and found.get("sha") == head and type(row.get("number")) is int:
            return int(row["number"])
    return None
