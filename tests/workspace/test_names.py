"""Names that are not UTF-8 are read as files of their own, and shown the same way on every surface."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import repos
from repos import task

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

FORMATS = ("text", "json", "markdown", "html")
RAW, LITERAL = b"a\xff.json", rb"a\xff.json"
"""A byte that is no text, and a name that has what it is shown as."""


def two(folder: Path) -> Path:
    """Make a repository in which both names have a task of their own."""
    repository = repos.repository(folder, repos.work(task("plain"), graph_id="plain"))
    for name, graph_id in ((RAW, "raw"), (LITERAL, "literal")):
        path = os.fsencode(repository / repos.GRAPHS) + b"/" + name
        with open(path, "wb") as file:
            file.write(repos.graph(graph_id, task("t")).encode())
    return repos.add(repository, {})


@pytest.mark.parametrize("rev", [(), ("--rev", "HEAD")])
def test_names_that_are_not_utf_8_are_shown_alike(tmp_path: Path, rev: tuple[str, ...]) -> None:
    repository = two(tmp_path)
    found = repos.sched(repository, "next", "--json", "--limit", "3", *rev).record
    assert {row["graph_id"] for row in found["decisions"]} == {"plain", "raw", "literal"}
    shown = set()
    for graph_id in ("raw", "literal"):
        for name in FORMATS:
            ran = repos.sched(repository, "next", "--graph-id", graph_id, "--format", name, *rev)
            assert ran.code == 0
            text = ran.out.decode()
            shown.add((graph_id, name, "\ufffd" in text, "\udcff" in text))
    assert not [row for row in shown if row[2] or row[3]]
