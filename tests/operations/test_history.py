"""The log of decisions: ids, dispatches, places, and many writers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import repos
from git_sched.model.basis import digest
from git_sched.workspace.observe.history import Needed, observe
from repos import EVENTS, IGNORED, LOG, POLICY, task
from sandbox import ask, git

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

EVERYTHING = Needed("", 0, 1, rows=1_000_000, raw=1_000_000)
LINE_LIMIT = 64 * 1024
TWO = repos.work(task("a", priority=2), task("b", priority=1))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with two ready tasks that ignores the logs."""
    return repos.repository(tmp_path / "repository", {**TWO, ".gitignore": IGNORED})


def lines(path: Path) -> list[dict[str, Any]]:
    """Read a log line by line; each ends in a line break."""
    data = path.read_bytes()
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data.splitlines()]


def decided(folder: Path, *words: str) -> dict[str, Any]:
    """Give the record of ``next``."""
    said = ask(folder, "next", "--json", *words)
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def signal(folder: Path, *words: str) -> dict[str, Any]:
    """Give the signal as ``status`` shows it: all of the log, while ``next`` leaves out what its own basis decided."""
    found: dict[str, Any] = json.loads(ask(folder, "status", "--json", *words).out)["signals"]["history"]
    return found


def picked(folder: Path, *words: str) -> list[str]:
    """Give the ids of the picked nodes."""
    return [row["node_id"] for row in decided(folder, *words)["decisions"]]


# One line for each decision


def test_a_decision_is_recorded_with_all_that_it_rests_on(repository: Path) -> None:
    found = decided(repository, "--record", "--now", repos.BASE)
    (decision,) = found["decisions"]
    (line,) = lines(repository / LOG)
    assert decision["at"] is None, "nothing follows from the time"
    assert {key: line[key] for key in decision} == {**decision, "at": repos.BASE}
    assert line["clock"] == repos.BASE
    assert line["dispatched"] is False
    assert line["basis"] == found["basis"]
    assert line["basis_key"] == found["basis"]["key"]
    assert line["request"] == found["request"]
    assert line["counts"] == found["counts"]
    for name in ("worktrees", "merge_queue", "history"):
        assert line["signals"][name].items() >= found["signals"][name].items()
    assert line["holds"] == line["turns"] == []


def test_events_for_metagit(repository: Path) -> None:
    (decision,) = decided(repository, "--record", "--now", repos.BASE)["decisions"]
    (event,) = lines(repository / EVENTS)
    assert event["type"] == "ScheduleDecision"
    assert event["source"] == "scheduler"
    assert event["at"] == repos.BASE
    assert event["payload"]["decision_id"] == decision["decision_id"]
    assert event["payload"]["node_id"] == "a"


def test_what_is_skipped_is_recorded_as_skipped(repository: Path) -> None:
    merges = {f".metagit/merges/m{n}.json": json.dumps({"repository": "o/r", "status": "queued"}) for n in range(3)}
    policy = "version: 1\nskip_on_merge_pressure: true\n"
    nodes = repos.work(task("a", priority=9, repository="o/r"), task("b"))
    repos.add(repository, {**nodes, **merges, POLICY: policy})
    found = decided(repository, "--dispatch")
    assert [row["node_id"] for row in found["decisions"]] == ["b"]
    assert [row["node_id"] for row in found["skipped"]] == ["a"]
    assert [(row["node_id"], row["skipped"], row["dispatched"]) for row in lines(repository / LOG)] == [
        ("b", False, True),
        ("a", True, False),
    ]
    assert [event["type"] for event in lines(repository / EVENTS)] == ["ScheduleDecision", "ScheduleSkipped"]


def test_nothing_picked_nothing_recorded(repository: Path) -> None:
    repos.add(repository, repos.work(task("a", status="running")))
    assert ask(repository, "next", "--record").code == 0
    assert not (repository / LOG).exists()


# Ids


def test_the_same_decision_is_written_once(repository: Path) -> None:
    first = decided(repository, "--record")
    log, events = (repository / LOG).read_bytes(), (repository / EVENTS).read_bytes()
    again = decided(repository, "--record")
    assert again["decisions"] == first["decisions"]
    assert ((repository / LOG).read_bytes(), (repository / EVENTS).read_bytes()) == (log, events)


def test_the_id_is_the_same_for_everyone_who_asks(repository: Path, tmp_path: Path) -> None:
    (first,) = decided(repository)["decisions"]
    clone = repos.clone(repository, tmp_path / "clone")
    (second,) = decided(clone)["decisions"]
    assert first["decision_id"] == second["decision_id"]
    assert len(first["decision_id"]) == 32


def test_the_limit_and_the_renderer_are_no_part_of_the_id(repository: Path) -> None:
    (one,) = decided(repository)["decisions"]
    two = decided(repository, "--limit", "2")["decisions"]
    assert two[0]["decision_id"] == one["decision_id"]
    assert len({row["decision_id"] for row in two}) == 2


@pytest.mark.parametrize(
    "words",
    [
        ("--agent", "x"),
        ("--graph-id", "work"),
        ("--worktrees", "trees.json"),
        ("--merge-queue", "queue.json"),
    ],
)
def test_what_the_id_depends_on(repository: Path, words: tuple[str, ...]) -> None:
    (repository / "trees.json").write_text('[{"repository": "o/r"}]', encoding="utf-8")
    (repository / "queue.json").write_text('{"o/r": 1}', encoding="utf-8")
    given = [str(repository / word) if word.endswith(".json") else word for word in words]
    (plain,) = decided(repository)["decisions"]
    (other,) = decided(repository, *given)["decisions"]
    assert other["decision_id"] != plain["decision_id"]


def test_the_time_is_no_part_of_the_id(repository: Path) -> None:
    repos.add(repository, {POLICY: "version: 1\nweights: {age: 1}\n"})
    repos.add(repository, repos.work(task("a", created_at="2026-10-01")))
    found = [decided(repository, "--now", now) for now in ("2026-11-01", "2026-12-01")]
    assert found[0]["basis"]["now"] != found[1]["basis"]["now"]
    assert found[0]["basis"]["key"] == found[1]["basis"]["key"]
    assert found[0]["decisions"][0]["decision_id"] == found[1]["decisions"][0]["decision_id"]


def test_a_commit_or_an_edit_makes_another_basis(repository: Path) -> None:
    ids = [decided(repository)["decisions"][0]["decision_id"]]
    repos.add(repository, {"README": "unrelated\n"})
    ids.append(decided(repository)["decisions"][0]["decision_id"])
    graph = repository / repos.GRAPHS / "work.json"
    graph.write_text(graph.read_text(encoding="utf-8").replace("Do a", "Do it"), encoding="utf-8")
    ids.append(decided(repository)["decisions"][0]["decision_id"])
    assert len(set(ids)) == 3


def test_the_answer_does_not_depend_on_what_its_caller_recorded(repository: Path) -> None:
    before = decided(repository, "--limit", "2", "--agent", "x", "--agent", "y")
    decided(repository, "--limit", "2", "--agent", "x", "--agent", "y", "--dispatch")
    after = decided(repository, "--limit", "2", "--agent", "x", "--agent", "y")
    assert after == before


# Dispatched


def test_a_hand_out_after_a_record_is_written_as_handed_out(repository: Path) -> None:
    (recorded,) = decided(repository, "--record")["decisions"]
    (dispatched,) = decided(repository, "--dispatch")["decisions"]
    assert dispatched["decision_id"] == recorded["decision_id"]
    assert [line["dispatched"] for line in lines(repository / LOG)] == [False, True]
    assert len(lines(repository / EVENTS)) == 2
    decided(repository, "--record")
    decided(repository, "--dispatch")
    assert len(lines(repository / LOG)) == 2, "nothing takes a dispatch back, and none is written twice"
    past, rows, problems = observe([(str(repository), LOG)], EVERYTHING)
    assert [row.dispatched for row in past.rows] == [True]
    assert len(rows) == 1
    assert problems == ()


def test_redispatch_after_holds_what_somebody_else_got(repository: Path) -> None:
    repos.add(repository, {POLICY: "version: 1\nredispatch_after: 4h\n"})
    now = ("--now", "2026-11-02T10:00:00Z")
    assert picked(repository, "--agent", "x", "--dispatch", *now) == ["a"]
    assert picked(repository, "--agent", "x", *now) == ["a"], "who asks again gets the same answer"
    found = decided(repository, "--agent", "y", *now)
    assert [row["node_id"] for row in found["decisions"]] == ["b"]
    assert [(row["node_id"], row["gate"]) for row in found["held"]] == [("a", "redispatch")]
    assert picked(repository, "--agent", "y", "--now", "2026-11-02T13:59:59Z") == ["b"]
    assert picked(repository, "--agent", "y", "--now", "2026-11-02T14:00:00Z") == ["a"]


def test_a_recorded_decision_holds_nothing(repository: Path) -> None:
    repos.add(repository, {POLICY: "version: 1\nredispatch_after: 4h\n"})
    assert picked(repository, "--agent", "x", "--record") == ["a"]
    assert picked(repository, "--agent", "y") == ["a"]


def test_what_held_a_node_is_in_the_line(repository: Path) -> None:
    repos.add(repository, {POLICY: "version: 1\nredispatch_after: 4h\n"})
    decided(repository, "--agent", "x", "--dispatch", "--now", "2026-11-02T10:00:00Z")
    decided(repository, "--agent", "y", "--dispatch", "--now", "2026-11-02T11:00:00Z")
    first, second = lines(repository / LOG)
    assert first["holds"] == []
    hold = {"graph_id": "work", "node_id": "a", "agent_id": "x", "at": "2026-11-02T10:00:00Z", "same_basis": True,
            "released": False}  # fmt: skip
    assert second["holds"] == [hold]


def test_fairness_takes_effect_on_the_next_call(repository: Path) -> None:
    nodes = [task("a", repository="o/one"), task("b", repository="o/two"), task("c", repository="o/one")]
    policy = "version: 1\nweights: {urgency: 0, criticality: 0, affinity: 0, payoff: 0, fairness: 1}\n"
    repos.add(repository, {**repos.work(*nodes), POLICY: policy})
    assert picked(repository, "--record") == ["a"]
    repos.add(repository, {"README": "another basis\n"})
    found = decided(repository)
    assert [row["node_id"] for row in found["decisions"]] == ["b"]
    assert found["signals"]["history"] == {"known": True, "rows": 1, "source": f"1 recorded in {LOG}"}
    assert picked(repository, "--record") == ["b"]
    repos.add(repository, {"README": "a third\n"})
    assert picked(repository, "--record") == ["a"]


def test_status_shows_the_newest_first(repository: Path) -> None:
    for n in range(12):
        repos.add(repository, {"README": f"{n}\n"}, at=f"2026-11-02T10:{n:02}:00Z")
        decided(repository, "--record", "--now", "commit")
    recent = json.loads(ask(repository, "status", "--json").out)["recent_decisions"]
    assert [row["at"] for row in recent] == [f"2026-11-02T10:{n:02}:00Z" for n in range(11, 1, -1)]


# Where the log lies


def test_linked_worktrees_share_the_log_of_the_main_one(repository: Path, tmp_path: Path) -> None:
    tree = repos.linked(repository, tmp_path / "tree", branch="topic")
    (decision,) = decided(tree, "--dispatch")["decisions"]
    assert not (tree / ".metagit" / "events").exists()
    assert not (tree / LOG).exists()
    assert [line["decision_id"] for line in lines(repository / LOG)] == [decision["decision_id"]]
    assert signal(tree)["rows"] == 1
    assert signal(repository)["rows"] == 1


def test_a_workspace_below_the_top_level_has_its_own_log(tmp_path: Path) -> None:
    files = {f"apps/web/{name}": text for name, text in TWO.items()} | {".gitignore": "decisions.jsonl\nevents/\n"}
    repository = repos.repository(tmp_path / "repository", files)
    tree = repos.linked(repository, tmp_path / "tree", branch="topic")
    decided(tree / "apps" / "web", "--record")
    assert len(lines(repository / "apps" / "web" / LOG)) == 1
    assert len(lines(repository / "apps" / "web" / EVENTS)) == 1
    assert signal(repository / "apps" / "web")["rows"] == 1


def test_a_workspace_that_the_main_worktree_lacks(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", {".gitignore": "decisions.jsonl\nevents/\n"})
    tree = repos.linked(repository, tmp_path / "tree", branch="topic")
    repos.add(tree, {f"apps/web/{name}": text for name, text in TWO.items()})
    decided(tree / "apps" / "web", "--record")
    assert len(lines(repository / "apps" / "web" / LOG)) == 1


def test_a_submodule_keeps_its_own_log(repository: Path, tmp_path: Path) -> None:
    outer = repos.repository(tmp_path / "outer", {".gitignore": IGNORED})
    inner = repos.submodule(outer, repository, "inner")
    decided(inner, "--record")
    assert len(lines(inner / LOG)) == 1
    tree = repos.linked(inner, tmp_path / "tree", branch="topic")
    assert signal(tree)["rows"] == 1
    decided(tree, "--limit", "2", "--record")
    assert len(lines(inner / LOG)) == 3 - bool(decided(tree)["signals"]["worktrees"]["worktrees"] == [])
    assert not (tree / LOG).exists()


@pytest.mark.parametrize("variable", ["XDG_STATE_HOME", "HOME"])
def test_a_bare_repository_keeps_it_in_the_state_folder(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    bare = repos.clone(repository, tmp_path / "bare.git", "--bare")
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("GIT_DIR", str(bare))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv(
        "XDG_STATE_HOME", str(tmp_path / "state") if variable == "XDG_STATE_HOME" else "relative/is/ignored"
    )
    state = tmp_path / "state" if variable == "XDG_STATE_HOME" else home / ".local" / "state"
    before = repos.snapshot(bare)
    decided(tmp_path, "--record")
    folder = state / "git-sched" / digest(str(bare.resolve()), "")
    assert len(lines(folder / "decisions.jsonl")) == 1
    assert len(lines(folder / "scheduler.jsonl")) == 1
    assert folder.stat().st_mode & 0o077 == 0, "what a repository is about concerns its user alone"
    assert signal(tmp_path)["rows"] == 1
    tree = repos.linked(bare, tmp_path / "tree", branch="topic")
    monkeypatch.delenv("GIT_DIR")
    assert signal(tree)["rows"] == 1
    assert repos.written(before, repos.snapshot(bare), bare) >= {"worktrees"}


def test_outside_git_it_lies_in_the_workspace(tmp_path: Path) -> None:
    (tmp_path / repos.GRAPHS).mkdir(parents=True)
    for name, text in TWO.items():
        (tmp_path / name).write_text(str(text), encoding="utf-8")
    decided(tmp_path, "--record")
    decided(tmp_path, "--record")
    assert len(lines(tmp_path / LOG)) == 1
    assert len(lines(tmp_path / EVENTS)) == 1


def test_a_log_elsewhere(repository: Path, tmp_path: Path) -> None:
    log = tmp_path / "own.jsonl"
    found = decided(repository, "--record", "--decisions", str(log))
    assert [line["decision_id"] for line in lines(log)] == [found["decisions"][0]["decision_id"]]
    assert len(lines(tmp_path / "scheduler.jsonl")) == 1
    assert not (repository / LOG).exists()
    assert signal(repository, "--decisions", str(log))["source"] == "1 recorded in own.jsonl"
    assert signal(repository)["rows"] == 0


# Where git would show it: in the user's state folder


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder in which state is kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "git-sched"


def private(state: Path, repository: Path, prefix: str = "") -> Path:
    """Give the place of a workspace's log in the state folder."""
    return state / digest(str((repository / ".git").resolve()), prefix) / "decisions.jsonl"


def test_a_log_that_git_would_show_is_kept_for_the_user_alone(tmp_path: Path, state: Path) -> None:
    repository = repos.repository(tmp_path / "repository", TWO)
    before = repos.snapshot(repository)
    said = ask(repository, "next", "--dispatch", "--agent", "ann")
    log = private(state, repository)
    assert said.code == 0
    assert f"the log is {log}, since git would show {LOG}\n" in said.err
    assert repos.snapshot(repository) == before
    assert [line["node_id"] for line in lines(log)] == ["a"]
    assert len(lines(log.with_name("scheduler.jsonl"))) == 1
    assert log.parent.stat().st_mode & 0o077 == 0
    assert picked(repository, "--agent", "bob") == ["b"]
    assert ask(repository, "verify").code == 0


def test_both_places_are_read_as_one_log(tmp_path: Path, state: Path) -> None:
    repository = repos.repository(tmp_path / "repository", TWO)
    ask(repository, "next", "--dispatch", "--agent", "ann")
    repos.add(repository, {".gitignore": IGNORED})
    assert picked(repository, "--agent", "bob", "--dispatch") == ["b"]
    assert [line["node_id"] for line in lines(repository / LOG)] == ["b"]
    assert [line["node_id"] for line in lines(private(state, repository))] == ["a"]
    assert signal(repository)["source"] == f"2 recorded in {LOG} and decisions.jsonl"
    assert ask(repository, "release", "a", "--agent", "ann").code == 0
    assert ask(repository, "verify").out == f"{LOG} and decisions.jsonl: 3 decisions: 3 reproduced\n"


def test_a_tracked_log_is_left_alone(tmp_path: Path, state: Path) -> None:
    repository = repos.repository(tmp_path / "repository", {**TWO, LOG: ""})
    repos.add(repository, {".gitignore": IGNORED})
    assert ask(repository, "next", "--record").code == 0
    assert (repository / LOG).read_bytes() == b""
    assert len(lines(private(state, repository))) == 1


def test_the_ignore_file_of_the_main_worktree_decides(repository: Path, tmp_path: Path, state: Path) -> None:
    tree = repos.linked(repository, tmp_path / "tree", branch="topic")
    (repository / ".gitignore").unlink()
    ask(tree, "next", "--record")
    assert len(lines(private(state, repository))) == 1
    (repository / ".git" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "info" / "exclude").write_text(IGNORED, encoding="utf-8")
    ask(tree, "next", "--record", "--limit", "2")
    assert len(lines(repository / LOG)) == 1


def test_each_workspace_of_a_repository_has_its_own(tmp_path: Path, state: Path) -> None:
    files = {f"{place}/{name}": text for place in ("one", "two") for name, text in TWO.items()}
    repository = repos.repository(tmp_path / "repository", files)
    for place in ("one", "two"):
        assert picked(repository / place, "--agent", "ann", "--dispatch") == ["a"]
        assert len(lines(private(state, repository, f"{place}/"))) == 1


def test_events_that_git_would_show_are_not_written(repository: Path) -> None:
    (repository / ".gitignore").write_text(f"/{LOG}\n", encoding="utf-8")
    said = ask(repository, "next", "--record")
    assert (said.code, len(lines(repository / LOG))) == (0, 1)
    assert f"no events were written, since git would show {EVENTS}\n" in said.err
    assert not (repository / EVENTS).exists()


def test_events_that_cannot_be_written_are_a_warning(repository: Path) -> None:
    (repository / EVENTS).mkdir(parents=True)
    said = ask(repository, "next", "--record")
    assert (said.code, len(lines(repository / LOG))) == (0, 1)
    assert "scheduler.jsonl cannot be written" in said.err


# Refused


def refused(folder: Path, *words: str) -> str:
    """Ask for a record, which is refused before anything is written or printed; give what was said."""
    before = repos.snapshot(folder)
    said = ask(folder, "next", *(words or ("--record",)))
    assert said.code == 4
    assert said.out == ""
    assert repos.snapshot(folder) == before
    return said.err


def test_a_named_log_that_git_would_show_is_refused(repository: Path) -> None:
    said = refused(repository, "--record", "--decisions", str(repository / "log.jsonl"))
    assert "add /log.jsonl to .gitignore, or name a file elsewhere" in said


def test_a_log_that_is_a_link_to_a_hook_is_refused(repository: Path) -> None:
    hook = repos.script(repository / ".git" / "hooks" / "post-merge", "exit 0")
    (repository / LOG).parent.mkdir()
    (repository / LOG).symlink_to(os.path.relpath(hook, (repository / LOG).parent))
    assert "cannot be written: it is a symbolic link, which is not followed" in refused(repository)


@pytest.mark.parametrize("place", [".metagit/schedule", ".metagit/events"])
def test_a_folder_that_is_a_link_is_refused(repository: Path, place: str) -> None:
    (repository / place).symlink_to("../.git/hooks")
    refused(repository)
    assert list((repository / ".git" / "hooks").glob("*.jsonl")) == []
    (repository / place).unlink()
    (repository / "elsewhere").mkdir()
    (repository / place).symlink_to("../elsewhere")
    assert f"{place} is reached through a symbolic link, which is not followed" in refused(repository)


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_a_log_that_is_no_file_is_refused(repository: Path, kind: str) -> None:
    path = repository / LOG
    path.parent.mkdir()
    if kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    assert "cannot be written" in refused(repository)


@pytest.mark.parametrize("named", [".git/log.jsonl", ".git/hooks/post-merge", ".git/refs/heads/x", "link/log.jsonl"])
def test_a_log_in_the_git_directory_is_refused(repository: Path, named: str) -> None:
    (repository / "link").symlink_to(".git")
    said = refused(repository, "--record", "--decisions", str(repository / named))
    assert "is in a git directory" in said


def test_a_log_in_the_git_directory_of_a_linked_worktree_is_refused(repository: Path, tmp_path: Path) -> None:
    tree = repos.linked(repository, tmp_path / "tree", branch="topic")
    directory = git(tree, "rev-parse", "--absolute-git-dir").strip()
    assert "is in a git directory" in refused(tree, "--record", "--decisions", f"{directory}/log.jsonl")


def test_a_folder_that_does_not_exist_is_said(repository: Path, tmp_path: Path) -> None:
    said = refused(repository, "--record", "--decisions", str(tmp_path / "nosuch" / "log.jsonl"))
    assert said.splitlines()[-1] == "hint: --decisions PATH keeps the log elsewhere"


def test_a_full_disk_is_said_and_spoils_no_other_line(repository: Path) -> None:
    decided(repository, "--record")
    size = (repository / LOG).stat().st_size
    limited = ("sh", "-c", f'ulimit -f {size // 512 + 1}; exec "$@"', "sh")
    ran = repos.start(repository, "next", "--limit", "2", "--record", prefix=limited)
    assert ran.code == 4
    assert b"cannot be written" in ran.err
    assert (repository / LOG).stat().st_size == size, "the part of the line that was written is removed again"
    found = decided(repository, "--limit", "2", "--record")
    past, _, problems = observe([(str(repository), LOG)], EVERYTHING)
    assert {row.decision_id for row in past.rows} == {row["decision_id"] for row in found["decisions"]}
    assert problems == ()


# What a reader makes of it


def test_a_torn_last_line_is_passed_over_and_closed_off(repository: Path) -> None:
    decided(repository, "--record")
    whole = (repository / LOG).read_bytes()
    with (repository / LOG).open("ab") as log:
        log.write(whole[: len(whole) // 2])
    found = decided(repository)
    assert signal(repository)["rows"] == 1
    (problem,) = found["problems"]
    assert (problem["severity"], problem["code"], problem["line"]) == ("warning", "history-line", 2)
    decided(repository, "--limit", "2", "--record")
    assert (repository / LOG).read_bytes().startswith(whole + whole[: len(whole) // 2] + b"\n{")
    assert signal(repository)["rows"] == 2


@pytest.mark.parametrize(
    "line",
    [
        b"rubbish",
        b"[]",
        b"{}",
        b"null",
        b"\xff\xfe",
        b'{"decision_id": 3}',
        b'{"decision_id":"x","graph_id":"g"}',
        b"{" * 5000,
    ],
)
def test_a_foreign_line_is_a_problem_that_hides_nothing(repository: Path, line: bytes) -> None:
    decided(repository, "--record")
    whole = (repository / LOG).read_bytes()
    (repository / LOG).write_bytes(line + b"\n" + whole + b"\n" + line + b"\n")
    found = decided(repository)
    assert signal(repository)["rows"] == 1
    assert [(problem["code"], problem["line"]) for problem in found["problems"]] == [
        ("history-line", 1),
        ("history-line", 4),
    ]


def test_metagits_own_lines_are_read(repository: Path) -> None:
    row = {
        "decision_id": "d1", "at": "2026-11-01T08:00:00+00:00", "graph_id": "work", "node_id": "a", "score": 1.5,
        "reasons": ["priority=1"], "skipped": False,
        "dispatch_hints": {"title": "t", "project": "shop", "repository": "web", "agent_id": None, "priority": 1},
        "acl_commands": [], "compile_command": None,
    }  # fmt: skip
    (repository / LOG).parent.mkdir()
    (repository / LOG).write_text(json.dumps(row) + "\n", encoding="utf-8")
    past, _, problems = observe([(str(repository), LOG)], EVERYTHING)
    assert problems == ()
    assert [(r.decision_id, r.repository, r.at) for r in past.rows] == [("d1", "shop/web", 1793520000)]


@pytest.mark.parametrize("named", ["nosuch.jsonl", "folder", "link"])
def test_a_log_that_cannot_be_read(repository: Path, named: str) -> None:
    (repository / "folder").mkdir()
    (repository / "link").symlink_to("folder")
    found = decided(repository, "--decisions", str(repository / named))
    assert found["signals"]["history"]["known"] is (named == "nosuch.jsonl")
    assert [problem["code"] for problem in found["problems"]] == (
        [] if named == "nosuch.jsonl" else ["signal-unreadable"]
    )


def test_an_empty_log(repository: Path) -> None:
    (repository / LOG).parent.mkdir()
    (repository / LOG).touch()
    found = decided(repository)
    assert found["problems"] == []
    decided(repository, "--record")
    assert len(lines(repository / LOG)) == 1


# Size and company


def test_a_line_stays_short_with_many_files(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {".gitignore": IGNORED}
    for n in range(600):
        files |= repos.work(task("a"), graph_id=f"graph-{n:03}-{'x' * 60}")
    repository = repos.repository(tmp_path, files)
    found = decided(repository, "--record")
    assert len(found["basis"]["inputs"]) == 600
    data = (repository / LOG).read_bytes()
    assert len(data) < LINE_LIMIT
    (line,) = lines(repository / LOG)
    assert len(line["basis"]["inputs"]) + line["basis"]["inputs_left_out"] == 600
    assert line["basis_key"] == found["basis"]["key"]
    decided(repository, "--record")
    assert (repository / LOG).read_bytes() == data


def test_a_line_stays_short_with_long_texts_and_many_signals(tmp_path: Path) -> None:
    nodes = [task(f"n{n}", *([f"n{n - 1}"] if n else []), repository=f"o/r{n}", title="t" * 30_000) for n in range(3)]
    nodes[0]["acl"] = {"acl_commands": ["c" * 1000] * 80}
    rows = [{"repository": f"owner/repository-{n}", "agent_id": f"agent-{n}"} for n in range(3000)]
    (tmp_path / "trees.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "queue.json").write_text(json.dumps({row["repository"]: 1 for row in rows}), encoding="utf-8")
    repository = repos.repository(tmp_path / "repository", {**repos.work(*nodes), ".gitignore": IGNORED})
    signals = ("--worktrees", str(tmp_path / "trees.json"), "--merge-queue", str(tmp_path / "queue.json"))
    decided(repository, "--record", *signals)
    assert len((repository / LOG).read_bytes()) < LINE_LIMIT
    assert len((repository / EVENTS).read_bytes()) < LINE_LIMIT
    past, _, problems = observe([(str(repository), LOG)], EVERYTHING)
    assert len(past.rows) == 1
    assert problems == ()


def test_a_line_stays_short_with_many_edited_files_and_agents(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {".gitignore": IGNORED}
    for n in range(600):
        files |= repos.work(task("a"), graph_id=f"graph-{n:03}-{'x' * 60}")
    repository = repos.repository(tmp_path, files)
    for path in (repository / repos.GRAPHS).iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace("Do a", "Do it"), encoding="utf-8")
    agents = [word for n in range(300) for word in ("--agent", f"agent-{n}-{'y' * 180}")]
    found = decided(repository, "--record", "--limit", "1", *agents)
    assert len(found["basis"]["dirty"]) == 600
    data = (repository / LOG).read_bytes()
    assert len(data) < LINE_LIMIT
    (line,) = lines(repository / LOG)
    assert line["basis"]["dirty_left_out"] == 600
    assert line["lists_cut_at"] == len(line["request"]["agents"])
    assert line["counts"] == found["counts"]


def test_many_writers_at_once(tmp_path: Path) -> None:
    nodes = [task(f"n{n:02}") for n in range(30)]
    repository = repos.repository(tmp_path, {**repos.work(*nodes), ".gitignore": IGNORED})
    command = [sys.executable, "-P", "-m", "git_sched", "next", "--record", "-q", "--limit"]
    writers = [
        subprocess.Popen(
            [*command, str(1 + n)], cwd=repository, env=repos.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for n in range(20)
    ]  # fmt: skip
    for writer in writers:
        out, err = writer.communicate(timeout=120)
        assert (writer.returncode, err) == (0, b"")
        assert out
    found = lines(repository / LOG)
    wanted = {row["decision_id"] for row in decided(repository, "--limit", "20")["decisions"]}
    assert {line["decision_id"] for line in found} == wanted
    past, rows, problems = observe([(str(repository), LOG)], EVERYTHING)
    assert problems == ()
    assert sorted(row.decision_id for row in past.rows) == sorted(wanted)
    assert len(rows) == 20
    assert {event["payload"]["decision_id"] for event in lines(repository / EVENTS)} == wanted
