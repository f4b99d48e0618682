"""``verify``: recorded decisions are derived again from their own commits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from git_sched.operations.read import read_files
from repos import GRAPHS, IGNORED, LOG, Ran, add, clone, example, repository, task, work
from sandbox import ask, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from git_sched.workspace.gather import Workspace
    from git_sched.workspace.question import Question

pytestmark = pytest.mark.heavy

POLICY = ".metagit/schedule/policy.yml"


def sched(folder: Path, *words: str) -> Ran:
    """Run git-sched in this process."""
    said = ask(folder, *words)
    return Ran(said.code, said.out.encode(), said.err.encode())


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """Give the example with decisions recorded on two commits, as often as agents ask."""
    folder = repository(tmp_path / "work", example())
    sched(folder, "next", "--record")
    sched(folder, "next", "--limit", "3", "--dispatch")
    add(folder, {"README": "x"}, at="2026-11-03T09:00:00Z")
    sched(folder, "next", "--agent", "agent-2", "--agent", "agent-1", "--dispatch")
    sched(folder, "release", "index-schema")
    sched(folder, "take", "index-schema", "--agent", "agent-7")
    return folder


def lines(folder: Path) -> list[dict[str, Any]]:
    """Read the log."""
    return [json.loads(line) for line in (folder / LOG).read_text(encoding="utf-8").splitlines()]


def rewrite(folder: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the log."""
    rows = lines(folder)
    change(rows)
    (folder / LOG).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def results(folder: Path, *words: str) -> tuple[int, dict[str, int], list[str]]:
    """Verify; give the exit code, the numbers and the reasons."""
    ran = sched(folder, "verify", "--json", *words)
    found = ran.record
    numbers = {key: found[key] for key in ("verified", "mismatched", "not_checkable") if found[key]}
    return ran.code, numbers, [row["why"] for row in found["rows"]]


def test_what_was_recorded_can_be_derived_again(recorded: Path) -> None:
    assert len(lines(recorded)) == 7
    assert results(recorded) == (0, {"verified": 7}, [])
    assert sched(recorded, "verify").out.decode() == f"{LOG}: 7 decisions: 7 reproduced\n"


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("score", 9.5, "its score is 4.083333, not 9.5"),
        ("node_id", "rotate-keys", "picked is hotfixes/login-loop"),
        ("agent_id", "agent-7", "picked is hotfixes/login-loop"),
        ("decision_id", "0" * 32, "decision_id differs from what its commit gives"),
        ("title", "another", "title differs from what its commit gives"),
        ("reasons", [], "reasons differs from what its commit gives"),
        ("counts", {}, "counts differs from what its commit gives"),
        ("acl_commands", ["rm -rf /"], "acl_commands differs from what its commit gives"),
        ("compile_command", "rm -rf /", "compile_command differs from what its commit gives"),
        ("basis_key", "0" * 32, "its basis_key is not that of its commit and policy"),
    ],
)
def test_a_forged_line_does_not_hold(recorded: Path, key: str, value: object, why: str) -> None:
    rewrite(recorded, lambda rows: rows[0].update({key: value}))
    code, numbers, reasons = results(recorded)
    assert (code, numbers["mismatched"]) == (1, 1)
    assert reasons[0].startswith(why)


def forge(row: dict[str, Any], path: str, value: object) -> None:
    """Set a value in a line; the path has the keys that lead to it."""
    *above, last = path.split("/")
    for key in above:
        row = row.setdefault(key, {})
    row[last] = value


HOLD = {"graph_id": "search", "node_id": "index-schema", "at": "2026-11-03T00:00:00Z", "released": False}
TREES = {"known": True, "source": "", "worktrees": [{"repository": "r", "agent_id": ["x"]}]}


@pytest.mark.parametrize("line", range(7))
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("agent_id", ["x"]),
        ("holds", [{**HOLD, "agent_id": ["x"], "same_basis": True}]),
        ("turns", [{"graph_id": "search", "node_id": "index-schema", "repository": ["x"]}]),
        ("signals/worktrees", TREES),
        ("signals/merge_queue/depths", {"r": float("inf")}),
        ("request/graph_ids", ["nosuch"]),
        ("releases", 5),
        ("releases", {"decision_id": ["x"]}),
    ],
)
def test_no_line_is_a_crash(recorded: Path, line: int, path: str, value: object) -> None:
    rewrite(recorded, lambda rows: forge(rows[line], path, value))
    ran = sched(recorded, "verify", "--json")
    assert ran.code in {0, 1}, ran.err
    assert ran.record["checked"] == 7


def test_forged_signals_do_not_hold(recorded: Path) -> None:
    """The worktrees are part of the id: who changes them changes it."""
    rewrite(recorded, lambda rows: rows[0]["signals"]["worktrees"].update(worktrees=[]))
    assert results(recorded)[:2] == (1, {"verified": 6, "mismatched": 1})


def test_an_absent_commit_cannot_be_checked(recorded: Path, tmp_path: Path) -> None:
    shallow = clone(recorded, tmp_path / "shallow", "--depth=1")
    log = str(recorded / LOG)
    revision = lines(recorded)[0]["basis"]["revision"][:7]
    numbers = {"verified": 3, "not_checkable": 4}
    assert results(shallow, "--decisions", log) == (0, numbers, [f"commit {revision} is not here"] * 4)
    assert results(shallow, "--decisions", log, "--strict")[0] == 1


def test_what_differed_from_its_commit_cannot_be_checked(tmp_path: Path) -> None:
    folder = repository(tmp_path, {**work(task("a")), ".gitignore": IGNORED})
    write(folder, work(task("a"), task("b")))
    sched(folder, "next", "--record")
    assert results(folder) == (0, {"not_checkable": 1}, ["1 of its files differed from the commit"])


FOREIGN: Final[dict[str, Callable[[dict[str, Any]], object]]] = {
    "a line without its clock": lambda row: row.pop("clock"),
    "holds of another shape": lambda row: row.update(holds=[5]),
    "a hold since a time that is none": lambda row: row.update(
        holds=[
            {"graph_id": "g", "node_id": "a", "agent_id": None, "at": "soon", "same_basis": False, "released": False}
        ]
    ),
    "a time that is a number": lambda row: row.update(clock=5),
    "no basis": lambda row: row.pop("basis"),
    "no request": lambda row: row.update(request=None),
    "a revision that is no commit": lambda row: row["basis"].update(revision="HEAD"),
    "a decision without a time": lambda row: row.update(at=None),
    "signals of another shape": lambda row: row["signals"].update(worktrees=[]),
    "a workspace elsewhere": lambda row: row["basis"].update(workspace="../.."),
    "a workspace that is a number": lambda row: row["basis"].update(workspace=5),
    "no commit": lambda row: row["basis"].update(revision=None),
    "more plans than anybody may ask for": lambda row: row["request"].update(lookahead=10**30),
    "texts that were cut": lambda row: row.update(texts_cut_at=100),
    "lists that were cut": lambda row: row["signals"]["worktrees"].update(left_out=1),
    "files the commit does not hold": lambda row: (row.update(basis_key="x"), row["basis"]["inputs"].pop()),
}


@pytest.mark.parametrize("change", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_line_cannot_be_checked(recorded: Path, change: Callable[[dict[str, Any]], object]) -> None:
    rewrite(recorded, lambda rows: change(rows[0]))
    assert results(recorded)[:2] == (0, {"verified": 6, "not_checkable": 1})


def test_a_line_holds_what_it_took_from_the_log(tmp_path: Path) -> None:
    """Fairness and holds look at the log, and each line holds what it took from there, so that others may go."""
    policy = "version: 1\nweights: {fairness: 5}\nredispatch_after: 4h\n"
    nodes = [task(f"t{n}", repository=f"o/r{n % 2}") for n in range(6)]
    folder = repository(tmp_path, {**work(*nodes), POLICY: policy, ".gitignore": IGNORED})
    for n in range(4):
        add(folder, {"README": str(n)}, at=f"2026-11-02T1{n}:00:00Z")
        sched(folder, "next", "--dispatch")
    assert [row["node_id"] for row in lines(folder)] == ["t0", "t1", "t2", "t3"]
    assert results(folder) == (0, {"verified": 4}, [])
    rewrite(folder, lambda rows: rows.pop(0))
    assert results(folder) == (0, {"verified": 3}, [])
    rewrite(folder, lambda rows: rows[1].update(holds=[]))
    assert results(folder)[1] == {"verified": 2, "mismatched": 1}


def test_a_commit_is_read_once_for_all_of_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = repository(tmp_path, {**work(*(task(f"t{n}") for n in range(6))), ".gitignore": IGNORED})
    for n in range(6):
        sched(folder, "next", "--dispatch", "--agent", f"agent-{n}", "--now", f"2026-11-02T10:00:0{n}Z")
    reads: list[object] = []

    def count(question: Question) -> Workspace:
        reads.append(question)
        return read_files(question)

    monkeypatch.setattr("git_sched.operations.verify.read_files", count)
    assert results(folder) == (0, {"verified": 6}, [])
    assert len(reads) == 1


def test_nothing_recorded_is_nothing_to_verify(tmp_path: Path) -> None:
    folder = repository(tmp_path, work(task("a")))
    assert sched(folder, "verify").out.decode() == f"nothing to verify: no decisions in {LOG}\n"


def test_a_what_if_is_not_recorded(recorded: Path) -> None:
    before = (recorded / LOG).read_bytes()
    for flag in ("--record", "--dispatch"):
        ran = sched(recorded, "next", "--assume-done", "login-loop", flag)
        assert (ran.code, ran.out) == (2, b"")
    assert (recorded / LOG).read_bytes() == before
    said = sched(recorded, "next", "--assume-done", "api-contract", "--assume-done", "hotfixes/login-loop")
    assert "what if: checkout/api-contract, hotfixes/login-loop were completed\n" in said.out.decode()
    assert sched(recorded, "next", "--assume-done", "api-contrct").code == 2


def test_a_what_if_of_an_id_in_two_graphs_names_both(tmp_path: Path) -> None:
    files = {f"{GRAPHS}/{name}.yml": f"graph_id: {name}\nnodes: [{{node_id: task}}]\n" for name in ("one", "two")}
    ran = sched(repository(tmp_path, files), "next", "--assume-done", "task")
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.decode() == "error: task could be any of one/task, two/task\nhint: name it in full\n"


def test_lines_that_are_passed_over_are_told(recorded: Path) -> None:
    with (recorded / LOG).open("a", encoding="utf-8") as log:
        log.write('{"decision_id":"torn\n')
    ran = sched(recorded, "verify")
    assert ran.code == 0
    assert ran.out.decode() == f"{LOG}: 7 decisions: 7 reproduced\n"
    assert ran.err.decode() == "1 warning in the task files: git sched check\n"


def test_a_decision_by_metagits_fairness_is_reproduced_without_the_rows(tmp_path: Path) -> None:
    """The log is long; the line keeps one row for each repository that is not among the fewest."""
    nodes = [task(name, repository=f"p/{name}") for name in ("a", "b", "c")]
    policy = {".metagit/schedule/policy.json": '{"weights": {"fairness": 1, "cost": 0}}'}
    folder = repository(tmp_path, {**work(*nodes), **policy, ".gitignore": IGNORED})
    rows = [
        {"decision_id": f"{home}{n}", "graph_id": "old", "node_id": "n", "dispatch_hints": {"repository": f"p/{home}"}}
        for home, times in (("a", 80), ("b", 2), ("x", 1))
        for n in range(times)
    ]
    log = folder / LOG
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert ask(folder, "next", "--record", "--limit", "3", "-q").code == 0
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()[len(rows) :]]
    assert [row["node_id"] for row in lines] == ["c", "a", "b"]
    assert [row["repository"] for row in lines[0]["turns"]] == ["p/a", "p/b"]
    assert "3 reproduced" in ask(folder, "verify").out
