"""What is in a place: only what is known to be absent is quiet, and what is not checked out is read from the commit."""

from __future__ import annotations

import errno
import json
import os
import shlex
import subprocess
from typing import TYPE_CHECKING, Final

import pytest

import repos
from git_sched.workspace import places
from git_sched.workspace.git import TreeEntry
from repos import GRAPHS, POLICY, task, work
from sandbox import ask, git, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.heavy

SPEC: Final = "# Tasks\n\n- [ ] T001 Do it\n"
TASKS: Final = {"master": {"tasks": [{"id": 1, "title": "one", "status": "pending", "dependencies": []}]}}
TRACKERS: Final[dict[str, str | bytes]] = {
    **work(task("a")),
    POLICY: "version: 1\nweights: {priority: 3}\n",
    "specs/001-x/tasks.md": SPEC,
    ".kiro/specs/login/tasks.md": "# Plan\n\n- [ ] 1. Do it\n",
    ".taskmaster/tasks/tasks.json": json.dumps(TASKS),
    ".beads/issues.jsonl": '{"id":"bd-1","title":"one","status":"open","priority":1,"issue_type":"task"}\n',
    "backlog/config.yml": "project_name: x\n",
    "backlog/tasks/task-1 - one.md": "---\nid: task-1\ntitle: one\nstatus: To Do\n---\n",
    ".metagit/worktrees/worktrees.json": '{"worktrees": []}\n',
    ".metagit/merges/one.json": '{"repository": "x", "status": "queued"}\n',
    ".metagit/schedule/decisions.jsonl": "",
    "src/x": "x\n",
}
ABOVE: Final = {".metagit", "specs", ".kiro"}
FOLDERS: Final = sorted(({path.rpartition("/")[0] for path in TRACKERS} | ABOVE) - {"src"})
FAULTS: Final = (errno.EACCES, errno.EIO, errno.ELOOP, errno.ENAMETOOLONG)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with a task file of every tracker, a policy and side files."""
    return repos.repository(tmp_path / "repository", TRACKERS)


def fail_at(monkeypatch: pytest.MonkeyPatch, place: Path, number: int, *, itself: bool = False) -> None:
    """Make every look below a place, or also at it, end with an error, as it also does for root."""
    at = os.path.realpath(place)
    real_ask, real_open = places.ask, os.open

    def is_there(path: str) -> bool:
        return f"{path}/".startswith(f"{at}/")

    def looking(question: Callable[[str], object], path: str) -> object:
        wrong = OSError(number, os.strerror(number))
        is_seen = question is os.lstat and path == at and not itself
        return wrong if is_there(path) and not is_seen else real_ask(question, path)

    def opening(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        full = path if dir_fd is None else os.path.join(os.readlink(f"/proc/self/fd/{dir_fd}"), path)
        if is_there(str(full)):
            raise OSError(number, os.strerror(number), path)
        return real_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(places, "ask", looking)
    monkeypatch.setattr(os, "open", opening)


@pytest.mark.parametrize("number", FAULTS, ids=lambda number: errno.errorcode[number])
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_that_cannot_be_looked_into_is_never_empty(
    repository: Path, monkeypatch: pytest.MonkeyPatch, folder: str, number: int
) -> None:
    fail_at(monkeypatch, repository / folder, number)
    reason = os.strerror(number).lower()
    for words in ("check", "next", "status", "policy show", "explain a"):
        said = ask(repository, *words.split())
        assert said.code != 70, said.text
    record = json.loads(ask(repository, "check", "--json").out)
    about = [p for p in record["problems"] if f"{folder}/".startswith(f"{p['path']}/") or p["path"].startswith(folder)]
    assert any(reason in problem["message"] for problem in about), record["problems"]


@pytest.mark.parametrize("number", FAULTS, ids=lambda number: errno.errorcode[number])
@pytest.mark.parametrize("itself", [False, True], ids=["below", "itself"])
@pytest.mark.parametrize("path", [".metagit", ".metagit/schedule", POLICY])
def test_a_policy_that_cannot_be_looked_at_is_neither_the_default_nor_overwritten(
    repository: Path, monkeypatch: pytest.MonkeyPatch, path: str, number: int, *, itself: bool
) -> None:
    before = repos.snapshot(repository / ".metagit")
    fail_at(monkeypatch, repository / path, number, itself=itself)
    reason = os.strerror(number).lower()
    assert json.loads(ask(repository, "next", "--json").out)["outcome"] == "refused"
    said = ask(repository, "policy", "set", "--weight", "urgency=2")
    assert said.code == 4, said.text
    assert reason in said.err
    assert ask(repository, "init").code in {0, 4}
    monkeypatch.undo()
    assert repos.snapshot(repository / ".metagit") == before


@pytest.mark.parametrize("number", FAULTS, ids=lambda number: errno.errorcode[number])
def test_the_search_for_the_workspace_stops_where_it_cannot_look(
    repository: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    write(repository, {"pkg/specs/001-y/tasks.md": SPEC, "pkg/src/x": ""})
    fail_at(monkeypatch, repository / "pkg" / "specs", number)
    record = json.loads(ask(repository / "pkg" / "src", "next", "--json").out)
    assert record["basis"]["workspace"] == "pkg"
    assert [problem["code"] for problem in record["problems"]] == ["unreadable"]


def test_a_named_folder_or_file_that_cannot_be_looked_at(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_at(monkeypatch, repository / "specs" / "001-x", errno.EACCES)
    for words in ("--workspace", "-C"):
        given = [words, "specs/001-x/deep"]
        said = ask(repository, *(["next", *given] if words != "-C" else [*given, "next"]))
        assert (said.code, "cannot be looked at: permission denied" in said.err) == (4, True), said.text
    said = ask(repository, "check", "specs/001-x/tasks.md")
    assert (said.code, "specs/001-x cannot be looked into" in said.err) == (4, True), said.text
    assert ask(repository, "next", "--graph", "specs/001-x/tasks.md").code == 1
    assert ask(repository, "next", "--graph", "specs/001-x/other.md").code == 1


@pytest.mark.parametrize("mode", [0o000, 0o111, 0o444], ids=oct)
@pytest.mark.parametrize("folder", ["specs", "specs/001-x", GRAPHS, ".metagit/schedule", ".beads"])
def test_modes_of_folders(repository: Path, folder: str, mode: int) -> None:
    (repository / folder).chmod(mode)
    try:
        ran = repos.start(repository, "check", "--json", prefix=repos.bound())
    finally:
        (repository / folder).chmod(0o755)
    assert ran.code == 1, ran.text
    errors = [p["path"] for p in ran.record["problems"] if p["severity"] == "error"]
    assert [path for path in errors if path.startswith(folder)], ran.record["problems"]


def test_git_says_what_is_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert places.look(str(tmp_path), "file/below") == places.ABSENT
    assert places.look(str(tmp_path), "file").state == "there"
    assert places.is_folder(str(tmp_path))


# Links


@pytest.mark.parametrize("at", ["specs", "specs/001-x", ".kiro", ".taskmaster/tasks", "backlog"])
def test_nothing_is_listed_through_a_link(tmp_path: Path, at: str) -> None:
    aside = tmp_path / "aside"
    write(aside, {"001-x/tasks.md": SPEC, "tasks.md": SPEC, "tasks.json": json.dumps(TASKS), "tasks/t.md": "secret"})
    repository = repos.repository(tmp_path / "repository", work(task("a")))
    (repository / at).parent.mkdir(parents=True, exist_ok=True)
    (repository / at).symlink_to(aside)
    repos.add(repository, {})
    for words in ((), ("--rev", "HEAD")):
        record = json.loads(ask(repository, "next", "--json", *words).out)
        assert [row["node_id"] for row in record["decisions"]] == ["a"]
        assert [(p["code"], p["path"]) for p in record["problems"]] == [("outside-workspace", at)], words


# Sparse checkouts

KEEP_OUT: Final[dict[str, tuple[str, ...]]] = {
    "cone": ("sparse-checkout", "set", "--cone", "src"),
    "sparse index": ("sparse-checkout", "set", "--cone", "--sparse-index", "src"),
    "patterns": ("sparse-checkout", "set", "--no-cone", "/src/"),
    "skip-worktree": ("update-index", "--skip-worktree", POLICY, f"{GRAPHS}/work.json", "specs/001-x/tasks.md"),
}


def keep_out(repository: Path, kind: str) -> None:
    """Make git keep the policy and two task files out of the work tree."""
    git(repository, *KEEP_OUT[kind])
    for path in KEEP_OUT[kind][2:] if kind == "skip-worktree" else ():
        (repository / path).unlink()
    assert not (repository / POLICY).exists()


@pytest.fixture
def sparse(tmp_path: Path) -> Path:
    """Make a repository with a policy, two task files and a package with one of its own."""
    inner = {f"pkg/{GRAPHS}/inner.json": repos.graph("inner", task("b")), "pkg/src/y": "y\n"}
    chosen = {path: TRACKERS[path] for path in (POLICY, f"{GRAPHS}/work.json", "specs/001-x/tasks.md", "src/x")}
    return repos.repository(tmp_path / "sparse", {**chosen, **inner})


@pytest.mark.parametrize("kind", KEEP_OUT)
def test_what_is_not_checked_out_is_read_from_the_commit(sparse: Path, kind: str) -> None:
    whole = json.loads(ask(sparse, "next", "--json").out)
    keep_out(sparse, kind)
    record = json.loads(ask(sparse, "next", "--json").out)
    (problem,) = record.pop("problems")
    assert whole.pop("problems") == []
    assert record == whole
    assert (problem["code"], problem["path"]) == ("not-checked-out", POLICY)
    line = f"3 files are committed and not checked out, so they are read from the commit: {POLICY} and 2 more"
    assert problem["message"] == line
    assert line in ask(sparse, "next").err.splitlines()
    assert line in ask(sparse, "diff").err.splitlines()
    assert json.loads(ask(sparse, "diff", "--json").out)["changed"] is False
    assert ask(sparse, "check", POLICY, "specs").code == 0
    assert ask(sparse, "check", "nowhere").code == 2


@pytest.mark.parametrize("kind", KEEP_OUT)
def test_what_is_not_checked_out_is_not_written_and_the_hint_works(sparse: Path, kind: str) -> None:
    keep_out(sparse, kind)
    for words in ("policy set --weight urgency=2", "init"):
        said = ask(sparse, *words.split())
        assert said.code == 2, said.text
        assert said.err.startswith(f"error: {POLICY} is committed and not checked out")
        assert not (sparse / POLICY).exists()
    hint = said.err.partition("check it out first: ")[2].strip()
    subprocess.run(shlex.split(hint), cwd=sparse / "src", check=True)
    assert (sparse / POLICY).read_text() == TRACKERS[POLICY]
    assert ask(sparse, "policy", "set", "--weight", "urgency=2").code == 0
    assert "priority: 3" in (sparse / POLICY).read_text()


def test_a_workspace_that_is_not_checked_out_is_found(sparse: Path) -> None:
    git(sparse, "sparse-checkout", "set", "--cone", "src", "pkg/src")
    record = json.loads(ask(sparse / "pkg" / "src", "next", "--json").out)
    assert (record["basis"]["workspace"], record["decisions"][0]["node_id"]) == ("pkg", "b")
    git(sparse, "sparse-checkout", "set", "--cone", "src")
    record = json.loads(ask(sparse, "next", "--json", "--workspace", "pkg").out)
    assert record["decisions"][0]["node_id"] == "b"
    assert ask(sparse, "next", "--workspace", "nowhere").code == 2


def test_the_lines_for_agents_are_not_written_over_a_file_that_is_not_checked_out(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path, {"docs/AGENTS.md": "own\n", "src/x": ""})
    git(repository, "sparse-checkout", "set", "--no-cone", "/src/", "/docs/other")
    (repository / "docs").mkdir(exist_ok=True)
    said = ask(repository, "init", "--agents", "-o", "docs/AGENTS.md")
    assert (said.code, (repository / "docs" / "AGENTS.md").exists()) == (2, False), said.text


@pytest.mark.parametrize("path", ["a b/c.yml", "x*y.yml", "[a].yml", "it's.yml"])
def test_the_hint_names_any_path(tmp_path: Path, path: str) -> None:
    repository = repos.repository(tmp_path, {path: "one\n", "src/x": ""})
    (repository / path).unlink()
    subprocess.run(shlex.split(places.restore_hint(path)), cwd=repository / "src", check=True)
    assert (repository / path).read_text() == "one\n"


def test_git_is_asked_only_where_a_committed_file_is_missing(tmp_path: Path) -> None:
    checkout = places.Checkout(str(tmp_path), git=None, entries=[TreeEntry("100644", "0" * 40, "gone")])
    assert checkout.look("gone") == places.Place("committed")
    assert checkout.look("never") == places.ABSENT


# The policy's sources


@pytest.mark.parametrize(
    "source", ["../outside.yml", "/etc/passwd", "a/../../b", ".git/config", "linked", "linked/x.yml"]
)
def test_sources_that_leave_the_workspace_are_refused_when_they_are_set(tmp_path: Path, source: str) -> None:
    repository = repos.repository(tmp_path / "repository", {**work(task("a")), POLICY: "version: 1\n"})
    (repository / "linked").symlink_to(tmp_path)
    said = ask(repository, "policy", "set", "--set", f"sources=[{source}]")
    assert said.code == 2, said.text
    assert source in said.err
    assert (repository / POLICY).read_text() == "version: 1\n"
    (repository / POLICY).write_text(f"version: 1\nsources: [{source}]\n")
    record = json.loads(ask(repository, "next", "--json").out)
    assert [(p["code"], p["severity"], p["path"]) for p in record["problems"]] == [
        ("outside-workspace", "error", source)
    ]
    assert ask(repository, "policy", "set", "--weight", "urgency=2").code == 0, "what is there already can be kept"


# A comparison


def test_a_comparison_says_first_what_cannot_be_read(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that something is finished or deleted, which only seems so."""
    (repository / GRAPHS / "work.json").write_text(repos.graph("work", task("a", status="completed"), task("z")))
    fail_at(monkeypatch, repository / "backlog", errno.EACCES)
    (repository / ".kiro/specs/login/tasks.md").unlink()
    (repository / ".kiro/specs/login/tasks.md").symlink_to("/etc/passwd")
    line = "cannot be looked into: permission denied"
    text = ask(repository, "diff").out
    assert line in text.partition("Finished")[0]
    comment = ask(repository, "diff", "--format", "comment").out
    assert line in comment.partition("finishes")[0].partition("Finished")[0]
    assert line in ask(repository, "diff", "--format", "github").out


def test_a_comparison_of_two_sides_that_cannot_be_read(repository: Path) -> None:
    git(repository, "rm", "-q", "-r", "specs")
    (repository / "specs").symlink_to("/etc")
    repos.add(repository, {f"{GRAPHS}/linked.json": ""})
    (repository / GRAPHS / "linked.json").unlink()
    (repository / GRAPHS / "linked.json").symlink_to("/etc/passwd")
    repos.add(repository, {})
    repos.add(repository, {"src/x": "changed\n"})
    first = "HEAD~1 cannot be read completely: "
    assert ask(repository, "diff", "HEAD~1", "HEAD").out.startswith(first)
    assert ask(repository, "diff", "HEAD~1", "HEAD", "--format", "comment").out.startswith("> [!CAUTION]\n> HEAD")
    assert ask(repository, "diff", "HEAD~1", "HEAD", "--format", "ids").err.startswith(first)
    assert ask(repository, "diff", "HEAD~1", "HEAD", "--format", "matrix").err.startswith(first)
    assert ask(repository, "diff", "HEAD~1", "HEAD", "--format", "github").out.startswith("::error ")
