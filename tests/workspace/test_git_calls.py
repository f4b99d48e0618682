"""Git is asked with the verbs, options and environment of ``action.md`` 1.2 alone, and starts nothing by it."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import repos
from cli.test_terminal import on_a_terminal
from git_sched.workspace.git import Git, Repository
from git_sched.workspace.git_process import VERBS
from repos import task
from sandbox import ask, git

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.heavy

OPTIONS = [
    "--no-optional-locks",
    "--no-replace-objects",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "protocol.allow=never",
]
FIXED = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
FED = {("cat-file",), ("check-ignore",)}
"""The verbs that are given something to read; all others have nothing on their standard input."""

COMMANDS = [
    "next",
    "next --rev HEAD --json",
    "next --record --limit 3",
    "next --dispatch --agent agent-1 --now 2026-11-03T12:00:00Z",
    "status",
    "status --rev main",
    "explain api-contract",
    "explain receipt-pdf --rev HEAD",
    "check --strict",
    "check --rev HEAD",
    "plan",
    "policy show",
    "policy set --weight urgency=3",
    "diff HEAD~1",
    "verify",
    "init",
    "hook install",
    "hook uninstall",
    "hook run post-merge 0",
    "hook run post-rewrite rebase",
    "hook run post-checkout HEAD HEAD 1",
    "next --rev nosuch",
    "explain nosuch",
    "-h",
    "--version",
]

SHIM = f"""#!{sys.executable} -IS
import json, os, stat, subprocess, sys

given = os.fstat(0)
closed = stat.S_ISCHR(given.st_mode) and given.st_rdev == os.stat(os.devnull).st_rdev
with open(os.environ["SHIM_LOG"], "a", encoding="utf-8") as log:
    log.write(json.dumps({{"argv": sys.argv[1:], "env": dict(os.environ), "closed": closed}}) + chr(10))
if closed:
    os.execv(os.environ["SHIM_GIT"], ["git", *sys.argv[1:]])
real = subprocess.Popen(["git", *sys.argv[1:]], executable=os.environ["SHIM_GIT"], stdin=subprocess.PIPE)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
with open(os.environ["SHIM_LOG"] + ".stdin", "ab") as log:
    for line in sys.stdin.buffer:
        log.write(line)
        try:
            real.stdin.write(line)
            real.stdin.flush()
        except BrokenPipeError:
            break
try:
    real.stdin.close()
except BrokenPipeError:
    pass
sys.exit(real.wait())
"""
"""A git that notes how it was called, and then is git."""


class Call(NamedTuple):
    """One call of git."""

    argv: list[str]
    env: dict[str, str]
    closed: bool

    @property
    def words(self) -> list[str]:
        """What follows the fixed options and the name of the repository."""
        assert self.argv[: len(OPTIONS)] == OPTIONS
        rest = self.argv[len(OPTIONS) :]
        while rest[0].startswith(("--git-dir=/", "--work-tree=/")):
            rest = rest[1:]
        return rest

    @property
    def verb(self) -> tuple[str, ...]:
        """The verb, with the word that decides what it does."""
        return tuple(self.words[: 2 if self.words[0] in {"worktree", "config"} else 1])


class Watched(NamedTuple):
    """A PATH on which git is the one that takes notes."""

    log: Path
    env: dict[str, str]

    def calls(self) -> list[Call]:
        """Read the notes."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [Call(**json.loads(line)) for line in lines]


def real_git() -> str:
    """Find the git that the tests use."""
    found = shutil.which("git")
    assert found is not None
    return found


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    """Put the git that takes notes first on PATH."""
    shim = tmp_path / "shim" / "git"
    shim.parent.mkdir()
    shim.write_text(SHIM, encoding="utf-8")
    shim.chmod(0o755)
    log = tmp_path / "calls.jsonl"
    path = f"{shim.parent}{os.pathsep}{os.environ['PATH']}"
    return Watched(log, repos.environment(PATH=path, SHIM_LOG=str(log), SHIM_GIT=real_git()))


@pytest.mark.parametrize("words", COMMANDS)
def test_only_the_listed_calls_are_made(tmp_path: Path, watched: Watched, words: str) -> None:
    repository = repos.repository(tmp_path / "repository", repos.example())
    plain = repos.sched(repository, *words.split())
    git(repository, "clean", "-fdqx")
    git(repository, "checkout", "-q", ".")
    shutil.rmtree(repository / ".git" / "hooks")
    ran = repos.sched(repository, *words.split(), env=watched.env)
    assert ran == plain
    calls = watched.calls()
    assert bool(calls) == (not words.startswith("-"))
    judge(calls)


@pytest.mark.parametrize("words", [("rev-list", "HEAD"), ("config", "user.name", "me"), ("worktree", "add", "x")])
def test_a_call_that_is_not_listed_is_not_made(tmp_path: Path, words: tuple[str, ...]) -> None:
    git_dir = str(tmp_path / ".git")
    with pytest.raises(ValueError, match=f"git {words[0]} is not one of the verbs"):
        Git(Repository(git_dir, git_dir, str(tmp_path)), {})(*words)


def test_for_a_terminal_as_well(tmp_path: Path, watched: Watched) -> None:
    """What is said there alone, of the branch, is asked for in the same way."""
    repository = repos.repository(tmp_path / "repository", repos.example())
    assert [said for said in on_a_terminal(repository, "next", env=watched.env) if " on main, " in said]
    judge(watched.calls())


def judge(calls: list[Call]) -> None:
    """Compare the calls of one command with what is allowed."""
    for call in calls:
        assert call.verb in VERBS, call.argv
        assert {name: call.env.get(name) for name in FIXED} == FIXED
        assert not any(name.startswith("GIT_TRACE") for name in call.env)
        assert call.closed == (call.verb not in FED), call.argv
    searching = [call for call in calls if not any(word.startswith("--git-dir=") for word in call.argv)]
    assert {call.verb for call in searching} <= {("rev-parse",)}
    assert searching[:1] == calls[:1]
    assert sum(call.verb == ("cat-file",) for call in calls) <= len(searching), "one process reads all objects"


@pytest.mark.parametrize("words", ["next", "next --json --rev HEAD", "status", "explain a"])
def test_an_answer_takes_three_processes(tmp_path: Path, watched: Watched, words: str) -> None:
    repository = repos.repository(tmp_path / "repository", repos.work(task("a")))
    assert repos.sched(repository, *words.split(), env=watched.env).code == 0
    assert [call.verb for call in watched.calls()] == [("rev-parse",), ("cat-file",), ("ls-tree",)]


def test_of_what_is_committed_as_it_lies_there_git_reads_nothing(tmp_path: Path, watched: Watched) -> None:
    repository = repos.repository(tmp_path / "repository", repos.work(task("a")))
    repos.sched(repository, "next", env=watched.env)
    assert (
        watched.log.with_name("calls.jsonl.stdin").read_bytes()
        == f"HEAD^{{commit}}\n{repos.head(repository)}\n".encode()
    )


def test_linked_worktrees_are_asked_for_where_there_are_any(tmp_path: Path, watched: Watched) -> None:
    repository = repos.repository(tmp_path / "repository", repos.work(task("a")))
    repos.linked(repository, tmp_path / "tree", branch="topic")
    repos.sched(repository, "next", env=watched.env)
    assert [call.verb for call in watched.calls()][3:] == [("worktree", "list"), ("config", "--get")]


def test_what_is_fed_to_git_are_names_of_objects_and_paths(tmp_path: Path, watched: Watched) -> None:
    repository = repos.repository(tmp_path / "repository", repos.example())
    repos.sched(repository, "next", "--record", "--rev", "HEAD", env=watched.env)
    fed = watched.log.with_name("calls.jsonl.stdin").read_bytes()
    for piece in fed.replace(b"\0", b"\n").splitlines():
        is_id = len(piece) == 40 and not piece.strip(b"0123456789abcdef")
        assert is_id or piece in {b"HEAD^{commit}", repos.LOG.encode(), repos.EVENTS.encode()}, piece


def test_the_variables_of_a_hook_reach_the_first_call_alone(tmp_path: Path, watched: Watched) -> None:
    repository = repos.repository(tmp_path / "repository", repos.example())
    local = git(repository, "rev-parse", "--local-env-vars").split()
    inherited = {
        "GIT_DIR": ".git",
        "GIT_WORK_TREE": ".",
        "GIT_INDEX_FILE": ".git/index",
        "GIT_PREFIX": "",
        "GIT_CONFIG_PARAMETERS": "'core.bare'='false'",
        "GIT_CONFIG_COUNT": "0",
    }
    ran = repos.sched(repository, "next", "--rev", "HEAD", env={**watched.env, **inherited})
    assert ran.out.startswith(b"hotfixes/login-loop")
    first, *later = watched.calls()
    assert first.env["GIT_DIR"] == ".git"
    assert first.env["GIT_WORK_TREE"] == "."
    assert later
    for call in later:
        assert not set(local) & set(call.env)


@pytest.mark.parametrize(
    "name",
    [
        *("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"),
        *("GIT_DEFAULT_HASH", "GIT_ATTR_SOURCE", "GIT_QUARANTINE_PATH", "GIT_REF_PARANOIA", "GIT_FLUSH"),
        *("GIT_OPTIONAL_LOCKS", "GIT_SSH_COMMAND", "GIT_TEST_SOMETHING", "GIT_OF_TOMORROW"),
    ],
)
def test_no_other_variable_of_git_is_passed_on(tmp_path: Path, watched: Watched, name: str) -> None:
    repository = repos.repository(tmp_path / "repository", repos.example())
    words = ("next", "--record", "--now", "2026-11-03T12:00:00Z", "--json")
    plain = repos.sched(repository, *words)
    ran = repos.sched(repository, *words, env={**watched.env, name: "1"})
    assert ran == plain
    assert watched.calls()
    assert not [call for call in watched.calls() if name in call.env and name not in FIXED]


# Nothing else is started


@pytest.mark.parametrize(
    "words",
    [
        *(f"{name} {rev}".strip() for name in ("next", "status", "check", "policy show") for rev in ("", "--rev HEAD")),
        "explain api-contract",
        "next --record",
        "next --dispatch --now 2026-11-03T12:00:00Z",
        "take index-schema --agent ann --now 2026-11-03T12:00:00Z",
        "policy set --weight urgency=3",
    ],
)
def test_a_hostile_configuration_starts_nothing(tmp_path: Path, words: str) -> None:
    files = repos.example()
    repository = repos.repository(
        tmp_path / "repository", {**files, ".gitattributes": "* diff=evil filter=evil merge=evil\n"}
    )
    plain = repos.sched(repository, *words.split(), env=repos.environment(GIT_PAGER_IN_USE="true"))
    git(repository, "clean", "-fdqx")
    git(repository, "checkout", "-q", ".")
    trap = repos.hostile(repository, tmp_path / "aside")
    repos.stale(repository)
    ran = repos.sched(repository, *words.split(), env=trap.env)
    assert trap.sprung() == ""
    assert ran == plain


def test_the_trap_works(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", repos.example())
    trap = repos.hostile(repository, tmp_path / "aside")
    repos.stale(repository)
    repos.run(repository, "git", "status", env=trap.env)
    assert str(trap.program) in trap.sprung()
    assert trap.trace.exists()


def test_programs_of_the_checkout_are_not_run(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", repos.example())
    plain = repos.start(repository, "next")
    for name in ("yaml.py", "click/__init__.py", "git.py", "git_sched/__init__.py", "sitecustomize.py"):
        path = repository / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("raise SystemExit('started')\n", encoding="utf-8")
    repos.script(repository / "git", "echo started >&2", "exit 9")
    assert repos.start(repository, "next") == plain


# Where git says the repository is


def picked(ran: repos.Ran) -> str:
    """Give the one task that was picked."""
    assert ran.code == 0, ran.text
    return ran.out.decode().strip()


def three(root: Path) -> dict[str, Path]:
    """Make a clone, a linked worktree with a task of its own, and a submodule with another."""
    main = repos.repository(root / "main", repos.work(task("in-main")))
    tree = repos.add(repos.linked(main, root / "tree", branch="topic"), repos.work(task("in-tree")))
    inner = repos.repository(root / "inner", repos.work(task("in-submodule")))
    return {"main": main, "tree": tree, "submodule": repos.submodule(main, inner, "inner")}


@pytest.mark.parametrize("place", ["main", "tree", "submodule"])
@pytest.mark.parametrize("rev", [(), ("--rev", "HEAD")])
def test_a_real_hook_reads_its_own_repository(tmp_path: Path, place: str, rev: tuple[str, ...]) -> None:
    where = three(tmp_path)[place]
    hooks = tmp_path / "hooks"
    tool = repos.install(tmp_path / "bin")
    said = tmp_path / "said"
    words = " ".join(rev)
    for hook in ("post-commit", "post-merge", "post-checkout"):
        repos.script(
            hooks / hook, f'echo "$GIT_DIR|$GIT_INDEX_FILE" >>"{said}"', f'"{tool}" next -q {words} >>"{said}"'
        )
    git(where, "config", "core.hooksPath", str(hooks))
    env = repos.environment()
    for command in (
        ("git", "commit", "-q", "--allow-empty", "-m", "Next"),
        ("git", "checkout", "-q", "-b", "other", "HEAD~1"),
        ("git", "merge", "-q", "--ff-only", "-"),
    ):
        assert repos.run(where, *command, env=env).code == 0
    lines = said.read_text(encoding="utf-8").splitlines()
    assert lines[1::2] == [f"in-{place}"] * 3
    assert lines[0].endswith("index"), "a post-commit hook names its index"
    assert (lines[0] == f"|{os.path.relpath(where / '.git' / 'index', where)}") == (place == "main")


@pytest.mark.parametrize("name", ["main", "tree", "submodule"])
def test_inherited_variables_do_not_redirect_the_other_calls(tmp_path: Path, name: str) -> None:
    places = three(tmp_path)
    where = places[name]
    directory = git(where, "rev-parse", "--absolute-git-dir").strip()
    env = repos.environment(GIT_DIR=directory, GIT_WORK_TREE=str(where), GIT_INDEX_FILE=f"{directory}/index")
    for folder in (where, tmp_path):
        assert picked(repos.sched(folder, "next", "-q", env=env)) == f"in-{name}"
        assert picked(repos.sched(folder, "next", "-q", "--rev", "HEAD", env=env)) == f"in-{name}"


def test_a_wrong_git_dir_is_said(tmp_path: Path) -> None:
    repos.repository(tmp_path, repos.work(task("a")))
    ran = repos.sched(tmp_path, "next", env=repos.environment(GIT_DIR="nosuch"))
    assert ran.code == 4
    assert ran.err.startswith(b"error: git cannot read this repository: not a git repository")


def test_a_worktree_whose_repository_is_gone_is_said(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", repos.work(task("a")))
    tree = repos.linked(repository, tmp_path / "tree", branch="topic")
    shutil.rmtree(repository)
    said = ask(tree, "next")
    assert said.code == 4
    assert said.err.startswith("error: git cannot read this repository: not a git repository: ")
    assert "\nhint: GIT_DIR or a .git file names a place that is gone" in said.err


def test_what_git_found_unfit_is_named(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path, repos.work(task("a")))
    git(repository, "config", "core.repositoryFormatVersion", "1")
    git(repository, "config", "extensions.tomorrow", "yes")
    said = ask(repository, "next")
    assert said.code == 4
    assert said.err.splitlines()[0].endswith("unknown repository extension found: tomorrow")


# As git runs it


def with_tool(root: Path, **changes: str) -> dict[str, str]:
    """Give an environment in which git finds ``git-sched`` on PATH."""
    tool = repos.install(root / "bin")
    return repos.environment(PATH=f"{tool.parent}{os.pathsep}{os.environ['PATH']}", **changes)


def test_git_sched_is_a_command_of_git(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", repos.work(task("a")))
    env = with_tool(tmp_path)
    assert picked(repos.run(repository, "git", "sched", "next", "-q", env=env)) == "a"
    assert picked(repos.run(tmp_path, "git", "-C", "repository", "sched", "next", "-q", env=env)) == "a"
    below = repository / ".metagit" / "tasks"
    assert picked(repos.run(below, "git", "sched", "next", "-q", env=env)) == "a"
    assert repos.run(repository, "git", "sched", "-h", env=env).out.startswith(b"Usage: git sched")


def test_git_dir_and_work_tree_as_options_of_git(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", repos.work(task("a")))
    bare = repos.clone(repository, tmp_path / "bare.git", "--bare")
    env = with_tool(tmp_path)
    directory, tree = f"--git-dir={repository / '.git'}", f"--work-tree={repository}"
    assert picked(repos.run(tmp_path, "git", directory, tree, "sched", "next", "-q", env=env)) == "a"
    assert picked(repos.run(repository, "git", directory, "sched", "next", "-q", env=env)) == "a"
    assert picked(repos.run(tmp_path, "git", f"--git-dir={bare}", "sched", "next", "-q", env=env)) == "a"
    assert picked(repos.run(bare, "git", "--git-dir=.", "sched", "next", "--rev", "main", "-q", env=env)) == "a"


def test_a_bare_repository_that_nobody_named_is_refused_with_the_way_in(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", repos.work(task("a")))
    bare = repos.clone(repository, tmp_path / "bare.git", "--bare")
    ran = repos.sched(bare, "next", "--rev", "HEAD")
    assert ran.code == 4
    assert f"hint: name a bare repository: git --git-dir={bare} sched" in ran.err.decode()


# What git cannot give


def two_files() -> Mapping[str, str | bytes]:
    """Give two graph files."""
    return {**repos.work(task("first"), graph_id="one"), **repos.work(task("second"), graph_id="two")}


def test_a_promised_but_absent_blob_is_a_problem_of_its_file(tmp_path: Path) -> None:
    origin = repos.repository(tmp_path / "origin", two_files())
    clone = repos.partial(origin, tmp_path / "clone")
    git(clone, "config", "remote.origin.promisor", "true")
    fetched = git(clone, "rev-parse", f"HEAD:{repos.GRAPHS}/two.json").strip()
    git(clone, "cat-file", "-p", fetched)  # git fetches this one; ours must not
    before = repos.snapshot(clone)
    ran = repos.sched(clone, "next", "--rev", "HEAD", "--json")
    assert (ran.code, ran.err) == (0, b"1 error in the task files: git sched check\n")
    assert [row["node_id"] for row in ran.record["decisions"]] == ["second"]
    (problem,) = ran.record["problems"]
    assert (problem["code"], problem["path"]) == ("unreadable", f"{repos.GRAPHS}/one.json")
    assert "git does not hold" in problem["message"]
    assert repos.snapshot(clone) == before


def test_absent_blobs_one_after_the_other(tmp_path: Path) -> None:
    files: dict[str, Any] = {}
    for n in range(5):
        files |= repos.work(task(f"n{n}"), graph_id=f"g{n}")
    origin = repos.repository(tmp_path / "origin", files)
    clone = repos.partial(origin, tmp_path / "clone")
    git(clone, "cat-file", "-p", f"HEAD:{repos.GRAPHS}/g3.json")
    ran = repos.sched(clone, "next", "--rev", "HEAD", "--json")
    assert [row["node_id"] for row in ran.record["decisions"]] == ["n3"]
    assert len(ran.record["problems"]) == 4


def test_a_damaged_blob_is_a_problem_of_its_file(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path, two_files())
    blob = git(repository, "rev-parse", f"HEAD:{repos.GRAPHS}/one.json").strip()
    loose = repository / ".git" / "objects" / blob[:2] / blob[2:]
    loose.chmod(stat.S_IRUSR | stat.S_IWUSR)
    loose.write_bytes(b"rubbish")
    ran = repos.sched(repository, "next", "--rev", "HEAD", "--json")
    assert (ran.code, ran.err) == (0, b"1 error in the task files: git sched check\n")
    assert [row["node_id"] for row in ran.record["decisions"]] == ["second"]
    assert [problem["path"] for problem in ran.record["problems"]] == [f"{repos.GRAPHS}/one.json"]
    assert repos.sched(repository, "next", "-q").out == b"one/first\n", "the work tree needs no blob"


def test_no_git(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", repos.work(task("a")))
    for content in (None, "no program"):
        folder = tmp_path / f"path{content}"
        folder.mkdir()
        if content:
            (folder / "git").write_text(content, encoding="utf-8")
        ran = repos.sched(repository, "next", env=repos.environment(PATH=str(folder)))
        assert ran.code == 4
        why = (
            b"the git on PATH cannot be started: Permission denied"
            if content
            else b"git is not installed, or not on PATH"
        )
        first, second = ran.err.splitlines()
        assert first == b"error: " + why
        assert second.startswith(b"hint: install git, or correct PATH")
        assert not ran.out


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_repository_of_somebody_else(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "some body's", repos.work(task("a")))
    os.chown(repository, 65534, 65534)
    os.chown(repository / ".git", 65534, 65534)
    ran = repos.sched(repository, "next")
    assert ran.code == 4
    first, second = ran.err.decode().splitlines()
    assert "dubious ownership" in first
    assert second.startswith("hint: git config --global --add safe.directory ")
    trusting = tmp_path / "trusting"
    command = second.removeprefix("hint: ").removesuffix(" if you trust it")
    repos.run(tmp_path, "sh", "-c", command, env=repos.environment(GIT_CONFIG_GLOBAL=str(trusting)))
    ran = repos.sched(repository, "next", "-q", env=repos.environment(GIT_CONFIG_GLOBAL=str(trusting)))
    assert ran.code == 0
