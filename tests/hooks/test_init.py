"""``git sched init`` writes what a workspace begins with, and nothing that is there already."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
import yaml

import repos
from git_sched.decide.factors import FACTOR_NAMES
from git_sched.formats import policy_file
from git_sched.formats.policy_file import own_readers
from git_sched.model.blob import Blob
from git_sched.model.policy import KEYS, Policy
from git_sched.operations.agent_lines import AGENT_LINES
from git_sched.operations.starter_files import GRAPH_PATH, IGNORE, LOGS, POLICY_PATH, build_policy
from sandbox import ask, git, tree

if TYPE_CHECKING:
    from pathlib import Path

ADDED = f"{IGNORE}\n{LOGS[0]}\n{LOGS[1]}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give an empty repository."""
    git(tmp_path, "init", "-q", "-b", "main")
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    """Give the bytes of every file of a work tree."""
    return tree(folder, without=".git")


def test_an_empty_repository(folder: Path) -> None:
    before = tree(folder / ".git")
    said = ask(folder, "init")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[:3] == [
        f"writes  {GRAPH_PATH}",
        f"writes  {POLICY_PATH}",
        f"adds    {', '.join(LOGS)} to .gitignore",
    ]
    assert set(files(folder)) == {GRAPH_PATH, POLICY_PATH, ".gitignore"}
    assert (folder / ".gitignore").read_text() == ADDED
    assert tree(folder / ".git") == before
    checked = ask(folder, "check", "--strict")
    assert (checked.code, checked.out) == (0, "1 graph, 3 nodes, 1 policy: no problems\n")
    assert ask(folder, "next", "-q").out == "first-step\n"
    repos.add(folder, {})
    assert ask(folder, "next", "-q", "--record").code == 0
    assert git(folder, "status", "--short") == ""


def test_again(folder: Path) -> None:
    ask(folder, "init")
    (folder / POLICY_PATH).write_text("version: 1\n")
    before = repos.snapshot(folder)
    said = ask(folder, "init")
    assert said.code == 0
    assert "nothing to write: all of it is there" in said.out
    assert repos.snapshot(folder) == before


@pytest.mark.parametrize(
    "path",
    [
        ".beads/issues.jsonl", ".taskmaster/tasks/tasks.json", "backlog/tasks/task-1 - Do.md", "specs/001-x/tasks.md",
        ".kiro/specs/x/tasks.md", ".metagit/tasks/graphs/mine.json", ".metagit/tasks/graphs/tasks.yml",
    ],
)  # fmt: skip
def test_a_tracker_that_is_there(folder: Path, path: str) -> None:
    repos.add(folder, {path: "{}"})
    said = ask(folder, "init")
    assert said.out.startswith(f"found   {path}\nwrites  {POLICY_PATH}\n")
    assert set(files(folder)) == {path, POLICY_PATH, ".gitignore"}
    assert (folder / path).read_text() == "{}"


def test_a_file_name_that_a_terminal_or_a_runner_would_obey(folder: Path) -> None:
    path = folder / ".metagit/tasks/graphs/\x1b[31m\u202e##[error]\n::error::x.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}", encoding="utf-8")
    first, *_ = ask(folder, "init").out.splitlines()
    assert first == r"found   .metagit/tasks/graphs/\x1b[31m\u202e## [error]\n::error::x.json"


@pytest.mark.parametrize("name", ["policy.yml", "policy.yaml", "policy.json"])
def test_a_policy_that_is_there(folder: Path, name: str) -> None:
    repos.add(folder, {f".metagit/schedule/{name}": "{}"})
    said = ask(folder, "init")
    assert f"found   .metagit/schedule/{name}\n" in said.out
    assert set(files(folder)) == {GRAPH_PATH, f".metagit/schedule/{name}", ".gitignore"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("*.o\n", f"*.o\n{ADDED}"),
        ("*.o", f"*.o\n{ADDED}"),
        (f"{LOGS[1]}\n", f"{LOGS[1]}\n{IGNORE}\n{LOGS[0]}\n"),
        ("/.metagit/schedule/*.jsonl\n.metagit/events/*\n", "/.metagit/schedule/*.jsonl\n.metagit/events/*\n"),
        ("*.o\r\n", f"*.o\r\n{ADDED}"),
    ],
)
def test_ignore_lines_that_are_there(folder: Path, before: str, after: str) -> None:
    (folder / ".gitignore").write_bytes(before.encode())
    ask(folder, "init")
    assert (folder / ".gitignore").read_bytes().decode() == after


def test_a_log_that_is_tracked(folder: Path) -> None:
    repos.add(folder, {LOGS[0]: ""})
    ask(folder, "init")
    before = repos.snapshot(folder)
    ask(folder, "init")
    assert repos.snapshot(folder) == before


@pytest.mark.parametrize("link", [".metagit", ".metagit/schedule", ".metagit/tasks", ".gitignore", POLICY_PATH])
def test_links_are_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory, link: str) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (folder / link).parent.mkdir(parents=True, exist_ok=True)
    (folder / link).symlink_to(outside / "nosuch" if link in {".gitignore", POLICY_PATH} else outside)
    before = repos.snapshot(folder, outside)
    said = ask(folder, "init")
    if link == POLICY_PATH:  # it is there, whatever it leads to
        assert POLICY_PATH not in files(folder)
    else:
        assert said.code == (4 if link == ".gitignore" else 2)
        assert "symbolic link, which is not followed" in said.err
        assert repos.snapshot(folder, outside) == before
    assert list(outside.iterdir()) == []


def test_a_folder_of_the_workspace(folder: Path) -> None:
    (folder / "inner").mkdir()
    assert ask(folder, "init", "--workspace", "inner").code == 0
    assert set(files(folder)) == {f"inner/{name}" for name in (GRAPH_PATH, POLICY_PATH, ".gitignore")}
    assert ask(folder / "inner", "next", "-q").out == "first-step\n"


def test_outside_git_there_is_nothing_to_ignore_for(tmp_path: Path) -> None:
    assert ask(tmp_path, "init").code == 0
    assert set(files(tmp_path)) == {GRAPH_PATH, POLICY_PATH}


def test_a_bare_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = repos.clone(repos.repository(tmp_path / "full", {}), tmp_path / "bare", "--bare")
    monkeypatch.setenv("GIT_DIR", str(bare))
    before = repos.snapshot(tmp_path)
    said = ask(bare, "init")
    assert (said.code, said.out) == (2, "")
    assert "no work tree" in said.err
    assert repos.snapshot(tmp_path) == before


def test_what_cannot_be_written_is_said(folder: Path) -> None:
    os.mkfifo(folder / ".gitignore")
    before = repos.snapshot(folder)
    said = ask(folder, "init")
    assert (said.code, said.out) == (4, "")
    assert "error: .gitignore is a named pipe, not a file\n" in said.err
    assert repos.snapshot(folder) == before


def uncommented() -> str:
    """Give the starter policy with every value in force that it has in a comment."""
    return re.sub(r"^# (?=  |[a-z_]+:)", "", build_policy(), flags=re.MULTILINE)


def test_the_policy_shows_every_key_in_a_form_that_holds(folder: Path) -> None:
    repos.add(folder, {POLICY_PATH: uncommented(), GRAPH_PATH: "graph_id: tasks\nnodes: []\n"})
    said = ask(folder, "check", POLICY_PATH)
    assert said.out.endswith("1 policy: no problems\n"), said.text
    assert list(yaml.safe_load(uncommented())) == list(own_readers(FACTOR_NAMES))


def test_the_values_in_comments_are_those_in_force_or_examples() -> None:
    found = policy_file.parse(Blob(POLICY_PATH, uncommented().encode()), factors=FACTOR_NAMES).policy
    assert found is not None
    base = Policy().base_weights()
    assert dict(found.weights) == {name: base.get(name, 0.0) for name in FACTOR_NAMES}
    assert {name for name, key in KEYS.items() if getattr(found, name) != key.default} == {
        "weights", "limits", "dispatch", *(name for name, key in KEYS.items() if key.example),
    }  # fmt: skip


def test_the_lines_for_agents_are_printed(folder: Path) -> None:
    said = ask(folder, "init", "--agents")
    assert (said.code, said.out, said.err) == (0, AGENT_LINES, "")
    assert not files(folder)


def test_the_lines_for_agents_are_added_once(folder: Path) -> None:
    """Below what is there, with a blank line between; in whatever folder ``-o`` names."""
    (folder / "docs").mkdir()
    (folder / "AGENTS.md").write_text("# Rules\n\nBe kind.")
    said = ask(folder, "init", "--agents", "-o", "AGENTS.md")
    assert (said.code, said.out, said.err) == (0, "adds    the lines to AGENTS.md\n", "")
    assert (folder / "AGENTS.md").read_text() == f"# Rules\n\nBe kind.\n\n{AGENT_LINES}"
    assert ask(folder / "docs", "init", "--agents", "-o", "new.md").code == 0
    assert (folder / "docs" / "new.md").read_text() == AGENT_LINES
    before = repos.snapshot(folder)
    assert ask(folder, "init", "--agents", "-o", "AGENTS.md").out == "found   the lines in AGENTS.md\n"
    assert repos.snapshot(folder) == before


def test_the_lines_for_agents_go_into_plain_files_alone(folder: Path) -> None:
    (folder / "elsewhere").write_text("")
    (folder / "AGENTS.md").symlink_to("elsewhere")
    for name in ("AGENTS.md", ".git/AGENTS.md", "missing/AGENTS.md", "."):
        said = ask(folder, "init", "--agents", "-o", name)
        assert (said.code, said.out) == (4, ""), name
    assert (folder / "elsewhere").read_text() == ""
    said = ask(folder, "init", "-o", "AGENTS.md")
    assert (said.code, said.err) == (2, "error: -o needs --agents: the other files have fixed places\n")


def test_the_lines_for_agents_are_ten() -> None:
    heading, blank, *lines = AGENT_LINES.splitlines()
    assert heading.startswith("## ")
    assert not blank
    assert len(lines) <= 10
    for command in ("next --agent NAME --dispatch", "take NODE", "release NODE", "explain NODE", "SCHED_AGENT"):
        assert command in AGENT_LINES


# Beside metagit


def test_metagits_workspace_gets_metagits_policy(folder: Path) -> None:
    (folder / ".metagit.yml").write_text("name: shop\n")
    said = ask(folder, "init")
    assert said.code == 0
    assert "writes  .metagit/schedule/policy.json\n" in said.out
    shown = ask(folder, "policy", "show")
    assert shown.out.startswith(".metagit/schedule/policy.json (preset rfc-0012)\n")
    assert ask(folder, "check").code == 0
    assert ask(folder, "init").out.splitlines()[0].startswith("found ")


def test_a_line_that_hides_the_task_files_is_named(folder: Path) -> None:
    (folder / ".gitignore").write_text("build/\n\n# Metagit workspace\n.metagit/\n")
    said = ask(folder, "init")
    assert said.code == 0
    assert said.err.startswith("git ignores .metagit/tasks/graphs because of .gitignore:4: .metagit/, so no commit")
    assert ".metagit/* and !.metagit/tasks/" in said.err
    assert "adds" not in said.out  # the log is ignored already
    (folder / ".gitignore").write_text(".metagit/*\n!.metagit/tasks/\n")
    git(folder, "add", "-A")
    assert GRAPH_PATH in git(folder, "ls-files").split()
    assert ask(folder, "init").err == ""
