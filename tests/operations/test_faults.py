"""Faults while something is written: either all of it is there or nothing, and the message names the file."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from contextlib import redirect_stderr
from typing import TYPE_CHECKING, Any

import pytest

import repos
from git_sched.cli.main import run
from git_sched.operations import log as log_operations
from git_sched.workspace import streams, writing
from operations.faults import WRITING, contents, inject, restore
from repos import EVENTS, IGNORED, LOG, POLICY, task
from sandbox import ask

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

NODES = repos.work(task("a", priority=3), task("b", priority=2), task("c", priority=1))
DISPATCH = ("next", "--agent", "ann", "--limit", "2", "--dispatch")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with three ready tasks that ignores the logs."""
    files = {**NODES, ".gitignore": IGNORED, POLICY: "version: 1\nlimits: {per_agent: 3}\n"}
    return repos.repository(tmp_path / "repository", files)


def rows(path: Path) -> list[dict[str, Any]]:
    """Read a log line by line."""
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def holds(folder: Path) -> list[str]:
    """Give the ids of the tasks that are held for somebody else than a newcomer, as the newcomer is told."""
    found = json.loads(ask(folder, "next", "--agent", "newcomer", "--limit", "9", "--json").out)
    return [row["node_id"] for row in found["held"]]


# Every call of the operating system, failing in turn


def prepare(folder: Path, words: tuple[str, ...]) -> None:
    """Do what a command needs to have been done before."""
    if words[0] == "release":
        ask(folder, "take", "a", "--agent", "ann")
    if words[0] == "log":
        ask(folder, "next", "--record", "--now", "2001-01-01T00:00:00Z")
        ask(folder, "take", "a", "--agent", "ann")


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (DISPATCH, LOG),
        ((*DISPATCH, "-o", "out.txt"), "out.txt"),
        (("next", "--record"), LOG),
        (("take", "a", "--agent", "ann"), LOG),
        (("release", "a", "--agent", "ann"), LOG),
        (("policy", "set", "--threshold", "4"), POLICY),
        (("status", "-o", "out.txt"), "out.txt"),
        (("log", "--prune", "30"), LOG),
    ],
    ids=lambda words: "-".join(words) if isinstance(words, tuple) else "",
)
def test_each_call_fails_in_turn(
    repository: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], named: str, name: str
) -> None:
    prepare(repository, words)
    for number in range(1, 12):
        before = contents(repository)
        with monkeypatch.context() as patched:
            failed = inject(patched, name, number)
            ran = ask(repository, *words)
        after = contents(repository)
        changed = {path for path in before | after if before.get(path) != after.get(path)}
        assert not [path for path in after if "partial" in path], "nothing is left behind"
        assert all(data.endswith(b"\n") for path, data in after.items() if path in {LOG, EVENTS}), "no half line"
        if not failed:
            assert ran.code == 0
            return
        if ran.code == 0:  # the event stream is a copy, and of what is left behind the next one is told
            assert EVENTS in ran.err or name == "unlink"
            assert changed
        else:
            assert ran.code == 4
            assert "No space left on device" in ran.err
            assert named in ran.err or LOG in ran.err
            assert changed <= {LOG, EVENTS}
            assert words[0] != "next" or holds(repository) == []
            assert words[0] == "next" or not changed
        restore(repository, before, changed)
    raise AssertionError("there are more calls than this test looks at")


# Printing fails


class Broken(io.StringIO):
    """A stream that accepts some characters, and fails then."""

    def __init__(self, error: int, accepts: int) -> None:
        """Store the error, and how many characters are accepted."""
        super().__init__()
        self._error, self._accepts = error, accepts

    def write(self, text: str) -> int:
        """Write what is accepted."""
        super().write(text[: self._accepts])
        if len(text) > self._accepts:
            raise OSError(self._error, os.strerror(self._error))
        return len(text)


def fail(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: str, error: int, accepts: int = 0) -> tuple[int, str]:
    """Run a command whose stdout fails; give its exit code and stderr."""
    said = io.StringIO()
    with monkeypatch.context() as patched, redirect_stderr(said):
        patched.setattr(sys, "stdout", Broken(error, accepts))
        patched.setattr(streams, "give_up", lambda _: None)
        code = run(["-C", str(folder), *words])
    return code, said.getvalue()


@pytest.mark.parametrize("accepts", [0, 20])
@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (errno.EPIPE, 4, "work/a, work/b were given back\n"),
        (errno.ENOSPC, 4, "error: stdout cannot be written: No space left on device\nhint: work/a, work/b were given"),
    ],
)
def test_what_cannot_be_printed_is_not_taken(
    repository: Path, monkeypatch: pytest.MonkeyPatch, error: int, code: int, said: str, accepts: int
) -> None:
    ended = fail(monkeypatch, repository, *DISPATCH, error=error, accepts=accepts)
    assert ended[0] == code
    assert said in ended[1]
    assert [(row["node_id"], row.get("released", False)) for row in rows(repository / LOG)] == [
        ("a", False), ("b", False), ("a", True), ("b", True)
    ]  # fmt: skip
    assert len(rows(repository / EVENTS)) == 4
    assert holds(repository) == []
    assert ask(repository, *DISPATCH, "-q").out == "a\nb\n", "the same agent gets the same tasks at once"
    assert ask(repository, "next", "-q", "--agent", "bob").out == "c\n"
    verified = ask(repository, "verify", "--strict")
    assert (verified.code, "6 decisions: 6 reproduced" in verified.out) == (0, True)


def test_only_what_this_answer_took_is_given_back(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask(repository, "next", "--agent", "ann", "--dispatch", "-q").out == "a\n"
    assert "work/b was given back" in fail(monkeypatch, repository, *DISPATCH, error=errno.ENOSPC)[1]
    assert holds(repository) == ["a"]


def test_what_was_taken_before_stays_taken(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(repository, "take", "a", "--agent", "ann")
    assert fail(monkeypatch, repository, "next", "--agent", "ann", "--dispatch", error=errno.EPIPE)[0] == 0
    taken = [row["node_id"] for row in rows(repository / LOG) if row["dispatched"]]
    given_back = [row["node_id"] for row in rows(repository / LOG) if row.get("released")]
    assert (taken[0], given_back) == ("a", taken[1:])
    assert holds(repository) == ["a"]


def test_twice_in_one_second(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = ("--now", "2026-11-02T10:00:00Z")
    for _ in range(3):
        assert "were given back" in fail(monkeypatch, repository, *DISPATCH, *now, error=errno.ENOSPC)[1]
    assert len(rows(repository / LOG)) == 12
    assert ask(repository, "next", "-q", "--agent", "bob", *now).out == "a\n"
    assert ask(repository, "verify", "--strict").code == 0


def test_a_task_that_was_chosen_is_given_back(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = fail(monkeypatch, repository, "take", "c", "--agent", "ann", error=errno.EIO)
    assert (code, "hint: work/c was given back" in said) == (4, True)
    assert holds(repository) == []
    assert ask(repository, "take", "c", "--agent", "ann").code == 0


def test_giving_back_stands_though_it_is_not_printed(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(repository, "take", "a", "--agent", "ann")
    assert fail(monkeypatch, repository, "release", "a", "--agent", "ann", error=errno.EIO)[0] == 4
    assert holds(repository) == []


def test_a_folder_that_is_not_there(repository: Path) -> None:
    ran = ask(repository, *DISPATCH, "-o", "nosuch-above/../gone/out.txt")
    assert (ran.code, "given back" in ran.err or "cannot be written" in ran.err) == (4, True)
    ask(repository, *DISPATCH, "-o", str(repository.parent / "file" / "out.txt"))
    (repository.parent / "blocked").write_text("", encoding="utf-8")
    ran = ask(repository, *DISPATCH, "-o", str(repository.parent / "blocked" / "out.txt"))
    assert ran.code == 4
    assert "blocked/out.txt cannot be written" in ran.err


def test_a_bug_while_printing_gives_back(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("git_sched.cli.output.renderer", lambda *_: broken)
        ran = ask(repository, *DISPATCH, "--json")
    assert (ran.code, "work/a, work/b were given back" in ran.err) == (130, True)
    assert holds(repository) == []


def test_what_cannot_be_given_back_is_said(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    appended: list[bytes] = []
    real = writing.Locked.append

    def append(self: writing.Locked, lines: bytes) -> None:
        if appended:
            raise OSError(errno.ENOSPC, "No space left on device")
        appended.append(lines)
        real(self, lines)

    with monkeypatch.context() as patched:
        patched.setattr(writing.Locked, "append", append)
        _, said = fail(monkeypatch, repository, *DISPATCH, error=errno.ENOSPC)
    assert "hint: work/a, work/b could not be given back (" in said
    assert f"{LOG} cannot be written: No space left on device); git sched release NODE --agent NAME does that" in said
    assert holds(repository) == ["a", "b"]


def test_an_error_while_deciding_is_not_one_of_the_log(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error", "tasks.json")

    monkeypatch.setattr(log_operations, "decide_question", broken)
    ran = ask(repository, *DISPATCH)
    assert (ran.code, ran.err) == (4, "error: tasks.json: Input/output error\n")
    assert not (repository / LOG).exists()


# What is written aside


def test_a_file_that_another_process_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("git_sched.workspace.aside.PATIENCE", 0.0)
    with writing.open_to_replace(str(tmp_path), "a"), pytest.raises(OSError, match="another process is writing it"):
        writing.replace(str(tmp_path), "a", b"")
    writing.replace(str(tmp_path), "a", b"new")
    assert contents(tmp_path) == {"a": b"new"}


def test_without_locks_a_file_left_aside_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "flock", refuse)
    writing.replace(str(tmp_path), "a", b"new")
    with writing.open_to_replace(str(tmp_path), "a") as part:
        (tmp_path / "copy").write_bytes(b"")
        with pytest.raises(OSError, match=r"\.git-sched-.* is beside it; delete that unless"):
            writing.replace(str(tmp_path), "a", b"")
        assert (tmp_path / part.partial).exists()


def test_a_lock_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bool:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("git_sched.workspace.aside.is_at", broken)
    with pytest.raises(OSError, match="Input/output error"):
        writing.replace(str(tmp_path), "a", b"new")
    assert "a" not in contents(tmp_path)


@pytest.mark.parametrize("there", [False, True])
def test_a_new_file_where_there_are_no_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, there: bool
) -> None:
    def link(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    if there:
        (tmp_path / "a").write_bytes(b"old")
        with pytest.raises(FileExistsError):
            writing.create(str(tmp_path), "a", b"new")
    else:
        writing.create(str(tmp_path), "a", b"new")
    assert contents(tmp_path) == {"a": b"old" if there else b"new"}


def test_a_new_file_does_not_replace_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        writing.create(str(tmp_path), "a", b"new")
    assert contents(tmp_path) == {"a": b"old"}


def test_a_line_that_fits_in_part_is_removed_unless_another_one_is_behind_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, log = os.write, tmp_path / "log"
    behind = [b"", b"other\n"]

    def half(descriptor: int, data: bytes) -> int:
        written = real(descriptor, data[: len(data) // 2])
        with log.open("ab") as other:
            other.write(behind[0])
        return written

    log.write_bytes(b"first\n")
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", half)
        with pytest.raises(OSError, match="there is no room"):
            writing.append(str(tmp_path), "log", b"second\n")
        assert log.read_bytes() == b"first\n"
        behind.reverse()
        with pytest.raises(OSError, match="there is no room"):
            writing.append(str(tmp_path), "log", b"second\n")
    assert log.read_bytes() == b"first\nsecother\n"


def test_bytes_are_written_however_few_fit_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:3]))
    writing.replace(str(tmp_path), "a", b"0123456789")
    assert contents(tmp_path) == {"a": b"0123456789"}
