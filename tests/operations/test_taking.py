"""Taking tasks: ``--dispatch``, ``take`` and ``release``, under one lock, by many callers at once."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import subprocess
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import repos
from git_sched.workspace import decisions_log, files, question, writing
from repos import EVENTS, IGNORED, LOG, POLICY, task
from sandbox import ask

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.heavy

AGENTS = tuple(f"w{n}" for n in range(8))
NOWS = ((), ("--now", "commit"), ("--now", "wall"), ("--rev", "HEAD"))
"""How callers of one round say what time it is."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with two ready tasks, one that waits, and nothing set up for git-sched."""
    nodes = (task("a", priority=2), task("b", priority=1), task("c", "a"))
    return repos.repository(tmp_path / "repository", repos.work(*nodes))


def lines(path: Path) -> list[dict[str, Any]]:
    """Read a log line by line."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def picked(folder: Path, *words: str) -> list[str]:
    """Give the ids of the picked nodes."""
    return ask(folder, "next", "-q", *words).out.split()


def said(folder: Path, *words: str) -> tuple[int, str]:
    """Give the exit code of a command and what it said on stderr."""
    found = ask(folder, *words)
    return found.code, found.err


# One after the other


def test_who_takes_a_task_has_it(repository: Path) -> None:
    found = ask(repository, "take", "b", "--agent", "ann", "--now", "2026-11-02T10:00:00Z")
    assert found.code == 0
    assert found.out == "ann  b  Do b\n  Why: ann chose it.\n  .metagit/tasks/graphs/work.json:10 · unassigned\n"
    held = "held for ann until 2026-11-02T14:00:00Z; git sched release b --agent ann gives it back\n"
    assert found.err.endswith(held)
    later = ("--now", "2026-11-02T11:00:00Z")
    assert picked(repository, "--agent", "bob", "--limit", "2", *later) == ["a"]
    assert picked(repository, "--agent", "ann", *later) == ["a"], "the ranking is as it was"
    rows = json.loads(ask(repository, "next", "--agent", "bob", "--json", *later).out)["held"]
    assert [(row["node_id"], row["why"]) for row in rows] == [("b", "taken by ann; held until 2026-11-02T14:00:00Z")]
    assert ask(repository, "verify", "--strict").code == 0


def test_asking_again_prolongs_nothing(repository: Path) -> None:
    dispatch = ("next", "--agent", "ann", "--dispatch", "--now")
    for time in ("2026-11-02T10:00:00Z", "2026-11-02T13:00:00Z"):
        assert "held for ann until 2026-11-02T14:00:00Z;" in said(repository, *dispatch, time)[1]
    assert picked(repository, "--agent", "bob", "--now", "2026-11-02T14:00:00Z") == ["a"]


def test_who_got_a_task_beside_others_has_it(repository: Path) -> None:
    assert picked(repository, "--agent", "ann", "--agent", "bob", "--dispatch") == ["a", "b"]
    assert said(repository, "take", "a", "--agent", "ann") == (3, "error: ann has a already\n")
    assert json.loads(ask(repository, "verify", "--json").out)["checked"] == 2, "nothing more was written"


def test_what_cannot_be_taken(repository: Path) -> None:
    ask(repository, "take", "a", "--agent", "ann")
    assert said(repository, "take", "a", "--agent", "ann") == (3, "error: ann has a already\n")
    code, err = said(repository, "take", "a", "--agent", "bob")
    assert (code, err.startswith("error: a cannot be taken: taken by ann; held until ")) == (3, True)
    assert said(repository, "take", "c", "--agent", "bob")[0] == 3
    assert "error: c waits for a, so it cannot be taken" in said(repository, "take", "c", "--agent", "bob")[1]
    assert said(repository, "take", "nosuch")[0] == 2
    repos.add(repository, {POLICY: "version: 2\n"})
    assert said(repository, "take", "b")[0] == 1


def test_what_is_in_error_or_assigned(tmp_path: Path) -> None:
    nodes = (task("bad", status="finished"), task("hers", agent_id="ann"), task("his", agent_id="bob"))
    repository = repos.repository(tmp_path / "repository", repos.work(*nodes))
    assert said(repository, "take", "bad") == (
        1, "error: bad is in error, so it cannot be taken\nhint: git sched explain bad\n"
    )  # fmt: skip
    assert "cannot be taken: assigned to ann" in said(repository, "take", "hers", "--agent", "bob")[1]
    assert ask(repository, "take", "hers", "--agent", "ann").code == 0
    found = json.loads(ask(repository, "take", "his", "--json").out)
    assert [row["agent_id"] for row in found["decisions"]] == ["bob"], "without a name it is taken for its assignee"
    assert ask(repository, "verify", "--strict").code == 0


def test_what_limits_hold_can_be_taken(repository: Path) -> None:
    repos.add(repository, {POLICY: "version: 1\nlimits: {total: 1}\n"})
    assert picked(repository, "--agent", "ann", "--dispatch") == ["a"]
    assert picked(repository, "--agent", "bob") == []
    assert ask(repository, "take", "b", "--agent", "bob").code == 0
    assert ask(repository, "verify", "--strict").code == 0


def test_who_gives_a_task_back(repository: Path) -> None:
    assert picked(repository, "--agent", "ann", "--dispatch") == ["a"]
    assert ask(repository, "release", "a", "--agent", "ann").out == (
        "a  Do a\n  given back by ann; others can take it now\n"
    )
    assert picked(repository, "--agent", "ann") == ["b"]
    assert picked(repository, "--agent", "bob", "--dispatch") == ["a"]
    code, err = said(repository, "release", "a", "--agent", "ann")
    assert (code, err) == (3, "error: ann has not taken a; bob has\nhint: git sched release a --agent bob\n")
    assert said(repository, "release", "b") == (
        3, "error: an unnamed agent has not taken b\nhint: git sched status\n"
    )  # fmt: skip
    assert said(repository, "release", "nosuch")[0] == 2
    assert ask(repository, "verify", "--strict").code == 0


def test_a_task_without_a_named_taker_is_given_back_without_a_name(repository: Path) -> None:
    ask(repository, "take", "a")
    code, err = said(repository, "release", "a", "--agent", "ann")
    assert (code, err) == (3, "error: ann has not taken a; an unnamed agent has\nhint: git sched release a\n")


def test_who_asks_again_is_told_when_the_hold_really_ends(repository: Path) -> None:
    first, later = ("--now", "2026-11-02T10:00:00Z"), ("--now", "2026-11-02T12:00:00Z")
    again = said(repository, "next", "--agent", "ann", "--dispatch", *first)[1]
    assert said(repository, "next", "--agent", "ann", "--dispatch", *later)[1] == again
    assert "held for ann until 2026-11-02T14:00:00Z" in again


def test_who_asks_again_for_two_is_told_when_the_first_hold_ends(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", repos.work(task("a"), task("b"), task("c")))
    first, later = ("--now", "2026-11-02T10:00:00Z"), ("--now", "2026-11-02T12:00:00Z")
    both = ("next", "--agent", "ann", "--agent", "bob", "--dispatch")
    assert "2 tasks are held until 2026-11-02T14:00:00Z" in said(repository, *both, *first)[1]
    ask(repository, "release", "b", "--agent", "bob", *later)
    told = said(repository, *both, *later)[1]
    assert "2 tasks are held, the first of them until 2026-11-02T14:00:00Z" in told


def test_errors_elsewhere_are_counted_and_a_named_file_must_be_readable(tmp_path: Path) -> None:
    nodes = (task("a"), task("bad", status="finished"))
    repository = repos.repository(tmp_path / "repository", repos.work(*nodes))
    for word in ("take", "release"):
        code, err = said(repository, word, "a", "--agent", "ann")
        assert (code, "1 error in the task files: git sched check" in err) == (0, True)
    for word in ("take", "release"):
        assert said(repository, word, "a", "--agent", "bob", "--graph", "nosuch.json")[0] == 1
    assert "in the task files" not in said(repository, "take", "a", "--agent", "cid", "-q")[1]
    assert "in the task files" not in said(repository, "release", "a", "--agent", "cid", "-q")[1]


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_what_is_in_the_place_of_the_log_hides_no_holds(repository: Path, kind: str) -> None:
    """The log is then in the user's folder, and the workspace's place cannot be read."""
    (repository / LOG).parent.mkdir()
    if kind == "link":
        (repository / LOG).symlink_to("nowhere")
    else:
        os.mkfifo(repository / LOG)
    assert picked(repository, "--agent", "ann", "--dispatch") == ["a"]
    assert picked(repository, "--agent", "bob", "--dispatch") == ["b"]
    again = [ask(repository, "next", "--agent", "ann", "--dispatch", "--json").out for _ in range(2)]
    assert again[0] == again[1]
    assert json.loads(again[0])["signals"]["history"]["known"] is False
    verified = ask(repository, "verify", "--strict")
    assert (verified.code, "2 decisions: 2 reproduced" in verified.out) == (0, True)
    assert "1 warning" in verified.err


def test_a_log_too_large_to_read_gives_nothing_out(repository: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.touch()
    os.truncate(log, files.SIZE_LIMIT + 1)
    for words in ("next --dispatch", "take a", "release a"):
        code, err = said(repository, *words.split(), "--decisions", str(log))
        assert (code, "it is larger than" in err) == (4, True)
    verified = ask(repository, "verify", "--decisions", str(log))  # it reads line by line, whatever the size
    assert (verified.code, "1 warning in the task files" in verified.err) == (0, True)


def test_a_state_folder_in_the_git_directory_is_refused(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(repository / ".git" / "state"))
    code, err = said(repository, "take", "a")
    assert (code, "in a git directory, which is never written" in err) == (4, True)
    assert not (repository / ".git" / "state").exists()


def test_a_task_is_taken_again_in_the_same_second(repository: Path) -> None:
    now = ("--now", "2026-11-02T10:00:00Z")
    for command in ("take", "release", "take"):
        assert ask(repository, command, "a", "--agent", "ann", *now).code == 0
    assert picked(repository, "--agent", "bob", *now) == ["b"]
    repos.add(repository, {"README": "another basis\n"})
    for command in ("release", "take", "release"):
        assert ask(repository, command, "a", "--agent", "ann", *now).code == 0
    assert picked(repository, "--agent", "ann", *now) == ["b"]
    assert picked(repository, "--agent", "bob", *now) == ["a"]
    assert ask(repository, "verify", "--strict").code == 0


def test_a_task_that_is_gone_can_be_given_back(repository: Path) -> None:
    assert picked(repository, "--agent", "ann", "--dispatch") == ["a"]
    repos.add(repository, repos.work(task("b")))
    found = json.loads(ask(repository, "release", "work/a", "--agent", "ann", "--json").out)
    assert (found["node_id"], found["title"], found["agent_id"]) == ("a", "", "ann")


def test_an_id_of_two_graphs_is_named_in_full(tmp_path: Path) -> None:
    files = {**repos.work(task("a"), graph_id="one"), **repos.work(task("a"), graph_id="two")}
    repository = repos.repository(tmp_path / "repository", files)
    assert len(picked(repository, "--limit", "2", "--dispatch")) == 2
    assert said(repository, "release", "a")[0] == 2
    assert ask(repository, "release", "one/a").code == 0
    assert ask(repository, "release", "a").code == 0


def test_a_release_that_releases_nothing_does_not_hold(repository: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    where = ("--decisions", str(log))
    ask(repository, "take", "a", *where)
    ask(repository, "release", "a", *where)
    first, second = lines(log)
    timeless = {key: value for key, value in first["basis"].items() if key != "now"}
    for forged, why in (
        ([{**first, "clock": "2026-11-01T00:00:00Z"}, second], "no line of the log gives out what it releases"),
        ([first, {**second, "dispatch_hints": {"title": "t"}}], "it is not of the shape of a release"),
        ([first, {key: value for key, value in second.items() if key != "score"}], "it lacks score"),
        ([first, {**second, "releases": "a"}], "it is not of the shape of a release"),
        ([first, {**second, "agent_id": ["a"]}], "no line of the log gives out what it releases"),
        ([first, {**second, "releases": {"clock": {}}}], "no line of the log gives out what it releases"),
        ([{**first, "node_id": "c"}], "the task that was taken is not ready"),
        ([{**first, "agent_id": ["a"]}], "picked is work/a"),
        ([{**first, "basis": timeless}], "its time is not the one that its tasks and policy call for"),
    ):
        log.write_text("".join(json.dumps(line) + "\n" for line in forged), encoding="utf-8")
        found = json.loads(ask(repository, "verify", "--json", *where).out)
        assert why in [row["why"] for row in found["rows"]]


def test_a_task_of_another_graph_than_was_asked_for_does_not_hold(tmp_path: Path) -> None:
    files = {**repos.work(task("a"), graph_id="one"), **repos.work(task("a"), graph_id="two")}
    repository, log = repos.repository(tmp_path / "repository", files), tmp_path / "log.jsonl"
    ask(repository, "take", "one/a", "--decisions", str(log))
    line = lines(log)[0]
    log.write_text(json.dumps({**line, "request": {**line["request"], "graph_ids": ["two"]}}) + "\n", encoding="utf-8")
    found = json.loads(ask(repository, "verify", "--json", "--decisions", str(log)).out)
    assert [row["why"] for row in found["rows"]] == ["the task that was taken is not ready"]


def test_callers_without_a_name_are_told(repository: Path) -> None:
    told = "taken by an unnamed agent; all callers without --agent count as that one\n"
    assert told in said(repository, "next", "--dispatch")[1]
    assert told in said(repository, "take", "b")[1]
    assert told not in said(repository, "next", "--dispatch", "--agent", "ann")[1]
    assert picked(repository) == ["a"]


# At the same time


def command(agent: str, *words: str) -> list[str]:
    """Give the command by which an agent takes the next task."""
    return [sys.executable, "-P", "-m", "git_sched", "next", "--agent", agent, "--dispatch", "-q", *words]


def run_at_once(folder: Path, commands: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """Start commands at once; give their exit codes and what they printed."""
    started = [
        subprocess.Popen(
            words, cwd=folder, env=repos.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8",
        )
        for words in commands
    ]  # fmt: skip
    return [(process.returncode, out) for process in started for out in [process.communicate(timeout=120)[0]]]


@pytest.mark.parametrize("round_", range(int(os.environ.get("GIT_SCHED_ROUNDS", "3"))))
def test_eight_callers_get_eight_tasks(tmp_path: Path, round_: int) -> None:
    """Set GIT_SCHED_ROUNDS for more rounds; each round is another repository, set up for git-sched or not."""
    setup = {".gitignore": IGNORED} if round_ % 2 else {}
    nodes = repos.work(*(task(f"n{n}") for n in range(9)))
    repository = repos.repository(tmp_path / "repository", {**nodes, **setup})
    nows = [NOWS[(n + round_) % len(NOWS)] if round_ % 3 else () for n in range(len(AGENTS))]
    found = run_at_once(repository, [command(agent, *now) for agent, now in zip(AGENTS, nows, strict=True)])
    assert [code for code, _ in found] == [0] * 8
    assert sorted({task for _, out in found for task in out.split()}) == [f"n{n}" for n in range(8)]
    again = run_at_once(repository, [command(AGENTS[0]), command(AGENTS[7])])
    assert again == [found[0], found[7]], "who asks again gets the same answer"
    verified = json.loads(ask(repository, "verify", "--strict", "--json").out)
    assert (verified["checked"], verified["verified"]) == (8, 8)


def test_of_eight_callers_that_take_one_task_one_has_it(repository: Path) -> None:
    words = [[sys.executable, "-P", "-m", "git_sched", "take", "a", "--agent", agent] for agent in AGENTS]
    assert sorted(code for code, _ in run_at_once(repository, words)) == [0, 3, 3, 3, 3, 3, 3, 3]


def test_a_log_that_stays_locked(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions_log, "PATIENCE", 0.0)
    log = tmp_path / "log.jsonl"
    with log.open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for words in ("next --dispatch", "next --record", "take a", "release a"):
            code, err = said(repository, *words.split(), "--decisions", str(log))
            assert (code, "is locked by another process" in err) == (4, True)
    assert ask(repository, "next", "--dispatch", "--decisions", str(log)).code == 0


def test_without_locks_nothing_is_given_out(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "flock", refuse)
    log = tmp_path / "log.jsonl"
    for words in ("next --dispatch", "take a", "release a"):
        code, err = said(repository, *words.split(), "--decisions", str(log))
        assert code == 4
        assert "cannot be locked, so a task could be given out twice\nhint: --decisions PATH keeps" in err
    assert ask(repository, "next", "--record", "--decisions", str(log)).code == 0
    assert len(lines(log)) == 1


def test_a_log_that_is_replaced_while_a_caller_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pruning writes a new file in its place: what is appended to the old one would be lost."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"old\n")
    lock = fcntl.flock
    replaced: list[bool] = []

    def replace_once(descriptor: int, operation: int) -> None:
        if not replaced:
            replaced.append(True)
            writing.replace(str(tmp_path), "log.jsonl", b"new\n")
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", replace_once)
    with writing.open_locked(str(tmp_path), "log.jsonl", seconds=0, required=True) as log_:
        log_.append(b"line\n")
    assert log.read_bytes() == b"new\nline\n"


def test_the_time_of_a_line_is_that_at_which_nobody_else_could_write(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A caller that waited must not write an earlier time than the line that it waited for."""
    log = tmp_path / "log.jsonl"
    lock, clock = fcntl.flock, [1_000.0]

    def wait(descriptor: int, operation: int) -> None:
        clock[0] += 100
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", wait)
    monkeypatch.setattr(question, "time", SimpleNamespace(time=lambda: clock[0]))
    for words in ("take a", "release a", "take a"):
        assert ask(repository, *words.split(), "--decisions", str(log)).code == 0
    assert [line["clock"] for line in lines(log)] == [f"1970-01-01T00:{n}Z" for n in ("18:20", "20:00", "21:40")]
    assert [line["at"] for line in lines(log)] == [line["clock"] for line in lines(log)]


def test_a_log_that_stays_empty_is_not_left_behind(repository: Path) -> None:
    repos.add(repository, {**repos.work(task("a", status="running")), ".gitignore": IGNORED})
    assert ask(repository, "next", "--dispatch").code == 0
    assert not (repository / LOG).exists()
    assert not (repository / EVENTS).exists()
