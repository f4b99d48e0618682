"""Task files that git ignores, as ``metagit init`` makes it: the line is named wherever a commit is asked for."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

import repos
from repos import task
from sandbox import ask, commit, git, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

POLICY_JSON = ".metagit/schedule/policy.json"
IGNORED = {".gitignore": "build/\n\n# Metagit workspace\n.metagit/\n"}
MESSAGE = "git ignores .metagit/tasks/graphs because of .gitignore:4: .metagit/, so no commit has the task files there"
HINT = "replace that line with two, .metagit/* and !.metagit/tasks/, and commit .metagit/tasks/graphs"


@pytest.fixture
def hidden(tmp_path: Path) -> Path:
    """Make a repository whose graph and policy are ignored."""
    folder = commit(tmp_path / "main", IGNORED)
    write(folder, {**repos.work(task("a")), POLICY_JSON: "{}"})
    return folder


def problems(folder: Path, *words: str) -> list[tuple[str, int | None, str]]:
    """Give the problems of ``check``: path, line and hint."""
    said = ask(folder, "check", "--json", *words)
    assert said.code == 0
    return [(row["path"], row["line"], row["hint"]) for row in json.loads(said.out)["problems"]]


def test_every_answer_about_a_commit_names_the_line(hidden: Path) -> None:
    assert problems(hidden, "--rev", "HEAD") == [(".gitignore", 4, f"{HINT}; the policy: git add -f {POLICY_JSON}")]
    for command in ("next", "plan"):
        said = " ".join(ask(hidden, command, "--rev", "HEAD").text.split())
        assert MESSAGE in said
        assert f"hint: {HINT}" in said
        assert "git sched init writes" not in said
    assert ask(hidden, "check", "--rev", "HEAD", "--format", "github").out.startswith(
        "::warning file=.gitignore,line=4,"
    )
    assert "because of" in ask(hidden, "next", "--rev", "HEAD", "--format", "summary").out


def test_the_work_tree_is_read_as_ever(hidden: Path) -> None:
    assert problems(hidden) == []
    assert ask(hidden, "next", "-q").out == "a\n"


def test_a_clone_without_the_files_names_it_too(hidden: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(hidden), "clone")
    assert problems(tmp_path / "clone", "--rev", "HEAD") == [(".gitignore", 4, HINT)]


def test_the_hint_works(hidden: Path) -> None:
    commit(hidden, {".gitignore": "build/\n\n# Metagit workspace\n.metagit/*\n!.metagit/tasks/\n"})
    git(hidden, "add", "-f", POLICY_JSON)
    commit(hidden)
    assert ask(hidden, "next", "--rev", "HEAD", "-q").out == "a\n"
    assert ask(hidden, "policy", "show", "--rev", "HEAD").out.startswith(f"{POLICY_JSON} (preset rfc-0012)")


def test_a_workspace_below_the_ignore_file(tmp_path: Path) -> None:
    folder = commit(tmp_path, {**IGNORED, "shop/README.md": ""})
    (found,) = problems(folder, "--rev", "HEAD", "--workspace", "shop")
    lines = "**/.metagit/* and !**/.metagit/tasks/"
    assert found == ("", None, f"replace that line with two, {lines}, and commit .metagit/tasks/graphs")
    write(folder, {f"shop/{name}": text for name, text in repos.work(task("a")).items()})
    commit(folder, {".gitignore": "**/.metagit/*\n!**/.metagit/tasks/\n"})
    assert ask(folder, "next", "--rev", "HEAD", "--workspace", "shop", "-q").out == "a\n"


def test_any_line_and_any_tracker(tmp_path: Path) -> None:
    folder = commit(tmp_path, {".gitignore": "*.jsonl\n"})
    write(folder, {".beads/issues.jsonl": '{"id":"x-1","title":"T","status":"open"}\n'})
    assert problems(folder, "--rev", "HEAD") == [
        (".gitignore", 1, "remove that line, or add the files all the same: git add -f .beads")
    ]


def test_a_rule_that_is_taken_back_or_means_other_files_hides_nothing(tmp_path: Path) -> None:
    folder = commit(tmp_path, {".gitignore": ".metagit\n!.metagit\n*.json\n"})
    assert problems(folder, "--rev", "HEAD") == []


def test_where_there_is_no_work_tree_nothing_is_asked(
    hidden: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(hidden), "bare.git")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "bare.git"))
    assert problems(tmp_path, "--rev", "HEAD") == []


@pytest.mark.parametrize("folder", ["", ".metagit/"])
def test_a_pipe_in_place_of_an_ignore_file_keeps_nobody_waiting(hidden: Path, folder: str) -> None:
    (hidden / ".gitignore").unlink()
    os.mkfifo(hidden / folder / ".gitignore")
    assert problems(hidden, "--rev", "HEAD") == []
