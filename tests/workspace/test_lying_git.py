"""A git that prints something else than git does: the answer is the same, or the error names the verb."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import pytest

import repos
from git_sched.model.problems import WorldError
from git_sched.workspace import git_batch, git_output
from git_sched.workspace.git import Git, Repository, find_repository
from git_sched.workspace.git_batch import Absent
from sandbox import git
from workspace.test_git_calls import real_git

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.heavy

LIAR = f"""#!{sys.executable} -IS
import os, subprocess, sys

words = sys.argv[1:]
verb = next(word for word in words if word[0] != "-" and "=" not in word)
if verb != os.environ["LIE_VERB"]:
    os.execv(os.environ["LIE_GIT"], ["git", *words])
real = subprocess.run(["git", *words], executable=os.environ["LIE_GIT"], input=sys.stdin.buffer.readline() if
                      verb == "cat-file" else None, capture_output=True)
how, out = os.environ["LIE_HOW"], real.stdout
exec(os.environ["LIE_HOW"])
sys.stdout.buffer.write(out)
sys.stdout.buffer.flush()
"""
"""A git that changes what one verb prints: LIE_HOW is a statement about ``out``."""

LIES = {
    "nothing": "out = b''",
    "half": "out = out[:len(out) // 2]",
    "no end": "out = out[:-1]",
    "garbage": "out = bytes(range(256))",
    "a NUL first": "out = bytes(1) + out",
    "a NUL inside": "out = out[:9] + bytes(1) + out[9:]",
    "text alone": "out = b'warning: what?' + bytes([10])",
    "twice": "out = out + out",
    "noise on stderr alone": "out = b''; sys.stderr.write('x' * 300000)",
    "an exit code of its own": "out = b''; sys.exit(77)",
    "a signal": "os.kill(os.getpid(), 9)",
    "no permission to lie": "out = out.replace(b'0', b'1')",
}
VERBS = {
    "rev-parse": "next",
    "cat-file": "next --rev HEAD",
    "ls-tree": "next --rev HEAD",
    "worktree": "next",
    "check-ignore": "next --record",
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with a few folders and a linked worktree."""
    found = repos.repository(tmp_path / "repository", {**repos.example(), "a b/c": "x", "z": "last"})
    repos.linked(found, tmp_path / "tree", branch="topic")
    return found


def lying(folder: Path, verb: str, how: str) -> dict[str, str]:
    """Give an environment whose git changes what a verb prints."""
    shim = folder / "shim" / "git"
    shim.parent.mkdir(exist_ok=True)
    shim.write_text(LIAR, encoding="utf-8")
    shim.chmod(0o755)
    path = f"{shim.parent}{os.pathsep}{os.environ['PATH']}"
    return repos.environment(PATH=path, LIE_VERB=verb, LIE_HOW=how, LIE_GIT=real_git())


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("verb", VERBS)
def test_a_lie_never_changes_an_answer(tmp_path: Path, repository: Path, verb: str, lie: str) -> None:
    words = VERBS[verb].split()
    plain = repos.sched(repository, *words)
    ran = repos.sched(repository, *words, env=lying(tmp_path, verb, LIES[lie]))
    if ran.code == 0:
        assert ran.out == plain.out
    else:
        assert ran.code == 4, ran.text
        assert verb.encode() in ran.err or b"git cannot read this repository" in ran.err, ran.text
        assert not ran.out


def test_git_that_is_no_program(tmp_path: Path, repository: Path) -> None:
    shim = repos.script(tmp_path / "shim" / "git", "exit 0")
    shim.write_bytes(b"\x7fELF rubbish")
    env = repos.environment(PATH=str(shim.parent))
    ran = repos.sched(repository, "next", env=env)
    assert (ran.code, ran.err.splitlines()[0]) == (4, b"error: the git on PATH cannot be started: Exec format error")


# What was printed, cut at every byte


class Printed(NamedTuple):
    """What a verb printed, and the function that reads it."""

    out: bytes
    read: Callable[[bytes], object]


ID, OTHER = "1" * 40, "2" * 40
PRINTED = {
    "ls-tree": Printed(f"100644 blob {ID}\ta b\0040000 tree {OTHER}\tc\0".encode(), git_output.read_tree_rows),
    "worktree": Printed(
        f"worktree /a b\0HEAD {ID}\0branch refs/heads/main\0\0worktree /c\0HEAD {OTHER}\0detached\0\0".encode(),
        lambda out: git_output.read_worktrees(out, b"\0"),
    ),
    "worktree without -z": Printed(
        f"worktree /bare\nbare\n\nworktree /c\nHEAD {OTHER}\nbranch refs/heads/x\n\n".encode(),
        lambda out: git_output.read_worktrees(out, b"\n"),
    ),
    "check-ignore": Printed(
        b".gitignore\0003\0*.log\0a.log\0\0\0\0b\0.gitignore\0004\0!c\0c\0",
        lambda out: git_output.read_rules(out, ["a.log", "b", "c"]),
    ),
    "config": Printed(b"https://example.com/a\0", lambda out: git_output.read_one(out, b"\0", verb="config")),
    "merge-base": Printed(f"{ID}\n".encode(), lambda out: git_output.read_id(out, verb="merge-base")),
    "ls-files": Printed(b"H a\0S b c\0S d\0", git_output.read_left_out),
}
WHOLE_ROWS = {"ls-tree": 2, "worktree": 2, "worktree without -z": 2, "ls-files": 3}
"""Listings that are read row by row: cut between two rows they are shorter, which their callers look for."""


@pytest.mark.parametrize("verb", PRINTED)
def test_output_that_was_cut_off_is_an_error(verb: str) -> None:
    out, read = PRINTED[verb]
    read(out)
    accepted = []
    for size in range(len(out)):
        with suppress(WorldError):
            read(out[:size])
            accepted.append(size)
    assert len(accepted) <= WHOLE_ROWS.get(verb, 0)
    with pytest.raises(WorldError, match=f"git {verb.partition(' ')[0]}.* gave no valid answer"):
        read(out[:-1])


@pytest.mark.parametrize("verb", ["ls-tree", "worktree", "check-ignore", "merge-base", "ls-files"])
def test_garbage_is_an_error(verb: str) -> None:
    for garbage in (
        b"\0",
        b"x\0",
        b"\xff\xfe\0\n",
        b"fatal: no\n",
        b"100644 blob 12\tx\0",
        b"900000 blob 1\tx\0",
        b"a\0b\0",
    ):
        with pytest.raises(WorldError, match=f"git {verb}.* gave no valid answer"):
            PRINTED[verb].read(garbage)


def test_rules_with_a_line_that_is_no_number() -> None:
    for row in (b".gitignore\0x\0*\0a\0", b".gitignore\0" + b"9" * 5000 + b"\0*\0a\0", b"\0001\0*\0a\0"):
        with pytest.raises(WorldError, match="a row is not a file, a line and a pattern"):
            git_output.read_rules(row, ["a"])


# Rows and objects that are missing


def opened(repository: Path, env: dict[str, str] | None = None) -> Git:
    """Give the repository, asked with an environment."""
    found = find_repository(str(repository), dict(os.environ) if env is None else env)
    assert found is not None
    return found


def test_a_listing_without_its_last_rows_is_an_error(tmp_path: Path, repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD").strip()
    whole = opened(repository).tree(commit)
    assert "z" in {entry.path for entry in whole}
    for kept in range(len(whole)):
        env = lying(tmp_path, "ls-tree", f"out = b''.join(row + bytes(1) for row in out.split(bytes(1))[:{kept}])")
        with pytest.raises(WorldError, match="git ls-tree gave no valid answer: it does not list all files"):
            opened(repository, env).tree(commit)


def test_worktrees_that_are_left_out_are_missed(tmp_path: Path, repository: Path) -> None:
    env = lying(tmp_path, "worktree", "out = out[:out.index(bytes(2)) + 2]")
    with pytest.raises(WorldError, match="it does not list all worktrees"):
        opened(repository, env).worktrees()


def test_a_tree_with_a_mode_that_git_prints_otherwise(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path, {"a": "x"})
    blob = git(repository, "rev-parse", "HEAD:a").strip()
    raw = repository / "raw"
    raw.write_bytes(b"100664 a\0" + bytes.fromhex(blob))
    tree = git(repository, "hash-object", "-t", "tree", "-w", "--literally", str(raw)).strip()
    commit = git(repository, "commit-tree", "-m", "Old", tree).strip()
    assert [(entry.path, entry.object_id) for entry in opened(repository).tree(commit)] == [("a", blob)]


# Objects


@pytest.mark.parametrize(
    "lie",
    [
        "import re; out = re.sub(rb'commit [0-9]+', b'commit 5', out, count=1)",
        "import re; out = re.sub(rb'commit [0-9]+', b'commit -5', out, count=1)",
        "import re; out = re.sub(rb'commit [0-9]+', b'commit 99999', out, count=1)",
        "import re; out = re.sub(rb'commit [0-9]+', b'commit 0x10', out, count=1)",
        "import re; out = re.sub(rb'commit [0-9]+', b'commit ' + b'9' * 5000, out, count=1)",
        "out = b'0' * 40 + out[40:]",
        "out = out[:-3] + b'..' + out[-1:]",
        "out = b'x' * 100000",
        "out = out[:60]",
    ],
)
def test_an_object_that_is_not_what_its_id_says(tmp_path: Path, repository: Path, lie: str) -> None:
    env = lying(tmp_path, "cat-file", lie)
    found = opened(repository, env)
    with pytest.raises(WorldError, match="git cat-file"):
        found.read("HEAD")
    found.close()


def test_an_object_too_large_to_be_one(tmp_path: Path, repository: Path) -> None:
    env = lying(
        tmp_path, "cat-file", "import re; out = re.sub(rb'commit [0-9]+', b'commit 999999999999', out, count=1)"
    )
    found = opened(repository, env).read("HEAD")
    assert isinstance(found, Absent)
    assert "is larger than" in found.reason


@pytest.mark.parametrize("how", ["sys.stdin.read()", "import time; sys.stdout.flush(); time.sleep(600)"])
def test_a_git_that_hangs_is_ended(tmp_path: Path, repository: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_batch, "QUIET_LIMIT", 0.5)
    env = lying(tmp_path, "cat-file", f"out = b''; {how}")
    with pytest.raises(WorldError, match="it printed nothing for"):
        opened(repository, env).read("HEAD")


def test_more_than_was_asked_for(tmp_path: Path, repository: Path) -> None:
    with pytest.raises(WorldError, match="git cat-file"):
        opened(repository, lying(tmp_path, "cat-file", "out = out + b'more'")).read("HEAD")


@pytest.mark.parametrize("name", ["HEAD\nHEAD", "HEAD\0", "\ud800", "x" * 5000])
def test_what_cannot_be_a_name_is_absent(repository: Path, name: str) -> None:
    found = opened(repository)
    assert found.read(name) == Absent("git has no such names")
    found.close()


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    with pytest.raises(WorldError, match="gone cannot be entered: No such file"):
        Git(Repository(gone, gone, gone), dict(os.environ)).branch()
