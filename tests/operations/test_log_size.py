"""A long log: a command reads what it needs from its end, and old lines can be removed."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

import repos
from cost import grow
from git_sched.workspace.observe import history, log_lines
from git_sched.workspace.observe.history import Needed, observe
from git_sched.workspace.observe.log_lines import BLOCK, LONGEST, lines_from_end, lines_in_order, number_lines
from repos import EVENTS, IGNORED, LOG, POLICY, task
from sandbox import ask

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

NOW = "2026-11-02T10:00:00Z"
AT = ("--now", NOW)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with three ready tasks that ignores the logs."""
    files = {**repos.work(*(task(name) for name in "abc")), ".gitignore": IGNORED}
    return repos.repository(tmp_path / "repository", files)


def ago(**past: float) -> str:
    """Give the time that is some days or hours before now."""
    return (datetime.fromisoformat(NOW).astimezone(UTC) - timedelta(**past)).strftime("%Y-%m-%dT%H:%M:%SZ")


def row(number: int, at: str, **more: object) -> dict[str, object]:
    """Give a row of a log, decided on other files than any of a test."""
    return {
        "decision_id": f"d{number}", "dispatched": False, "at": at, "clock": at, "graph_id": "work",
        "node_id": f"n{number}", "agent_id": None, "repository": f"r{number % 3}", "skipped": False,
        "basis_key": "another", **more,
    }  # fmt: skip


def write(path: Path, found: list[dict[str, object]]) -> None:
    """Write a log."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in found), encoding="utf-8")


def old(count: int) -> list[dict[str, object]]:
    """Give rows that hold nothing any more, a minute apart."""
    return [row(n, ago(days=9, minutes=count - n)) for n in range(count)]


class Counted:
    """How many bytes of a log were read, and how many of its rows."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Count from here on."""
        self.bytes = self.rows = 0
        pread, parse = os.pread, log_lines.parse_line

        def counted(descriptor: int, size: int, position: int) -> bytes:
            self.bytes += size
            return pread(descriptor, size, position)

        def parsed(line: bytes) -> dict[str, object] | None:
            self.rows += 1
            return parse(line)

        monkeypatch.setattr(os, "pread", counted)
        monkeypatch.setattr(history, "parse_line", parsed)


@pytest.mark.parametrize(
    "words", ["next", "status", "explain a", "plan", "check", "next --record", "next --dispatch --agent ann", "take b"]
)
def test_what_is_read_does_not_grow_with_the_log(repository: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    costs = []
    for count in (1_500, 6_000):
        write(repository / LOG, old(count))
        with monkeypatch.context() as patched:
            counted = Counted(patched)
            assert ask(repository, *words.split(), *AT).code == 0
        costs.append((counted.bytes // BLOCK, counted.rows))
    assert costs[0] == costs[1]
    assert costs[0][1] < 2 * history.ROWS


def test_what_was_taken_is_held_however_many_lines_are_behind_it(repository: Path) -> None:
    taken = row(0, ago(hours=3), node_id="a", agent_id="ann", dispatched=True)
    write(repository / LOG, [*old(900), taken, *(row(n, ago(hours=2)) for n in range(1_500))])
    assert ask(repository, "next", "-q", *AT).out == "b\n"
    write(repository / LOG, [taken, *old(history.ROWS - 1)])
    assert ask(repository, "next", "-q", *AT).out == "b\n", "clocks differ, and this many rows are looked at"


def test_many_young_rows_of_one_task_cost_as_much_as_of_many(tmp_path: Path) -> None:
    now = int(datetime.now(UTC).timestamp())

    def read(count: int) -> None:
        path = tmp_path / str(count) / LOG
        if not path.exists():
            path.parent.mkdir(parents=True)
            write(path, [{**row(n, ago(hours=1)), "node_id": "one"} for n in range(count)])
        observe([(str(tmp_path / str(count)), LOG)], Needed("", now, 14_400, 500, 500))

    assert grow(read, 4_000, 16_000, most=8) <= 8


def test_a_hold_as_long_as_the_policy_says(repository: Path) -> None:
    repos.add(repository, {POLICY: "version: 1\nredispatch_after: 30d\n"})
    taken = row(0, ago(days=29), node_id="a", agent_id="ann", dispatched=True)
    write(repository / LOG, [*old(900), taken, *(row(n, ago(days=9)) for n in range(1_500))])
    assert ask(repository, "next", "-q", *AT).out == "b\n"
    repos.add(repository, {POLICY: "version: 1\nredispatch_after: off\n"})
    assert ask(repository, "next", "-q", *AT).out == "a\n"


@pytest.mark.parametrize("weights", ["{fairness: 1}", "{fairness: 1, priority: 2}"])
def test_recording_an_answer_does_not_change_it_in_a_long_log(repository: Path, weights: str) -> None:
    repos.add(repository, {POLICY: f"version: 1\nweights: {weights}\n"})
    write(repository / LOG, [*old(history.ROWS - 1), row(7, ago(hours=5)), *old(history.ROWS)])
    answers = [ask(repository, "next", "--record", "--json", *AT).out for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert json.loads(answers[0])["signals"]["history"]["rows"] == history.ROWS


def test_rfc_0012_counts_every_row(repository: Path) -> None:
    """Without the oldest rows r0 would have the fewest."""
    nodes = repos.work(task("a", repository="r0"), task("b", repository="r1"))
    policy = "version: 1\npreset: rfc-0012\nweights: {fairness: 1}\n"
    repos.add(repository, {**nodes, POLICY: policy})
    rows = [row(n, ago(days=20), repository="r0") for n in range(2_000)]
    write(repository / LOG, [*rows, *(row(n, ago(days=9), repository="r1") for n in range(5_000, 5_900))])
    assert ask(repository, "next", "-q", *AT).out == "b\n"
    assert (
        len(json.loads(ask(repository, "status", "--recent", "2900", "--json", *AT).out)["recent_decisions"]) == 2_900
    )


def test_recent_decisions_of_a_long_log(repository: Path) -> None:
    write(repository / LOG, old(3_000))
    for words, count in (((), 10), (("--recent", "700"), 700)):
        found = json.loads(ask(repository, "status", "--json", *words, *AT).out)["recent_decisions"]
        assert [one["decision_id"] for one in found] == [f"d{2999 - n}" for n in range(count)]


def test_a_line_that_is_no_decision_is_named_by_its_number(repository: Path) -> None:
    write(repository / LOG, old(2_000))
    with (repository / LOG).open("ab") as log:
        log.write(b"torn {\n" + json.dumps(row(1, ago(days=8))).encode() + b"\n[]\n")
    found = json.loads(ask(repository, "status", "--json", *AT).out)["problems"]
    assert [(one["path"], one["line"]) for one in found] == [(LOG, 2_001), (LOG, 2_003)]


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf"])
def test_a_byte_order_mark_costs_no_row(repository: Path, mark: bytes) -> None:
    ask(repository, "take", "a", "--agent", "ann", *AT)
    ask(repository, "take", "b", "--agent", "bob", *AT)
    lines = (repository / LOG).read_bytes().splitlines()
    (repository / LOG).write_bytes(b"".join(mark + line + b"\r\n" for line in lines))
    said = ask(repository, "next", "-q", *AT)
    assert (said.out, "warning" in said.err) == ("c\n", False)
    verified = ask(repository, "verify", "--strict")
    assert (verified.code, "2 decisions: 2 reproduced" in verified.out) == (0, True)
    assert ask(repository, "release", "a", "--agent", "ann", *AT).code == 0
    assert "removed" not in ask(repository, "log", "--prune", "36500").out
    assert "2 lines" not in ask(repository, "log").out


# Lines from the end


EDGES = {
    "empty": b"",
    "a-line-feed": b"\n",
    "no-line-feed": b"a",
    "one": b"a\n",
    "the-last-one-open": b"a\nb",
    "blank": b"\n\n",
    "ends-with-a-block": b"x" * (BLOCK - 1) + b"\ny\n",
    "begins-with-a-block": b"x" * BLOCK + b"\ny",
    "more-blank-ones-than-a-block": b"\n" * (BLOCK + 1),
    "over-blocks": b"a\n" + b"x" * (3 * BLOCK) + b"\nb\n",
}


@pytest.mark.parametrize("data", EDGES.values(), ids=EDGES)
def test_lines_from_the_end_are_those_from_the_start(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "log"
    path.write_bytes(data)
    with path.open("rb") as file:
        found = list(lines_from_end(file.fileno()))[::-1]
        assert [line for _, line in found] == data.split(b"\n")
        assert number_lines(file.fileno(), [position for position, _ in found]) == list(range(1, len(found) + 1))
        assert b"".join(lines_in_order(file.fileno())) == data


def test_a_line_that_is_too_long_is_no_decision(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"first\n" + b" " * (LONGEST + 2 * BLOCK) + b"{}\nlast\n")
    with path.open("rb") as file:
        assert [line for _, line in lines_from_end(file.fileno())] == [b"", b"last", log_lines.TOO_LONG, b"first"]
        assert number_lines(file.fileno(), [1 << 30]) == [4], "the file was made shorter meanwhile"


def test_a_log_that_fails_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    write(tmp_path / LOG, old(2))
    monkeypatch.setattr(os, "pread", broken)
    past, _, problems = observe([(str(tmp_path), LOG)], Needed("", 0, None, rows=9, raw=9))
    assert (past.known, [one.message for one in problems]) == (False, [f"{LOG} cannot be read: input/output error"])


# Pruning


def read(path: Path) -> list[dict[str, Any]]:
    """Read a log line by line."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def age(path: Path, name: str, **past: float) -> None:
    """Make all lines about a task older."""
    lines = []
    for line in read(path):
        if line["node_id"] == name:
            then = {"at": ago(**past), "clock": ago(**past)}
            line.update(then)
            if "releases" in line:
                line["releases"]["clock"] = then["clock"]
        lines.append(json.dumps(line) + "\n")
    path.write_text("".join(lines), encoding="utf-8")


def prune(folder: Path, days: int, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """Remove old lines as of the time of these tests; give what is said."""
    with monkeypatch.context() as patched:
        patched.setattr("git_sched.operations.prune.find_clock", lambda _: int(datetime.fromisoformat(NOW).timestamp()))
        ran = ask(folder, "log", "--prune", str(days), *words)
    assert ran.code == 0, ran.err
    return ran.out


def test_old_lines_are_removed(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repository / LOG, [*old(5), row(9, ago(days=1))])
    (repository / LOG).chmod(0o640)
    log = repository / LOG
    assert ask(repository, "log").out == f"{log}: 6 lines, {log.stat().st_size:,} bytes\n"
    assert prune(repository, 30, monkeypatch).startswith(f"{log}: no removable line is older than 30 days; 6 lines, ")
    assert prune(repository, 5, monkeypatch).startswith(f"{log}: removed 5 lines older than 5 days; 1 line, ")
    assert [line["decision_id"] for line in read(log)] == ["d9"]
    assert log.stat().st_mode & 0o777 == 0o640
    assert prune(repository, 0, monkeypatch).startswith(f"{log}: removed 1 line older than 0 days; 0 lines, 0 bytes")
    assert not (repository / EVENTS).exists()


def test_without_a_log(repository: Path) -> None:
    for words in ((), ("--prune", "1")):
        assert ask(repository, "log", *words).out == "no decisions recorded yet\n"
    assert not (repository / LOG).exists()


def test_what_is_held_stays(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repos.add(repository, {POLICY: "version: 1\nredispatch_after: 30d\n"})
    ask(repository, "take", "a", "--agent", "ann", "--now", ago(days=20))
    ask(repository, "take", "b", "--agent", "bob", "--now", ago(days=40))
    assert "removed 1 line" in prune(repository, 1, monkeypatch)
    assert ask(repository, "next", "-q", *AT).out == "b\n"
    assert ask(repository, "verify", "--strict").code == 0


def test_what_gives_back_stays_with_what_it_gives_back(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repos.add(repository, {POLICY: "version: 1\nredispatch_after: 30d\n"})
    ask(repository, "take", "a", "--agent", "ann", "--now", ago(days=20))
    ask(repository, "release", "a", "--agent", "ann", *AT)
    repos.add(repository, {POLICY: "version: 1\nredispatch_after: 1h\n"})
    for name in "bc":
        ask(repository, "take", name, "--agent", "bob", "--now", ago(days=20))
        ask(repository, "release", name, "--agent", "bob", "--now", ago(days=20))
    assert "removed 4 lines older than 2 days; 2 lines" in prune(repository, 2, monkeypatch)
    assert [line["node_id"] for line in read(repository / LOG)] == ["a", "a"]
    assert ask(repository, "verify", "--strict").code == 0


def test_lines_of_others_stay_unless_they_are_dated_and_old(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [
        b"torn {",
        b"[1]",
        b'{"note": "mine"}',
        b'{"at": 5}',
        b"\xff\xfe",
        b'{"at": "2001-01-01T00:00:00Z"}',
        b"end",
    ]
    (repository / LOG).parent.mkdir(parents=True)
    (repository / LOG).write_bytes(b"\r\n".join(others))
    assert "removed 1 line" in prune(repository, 30, monkeypatch)
    assert (repository / LOG).read_bytes() == b"\r\n".join([*others[:5], others[6]])


def test_both_places_are_pruned(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (repository / ".gitignore").unlink()
    ask(repository, "take", "a", "--agent", "ann", "--now", ago(days=9))
    [private] = (tmp_path / "state").rglob("decisions.jsonl")
    (repository / ".gitignore").write_text(IGNORED, encoding="utf-8")
    write(repository / LOG, old(3))
    said = prune(repository, 5, monkeypatch).splitlines()
    assert [line.partition(":")[0] for line in said] == [str(repository / LOG), str(private)]
    assert [path.stat().st_size for path in (repository / LOG, private)] == [0, 0]
    assert len(ask(repository, "log").out.splitlines()) == 2


def test_a_policy_in_error_prunes_nothing(repository: Path) -> None:
    write(repository / LOG, old(3))
    repos.add(repository, {POLICY: "version: 2\n"})
    ran = ask(repository, "log", "--prune", "1")
    assert (ran.code, "unknown what is still held" in ran.err) == (1, True)
    assert len(read(repository / LOG)) == 3


def test_a_log_that_cannot_be_read_is_never_quiet(repository: Path) -> None:
    (repository / LOG).mkdir(parents=True)
    said = ask(repository, "next", "-q")
    assert (said.code, said.err) == (0, "1 error in the task files: git sched check\n")
    assert "nobody knows who has which task" in ask(repository, "check").out


def test_a_log_that_cannot_be_read_is_said(repository: Path) -> None:
    (repository / LOG).mkdir(parents=True)
    for words in ((), ("--prune", "1")):
        ran = ask(repository, "log", *words)
        assert ran.code == 4
        assert LOG in ran.err


# Without a home


@pytest.mark.parametrize("home", [None, "", "/", "//", "relative", "/."])
@pytest.mark.parametrize("state", [None, "/", "relative"])
def test_without_a_home_nothing_is_written(
    repository: Path, monkeypatch: pytest.MonkeyPatch, home: str | None, state: str | None
) -> None:
    (repository / ".gitignore").unlink()
    for name, value in (("HOME", home), ("XDG_STATE_HOME", state)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    ran = ask(repository, "next", "--record")
    assert (ran.code, "hint: add /.metagit/schedule/decisions.jsonl to .gitignore" in ran.err) == (4, True)
    assert ask(repository, "next", "-q").out == "a\n"
    assert ask(repository, "verify").code == 0


def test_a_bare_repository_without_a_home(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = repos.clone(repository, tmp_path / "bare.git", "--bare")
    monkeypatch.setenv("GIT_DIR", str(bare))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/")
    ran = ask(bare, "next", "--record")
    assert (ran.code, "there is no home folder to keep the log in" in ran.err) == (4, True)
    assert "no decisions" in ask(bare, "verify").out
