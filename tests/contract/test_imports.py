"""What a command imports: a cold start is the price of every answer, so libraries come only where they are used."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from repos import GRAPHS, POLICY, environment, task, work
from sandbox import commit

if TYPE_CHECKING:
    from pathlib import Path

PRINT = "import atexit, sys; atexit.register(lambda: sys.stderr.write('modules: ' + ' '.join(sys.modules)));"
"""Stands before the command: at the end of the process it tells what was imported."""

HEAVY = {"asyncio", "http.client", "mcp", "multiprocessing", "pathspec", "pydantic", "ruamel", "ssl", "urllib3", "yaml"}
"""What costs much, or has no place in an answer."""


def imported(folder: Path, *words: str) -> set[str]:
    """Give the modules that a command imports, in a Python without site hooks of others."""
    code = f"{PRINT} from git_sched.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *words],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.rpartition("modules: ")[2].split())


def heavy(modules: set[str]) -> set[str]:
    """Give the heavy ones among modules."""
    return HEAVY & modules


def ours(modules: set[str]) -> set[str]:
    """Give the project's own among modules."""
    return {name.removeprefix("git_sched.") for name in modules if name.startswith("git_sched.")}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with one graph in JSON."""
    return commit(tmp_path, work(task("a", priority=1), task("b", "a")))


@pytest.mark.parametrize("words", ["--version", "-h", "--help"])
def test_what_speaks_of_the_program_alone_reads_nothing(tmp_path: Path, words: str) -> None:
    found = imported(tmp_path, words)
    assert heavy(found) == set()
    assert "pydantic_core" not in found
    assert "subprocess" not in found
    assert ours(found) == {
        "cli", "cli.main", "model", "model.characters", "model.problems", "workspace", "workspace.streams"
    }  # fmt: skip


@pytest.mark.parametrize("words", ["next -h", "status -h", "check -h", "explain -h", "policy set -h"])
def test_the_help_of_a_command_reads_nothing(tmp_path: Path, words: str) -> None:
    found = imported(tmp_path, *words.split())
    assert heavy(found) == set()
    assert not ours(found) & {
        "workspace.gather",
        "decide.pipeline",
        "workspace.git",
        "operations.log",
        "formats.policy_edit",
    }


@pytest.mark.parametrize("words", ["next", "next --json", "next --rev HEAD -q", "status", "explain a", "plan"])
def test_an_answer_from_json_needs_none_of_the_libraries(repository: Path, words: str) -> None:
    found = imported(repository, *words.split())
    assert heavy(found) == set()
    assert "pydantic_core" not in found, "it is asked about doubtful JSON alone"
    assert not ours(found) & {"operations.log", "formats.policy_edit", "operations.policy"}


def test_yaml_is_imported_for_yaml_alone(repository: Path) -> None:
    commit(repository, {POLICY: "version: 1\n"})
    assert heavy(imported(repository, "next")) == {"yaml"}


def test_pathspec_is_imported_for_paths_alone(repository: Path) -> None:
    nodes = work(task("a", repository="o/r", paths=["src/**"]), task("b", repository="o/r", paths=["docs/**"]))
    commit(repository, {**nodes, "src/a.py": "", "docs/b.md": ""})
    assert "pathspec" in imported(repository, "next", "--limit", "2")
    commit(repository, {f"{GRAPHS}/work.json": work(task("a"))[f"{GRAPHS}/work.json"]})
    assert "pathspec" not in imported(repository, "next", "--limit", "2")


def test_a_recorded_answer_needs_no_more(repository: Path) -> None:
    commit(repository, {".gitignore": ".metagit/schedule/*.jsonl\n.metagit/events/\n"})
    assert heavy(imported(repository, "next", "--record")) == set()


def test_a_policy_is_edited_without_another_library(repository: Path) -> None:
    assert heavy(imported(repository, "policy", "set", "--threshold", "4")) == {"yaml"}
