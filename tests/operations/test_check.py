"""``git sched check``: which paths it was asked about were read, and what is reported only on request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import pytest

from sandbox import Said, ask, commit

if TYPE_CHECKING:
    from pathlib import Path

GRAPHS: Final = ".metagit/tasks/graphs"
FILES: Final = {
    f"{GRAPHS}/g.yml": (
        "graph_id: g\nnodes:\n"
        "  - {node_id: a, status: completed, depends_on: [nobody]}\n"
        "  - {node_id: b}\n"
        "  - {node_id: c, status: completed, lables: [x]}\n"
    ),
    ".taskmaster/tasks/tasks.json": '{"tasks": [{"id": 1, "title": "One", "status": "pending"}]}',
    ".taskmaster/state.json": "{}",
    "specs/001-search/tasks.md": "# Tasks\n\n- [ ] T001 Build the index\n",
    "specs/001-search/plan.md": "# Plan\n",
    "old/specs/002-more/tasks.md": "# Tasks\n\n- [ ] T001 Leave it\n",
    "README.md": "# Nothing\n",
    "src/specs/notes.md": "# Not a tracker\n",
    ".metagit/schedule/policy.yml": "version: 1\nexclude: [old]\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Make a workspace with several trackers, their side files, and files of nobody."""
    return commit(tmp_path, FILES)


def check(folder: Path, *words: str) -> Said:
    """Ask for the problems of some paths below a folder."""
    return ask(folder, "check", "--json", *(word if word.startswith("-") else str(folder / word) for word in words))


READ: Final = (".", f"{GRAPHS}/g.yml", ".metagit", ".taskmaster", ".metagit/schedule/policy.yml", "specs")


@pytest.mark.parametrize("path", READ)
def test_a_path_that_was_read_is_not_named(workspace: Path, path: str) -> None:
    found = check(workspace, path)
    assert found.code == 0
    assert json.loads(found.out)["not_read"] == []


@pytest.mark.parametrize(
    "path", [".taskmaster/state.json", "specs/001-search/plan.md", "old", "old/specs/002-more/tasks.md"]
)
def test_a_side_file_and_what_the_policy_leaves_out_are_named_as_not_read(workspace: Path, path: str) -> None:
    found = check(workspace, path, f"{GRAPHS}/g.yml")
    assert found.code == 0
    assert json.loads(found.out)["not_read"] == [path]
    assert f"{path} is not read\n" in ask(workspace, "check", str(workspace / path)).out


@pytest.mark.parametrize("path", ["README.md", "src", "src/specs/notes.md"])
def test_a_path_that_nothing_reads_is_an_error(workspace: Path, path: str) -> None:
    found = check(workspace, path, f"{GRAPHS}/g.yml")
    assert (found.code, found.out) == (2, "")
    assert "was not read: it is not where any tracker keeps its tasks" in found.err
    assert f"hint: git sched check --graph {workspace / path} reads it as a task file\n" in found.err


def test_a_task_file_that_the_sources_of_the_policy_leave_out_is_not_read(workspace: Path) -> None:
    sources = f"version: 1\nsources: [{{path: {GRAPHS}/g.yml}}]\n"
    commit(workspace, {".metagit/schedule/policy.yml": sources})
    assert json.loads(check(workspace, "old/specs/002-more/tasks.md").out)["not_read"] == [
        "old/specs/002-more/tasks.md"
    ]
    assert check(workspace, "README.md").code == 2


def test_a_file_that_cannot_be_read_is_reported_rather_than_named(workspace: Path) -> None:
    commit(workspace, {f"{GRAPHS}/broken.json": "{"})
    found = json.loads(check(workspace, f"{GRAPHS}/broken.json").out)
    assert found["not_read"] == []
    assert [problem["code"] for problem in found["problems"]] == ["syntax"]


def test_what_is_wrong_with_finished_tasks_is_reported_on_request(workspace: Path) -> None:
    assert json.loads(check(workspace).out)["problems"] == []
    listed = json.loads(check(workspace, "--all").out)["problems"]
    assert [problem["code"] for problem in listed] == ["unknown-dependency", "unknown-key"]
    assert ask(workspace, "check").out.endswith(": no problems\n")
