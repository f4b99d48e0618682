"""Worktrees that metagit made: from inside one the workspace is found, which alone has the task files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import repos
from repos import LOG, task
from sandbox import ask, commit, git, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

LIST = ".metagit/worktrees/worktrees.json"


def enter(workspace: Path, path: str, *, repository: Path | None = None, status: str = "active") -> Path:
    """Add a worktree as ``metagit worktree create`` does, with a row in the workspace's list."""
    git(repository or workspace, "worktree", "add", "-q", "-b", "agent/a", str(workspace / path))
    row = {"path": str(workspace / path), "repository": ".", "agent_id": "ann", "status": status}
    write(workspace, {LIST: json.dumps({"worktrees": [row]})})
    return workspace / path


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Make a workspace whose task files git ignores."""
    folder = commit(tmp_path / "shop", {".gitignore": ".metagit/\n.worktrees/\n", "README.md": ""})
    write(folder, repos.work(task("a", repository=".")))
    return folder


def test_the_workspace_of_a_worktree_is_found(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = enter(workspace, ".worktrees/ann/self/self")
    below = tree / "src"
    below.mkdir()
    assert ask(below, "next", "-q").out == "a\n"
    assert ask(tree, "next", "--record", "-q").out == "a\n"
    assert (workspace / LOG).exists()
    assert not (tree / ".metagit").exists()
    inside, outside = (json.loads(ask(folder, "status", "--json").out) for folder in (tree, workspace))
    assert [inside[key] for key in ("basis", "signals", "counts")] == [
        outside[key] for key in ("basis", "signals", "counts")
    ]
    monkeypatch.setenv("GIT_DIR", str(workspace / ".git/worktrees/self"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tree))
    assert ask(tree, "next", "-q").out == "a\n"


def test_a_worktree_elsewhere_is_found_through_its_main_worktree(workspace: Path) -> None:
    tree = enter(workspace, "../elsewhere/ann")
    assert ask(tree, "next", "-q").out == "a\n"


def test_a_worktree_of_another_repository(workspace: Path) -> None:
    api = commit(workspace / ".metagit/web/api", {"README.md": ""})
    tree = enter(workspace, ".worktrees/ann/web/api", repository=api)
    assert ask(tree, "next", "-q").out == "a\n"


def test_a_workspace_that_is_no_repository(tmp_path: Path) -> None:
    workspace = tmp_path / "shop"
    write(workspace, repos.work(task("a")))
    tree = enter(workspace, ".worktrees/ann/web/api", repository=commit(workspace / ".metagit/web/api", {"x": ""}))
    assert ask(tree, "next", "-q").out == "a\n"


def test_a_worktree_that_nothing_names_is_a_workspace_of_its_own(workspace: Path) -> None:
    tree = enter(workspace, ".worktrees/ann/self/self", status="destroyed")
    assert "no task files here" in ask(tree, "next").out
    write(workspace, {LIST: "no list"})
    assert "no task files here" in ask(tree, "next").out


def test_what_is_asked_for_outright_is_what_is_read(workspace: Path) -> None:
    tree = enter(workspace, ".worktrees/ann/self/self")
    assert "no task files here" in ask(tree, "next", "--workspace", ".").out
    assert "no task files here" in ask(tree, "next", "--rev", "HEAD").out
    write(tree, repos.work(task("own")))
    assert ask(tree, "next", "-q").out == "own\n"


def test_empty_folders_that_metagit_makes_wherever_it_is_run_hide_nothing(workspace: Path) -> None:
    tree = enter(workspace, ".worktrees/ann/self/self")
    write(tree, repos.work(task("own")))
    (tree / ".metagit/merges").mkdir()
    write(workspace, {".metagit/merges/m1.json": json.dumps({"repository": "p/r", "status": "queued"})})
    queue = json.loads(ask(tree, "status", "--json").out)["signals"]["merge_queue"]
    assert queue["depths"] == {"p/r": 1}


@pytest.mark.parametrize("other", [False, True])
def test_who_asks_from_it_is_its_agent(workspace: Path, *, other: bool) -> None:
    """Also from a worktree of another repository, which git does not list here."""
    api = commit(workspace / ".metagit/web/api", {"README.md": ""}) if other else None
    tree = enter(workspace, ".worktrees/somebody/x", repository=api)
    (decision,) = json.loads(ask(tree, "next", "--json").out)["decisions"]
    assert decision["agent_id"] == "ann"
    (decision,) = json.loads(ask(workspace, "next", "--json").out)["decisions"]
    assert decision["agent_id"] is None
