"""Bugs that other trackers had, each a folder of ``../shared/bugcases`` with what is right."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

import pytest

from git_sched.formats.places import PLACES
from sandbox import SHARED, Said, ask, commit, git, start, tree, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

CASES = sorted(path.parent for path in (SHARED / "bugcases").glob("*/expected.json"))
HERE = pytest.mark.skipif(not CASES, reason="../shared/bugcases is not here")
READ = set(PLACES)
HOOK_CASE = "60-hook-in-a-worktree"
GRAPHS = ".metagit/tasks/graphs"

NOT_YET: Final = {
    "62-dated-defer-has-lapsed": "an issue that was deferred until a date does not wake on that date",
    "66-child-by-dotted-id-alone": "an issue is not a part of another by its dotted id alone",
    "75-redirect-in-a-worktree": "nothing says that a list beside .beads/redirect is not the live one",
    "76-stored-blocked-though-all-is-done": "nothing says that all is done that a task marked blocked depends on",
    "77-tags-in-another-script": "a tag without a Latin letter or digit is left out",
    "79-spec-folders-in-another-script": "a folder without a Latin letter or digit is left out",
    "81-assignee-in-another-script": "an assignee without a Latin letter or digit is nobody",
    "82-assignees-that-become-one": "assignees whose names differ outside ASCII alone become one",
    "95-struck-through-after-the-id": "a task that is struck through after its id is still open",
    "109-finish-while-a-dotted-child-is-open": "an issue is not a part of another by its dotted id alone",
    "111-only-marked-blocked-is-left": "the outcome is the same as where somebody is at work",
    "113-lone-config-in-a-package": "the nearest folder with a tracker's settings hides the tasks at the top",
    "114-further-along-on-another-branch": "one commit is read: the status on another branch does not count",
}
"""Cases that fail so far, and what git-sched does instead; one that passes must be taken off this table."""


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


def parameters() -> list[Any]:
    """Give the cases for a test; those that are not met yet must fail."""
    return [
        pytest.param(case, id=case.name, marks=pytest.mark.xfail(reason=NOT_YET[case.name], raises=AssertionError))
        if case.name in NOT_YET
        else pytest.param(case, id=case.name)
        for case in CASES
        if case.name != HOOK_CASE
    ]


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
    said = run(folder, expected, "next", "--limit", "50", "--json", *expected.get("args", []))
    record = json.loads(said.out)
    picks, ranking = record["decisions"], record["ranking"]

    is_so = {"decision"} if picks else {"nothing", "nothing-ready"}
    assert (is_so | {"reject"} if check.code else is_so) & set(expected["outcome"].split("-or-"))
    assert said.code == (record["outcome"] == "refused")

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
    judge_other_commands(folder, expected)


def judge_other_commands(folder: Path, expected: dict[str, Any]) -> None:
    """Compare what is said at other times, elsewhere in the workspace and in other formats."""
    for one in expected.get("runs", []):
        assert ask(folder, "next", "-q", "--now", one["now"]).out.rpartition("/")[2].strip() == one["next"]
    for start_folder in expected.get("start", []):
        assert ask(folder / start_folder, "next", "-q").out.rpartition("/")[2].strip() == expected["next"]
    if "must_say" in expected:
        explained = [ask(folder, "explain", name).text for name in expected.get("never", [])]
        commands = (("check",), ("next", "--limit", "50"), ("status",))
        text = "\n".join([ask(folder, *words).text for words in commands] + explained)
        assert not [word for word in expected["must_say"] if word not in text], text
    if wanted := expected.get("matrix"):
        said = ask(folder, "next", "--limit", str(wanted["limit"]), "--format", "matrix")
        assert len(json.loads(said.out)["include"]) == wanted["rows"]
        assert wanted["say"] in said.err
    for form, live in expected.get("formats", {}).items():
        text = ask(folder, "next", "--format", form).out
        assert not [word for word in live if word in text], text


@HERE
@pytest.mark.parametrize("case", parameters())
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
    assert (said.code, said.out) == (0, "wt\n")
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
    assert (worktree / "said.txt").read_text() == "wt\n", (worktree / "err.txt").read_text()
    assert (worktree / "dir.txt").read_text().endswith("worktrees/w\n")
