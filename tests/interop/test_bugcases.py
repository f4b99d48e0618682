"""Bugs that other trackers had, each a folder of ``../shared/bugcases`` with what is right."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from git_sched.formats.places import PLACES
from sandbox import SHARED, Said, ask, commit, git, start, tree, write

if TYPE_CHECKING:
    from pathlib import Path

CASES = sorted(path.parent for path in (SHARED / "bugcases").glob("*/expected.json"))
HERE = pytest.mark.skipif(not CASES, reason="../shared/bugcases is not here")
READ = set(PLACES)
HOOK_CASE = "60-hook-in-a-worktree"
GRAPHS = ".metagit/tasks/graphs"


def prepare(case: Path, folder: Path) -> None:
    """Put the input of a case where its tracker would keep it, and commit it."""
    for path in case.iterdir():
        if path.name == "generate.py":
            made = subprocess.run([sys.executable, path], capture_output=True, check=True)
            write(folder, {f"{GRAPHS}/g.json": made.stdout})
        elif path.is_dir():
            shutil.copytree(path, folder / path.name)
        elif path.suffix in {".yml", ".json"} and path.name != "expected.json":
            write(folder, {f"{GRAPHS}/{path.name}": path.read_bytes()})
    commit(folder)


def run(folder: Path, expected: dict[str, Any], *words: str) -> Said:
    """Run a command, in a process of its own where the case bounds time or memory."""
    if "max_seconds" in expected:
        seconds = 10 * expected["max_seconds"]  # what hangs is found out as well, and a busy machine is no bug
        return start(folder, *words, seconds=seconds, megabytes=expected.get("max_rss_mb"))
    return ask(folder, *words)


def named(row: dict[str, str], wanted: object) -> object:
    """Name a node as the expectation does: id, graph and id in a list or in a mapping."""
    match wanted:
        case list():
            return [row["graph_id"], row["node_id"]]
        case dict():
            return {"graph": row["graph_id"], "node": row["node_id"]}
        case _:
            return row["node_id"]


def judge(folder: Path, expected: dict[str, Any]) -> None:
    """Compare what the commands say with all that a case expects."""
    check = run(folder, expected, "check")
    said = run(folder, expected, "next", "--limit", "50", "--json")
    record = json.loads(said.out)
    picks, ranking = record["decisions"], record["ranking"]

    is_so = {"decision"} if picks else {"nothing", "nothing-ready"}
    assert (is_so | {"reject"} if said.code else is_so) & set(expected["outcome"].split("-or-"))

    if "next" in expected or "accept_next" in expected:
        accepted = expected.get("accept_next", [expected.get("next")])
        assert (named(picks[0], accepted[0]) if picks else None) in accepted
    for wanted in expected.get("ready", []):
        assert wanted in [named(row, wanted) for row in ranking]
    if "ready" in expected:
        assert len(ranking) == len(expected["ready"])
    if "order" in expected:
        assert [row["node_id"] for row in picks] == expected["order"]
    assert not {row["node_id"] for row in ranking} & set(expected.get("never", []))

    printed = check.text + run(folder, expected, "next").text
    assert not [word for word in expected.get("diagnostics", []) if word not in printed], printed
    if "line" in expected:
        assert expected["line"] in [problem["line"] for problem in record["problems"]]
    for name in expected.get("must_not_exist", []):
        assert not list(folder.rglob(name))


@HERE
@pytest.mark.parametrize("case", [case for case in CASES if case.name != HOOK_CASE], ids=lambda case: case.name)
def test_what_other_trackers_got_wrong(case: Path, tmp_path: Path) -> None:
    expected = json.loads((case / "expected.json").read_bytes())
    if expected["format"] not in READ:
        pytest.skip(f"the format {expected['format']} is not read")
    inputs = [case / name for name in expected.get("same_for", [])] or [case]
    for part in inputs:
        folder = tmp_path / part.name
        folder.mkdir()
        prepare(part, folder)
        judge(folder, expected)


@pytest.fixture
def worktree(tmp_path: Path) -> Path:
    """Set up a repository with a linked worktree, as the case does."""
    subprocess.run(["sh", SHARED / "bugcases" / HOOK_CASE / "setup.sh"], cwd=tmp_path, capture_output=True, check=True)
    return tmp_path / "w"


@HERE
def test_a_worktree_is_read_though_git_dir_names_the_main_repository(
    worktree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing of git changes."""
    before = tree(worktree.parent)
    monkeypatch.setenv("GIT_DIR", "../m/.git")
    said = start(worktree, "next", "--graph", "g.yml", "-q")
    assert (said.code, said.out) == (0, "g/wt\n")
    assert tree(worktree.parent) == before


@HERE
def test_a_worktree_is_read_from_its_own_post_merge_hook(worktree: Path) -> None:
    """There git itself exports where its directory is."""
    git(worktree, "checkout", "-q", "-b", "other")
    git(worktree, "commit", "-q", "--allow-empty", "-m", "Something to merge")
    git(worktree, "checkout", "-q", "w")
    hook = worktree.parent / "m" / ".git" / "hooks" / "post-merge"
    command = f'"{sys.executable}" -m git_sched next --graph g.yml -q'
    hook.write_text(f'#!/bin/sh\necho "$GIT_DIR" >dir.txt\n{command} >said.txt 2>err.txt\n')
    hook.chmod(0o755)
    git(worktree, "merge", "-q", "other")
    assert (worktree / "said.txt").read_text() == "g/wt\n", (worktree / "err.txt").read_text()
    assert (worktree / "dir.txt").read_text().endswith("worktrees/w\n")
