"""Task files of public repositories: what is ready by the tracker's own rules, and where git-sched differs."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

from formats.foreign import files_of, read
from sandbox import SHARED, ask, commit, names

if TYPE_CHECKING:
    from pathlib import Path

FOLDERS = sorted(path.parent for path in (SHARED / "real-files").glob("*/expected.json"))

pytestmark = pytest.mark.skipif(not FOLDERS, reason="../shared/real-files is not here")


class Difference(NamedTuple):
    """Where the ready nodes are not those the tracker would name, and why."""

    instead_of: frozenset[str]
    ready: frozenset[str]
    why: str


DIFFERENCES: Final = {
    "taskmaster-06": Difference(
        frozenset({"11"}),
        frozenset({"11.1"}),
        "a task with open sub-tasks is offered when they are done; until then its first free sub-task is",
    ),
}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_what_is_ready(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    reading = read(files_of(folder / "repo"))
    right = set(expected.get("startable", expected["ready"]))
    if differs := DIFFERENCES.get(folder.name):
        assert differs.instead_of <= right
        right = right - differs.instead_of | differs.ready
    assert {reading.network.nodes[i].node_id for i in reading.readiness.ready} == right


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_the_command_finds_the_tracker_and_offers_what_is_ready(folder: Path, tmp_path: Path) -> None:
    """Without any configuration, from a commit and from the work tree: never what is begun, finished or blocked."""
    ready = set(read(files_of(folder / "repo")).ready)
    shutil.copytree(folder / "repo", tmp_path, dirs_exist_ok=True)
    commit(tmp_path)
    for words in ((), ("--rev", "HEAD")):
        said = ask(tmp_path, "next", "-q", *words)
        record = json.loads(ask(tmp_path, "next", "--json", *words).out)
        assert said.code == 0
        assert set(names(record["decisions"])) <= ready
        assert len(record["decisions"]) == min(1, len(ready))
        printed = names(record["decisions"]) if record["qualified"] else [row["node_id"] for row in record["decisions"]]
        assert said.out.split() == printed


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_nothing_is_lost(folder: Path) -> None:
    reading = read(files_of(folder / "repo"))
    assert reading.graphs
    assert not [problem for problem in reading.problems if problem.severity == "error"]
    assert not reading.network.broken
