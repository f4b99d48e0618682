"""Wrong input of every kind: each folder of ``tests/invalid`` holds it, and what ``git sched check`` says of it.

``pytest tests/formats/test_invalid.py --update-golden`` writes ``problems.txt`` anew; read the difference.
"""

from __future__ import annotations

import json
import os
import re
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from sandbox import Said, ask, commit, git, start, write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

KINDS: Final = sorted(path for path in (Path(__file__).parents[1] / "invalid").iterdir() if path.is_dir())
GRAPHS: Final = ".metagit/tasks/graphs"
POLICY: Final = ".metagit/schedule/policy."
HOMES: Final = {
    "policy.*": ".metagit/schedule",
    "decisions.jsonl": ".metagit/schedule",
    "worktrees.json": ".metagit/worktrees",
    "merge-*.json": ".metagit/merges",
    "*": GRAPHS,
}
"""Where a file of a kind lies in the workspace; the first pattern that fits holds."""

COMMANDS: Final = (
    "next",
    "next --json",
    "status",
    "status --json",
    "explain a",
    "policy show",
    "check --format github",
)


def read(kind: Path) -> dict[str, bytes]:
    """Give the files of a kind by their place in a workspace."""
    found = {}
    for path in kind.iterdir():
        if path.name != "problems.txt":
            home = next(home for pattern, home in HOMES.items() if fnmatch(path.name, pattern))
            found[f"{home}/{path.name}"] = path.read_bytes()
    return found


def problems(folder: Path, *words: str) -> list[dict[str, Any]]:
    """Give the problems of a workspace; each has a file and says what to do."""
    found: list[dict[str, Any]] = json.loads(ask(folder, "check", "--json", *words).out)["problems"]
    for problem in found:
        assert problem["path"]
        assert problem["hint"]
        assert problem["message"]
    return found


def refuses_nothing_else(folder: Path, said: Said) -> None:
    """Ask every command: none crashes, an error in the policy alone keeps an answer back, and others are counted."""
    errors = [problem for problem in problems(folder) if problem["severity"] == "error"]
    is_refused = any(problem["path"].startswith(POLICY) for problem in errors)
    assert said.code == bool(errors)
    for words in COMMANDS:
        found = ask(folder, *words.split())
        assert "Traceback" not in found.text
        if words.startswith(("next", "status")):
            assert found.code == is_refused
            assert not errors or re.search(rf"\b{len(errors)} errors?\b.*: git sched check$", found.err, re.MULTILINE)
            assert ask(folder, *words.split(), "--strict").code == bool(errors)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_wrong_input_is_a_problem_that_says_where_and_what_to_do(
    kind: Path, tmp_path: Path, *, update_golden: bool
) -> None:
    commit(tmp_path, read(kind))
    said = ask(tmp_path, "check")
    expected = kind / "problems.txt"
    if update_golden:
        expected.write_text(said.out, encoding="utf-8")
    assert said.out == expected.read_text(encoding="utf-8")
    refuses_nothing_else(tmp_path, said)
    assert not list(tmp_path.rglob("PWNED"))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_commit_is_read_as_the_work_tree(kind: Path, tmp_path: Path) -> None:
    """The same problems at the same places, from blobs as from files; side files are this machine's alone."""
    files = {name: data for name, data in read(kind).items() if GRAPHS in name or "policy" in name}
    commit(tmp_path, files)
    of_tree, of_commit = (
        [
            (problem["code"], problem["path"], problem["line"], problem["column"])
            for problem in problems(tmp_path, *words)
        ]
        for words in ((), ("--rev", "HEAD"))
    )
    assert of_tree == of_commit


# Too large to be kept as files


def nested(depth: int, *, before: str, after: str) -> str:
    """Write lists in lists."""
    return f"{before}{'[' * depth}{']' * depth}{after}"


LARGE: Final[Mapping[str, tuple[str, Callable[[], str], list[tuple[str, int | None]]]]] = {
    "a line of 1 MB in YAML": (
        "g.yml",
        lambda: f"graph_id: g\nnodes:\n  - node_id: a\n    title: {'x' * 1_000_000}\n    priority: high\n",
        [("wrong-type", 5)],
    ),
    "a line of 1 MB in JSON": (
        "g.json",
        lambda: (
            f'{{"graph_id": "g", "title": "{"x" * 1_000_000}",\n"nodes": [{{"node_id": "a", "priority": "high"}}]}}'
        ),
        [("wrong-type", 2)],
    ),
    "an id of 1 MB": ("g.yml", lambda: f"graph_id: g\nnodes:\n  - node_id: {'x' * 1_000_000}\n", [("bad-id", 3)]),
    "a key of 1 MB in YAML": ("g.yml", lambda: f"graph_id: g\n{'x' * 1_000_000}: 1\n", [("syntax", 2)]),
    "a key of 1 MB in JSON": (
        "g.json",
        lambda: f'{{"graph_id": "g",\n"{"x" * 1_000_000}": 1}}',
        [("unknown-key", 2)],
    ),
    "lists 10 000 deep in JSON": (
        "g.json",
        lambda: nested(10_000, before='{"graph_id": "g",\n"nodes": ', after="}"),
        [("too-deep", 2)],
    ),
    "lists 10 000 deep in YAML": (
        "g.yml",
        lambda: nested(10_000, before="graph_id: g\nnodes: ", after="\n"),
        [("too-deep", 2)],
    ),
    "lists 100 deep in JSON": (
        "g.json",
        lambda: nested(100, before='{"graph_id": "g",\n"nodes": ', after="}"),
        [("wrong-type", 2)],
    ),
    "mappings 10 000 deep in YAML": (
        "g.yml",
        lambda: "graph_id: g\nnodes:\n  - " + "{a: " * 10_000 + "1" + "}" * 10_000,
        [("too-deep", 3)],
    ),
    "blocks 10 000 deep in YAML": (
        "g.yml",
        lambda: "".join(f"{' ' * depth}a:\n" for depth in range(2_000)),
        [("too-deep", 65)],
    ),
}


@pytest.mark.heavy
@pytest.mark.parametrize("what", LARGE)
def test_what_is_too_large_to_be_a_file_here(what: str, tmp_path: Path) -> None:
    name, written, expected = LARGE[what]
    commit(tmp_path, {f"{GRAPHS}/{name}": written()})
    found = problems(tmp_path)
    assert [(problem["code"], problem["line"]) for problem in found] == expected
    assert all(len(problem["message"] + problem["hint"]) < 1_000 for problem in found)
    refuses_nothing_else(tmp_path, ask(tmp_path, "check"))


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["g.yml", "g.json"])
def test_a_million_problems_in_one_file_end_in_time(name: str, tmp_path: Path) -> None:
    """One problem a node, 20 000 of them: none is dropped, and the time is linear."""
    rows = ", ".join(f'{{"node_id": "n{number}", "priority": "p"}}' for number in range(20_000))
    commit(tmp_path, {f"{GRAPHS}/{name}": f'{{"graph_id": "g", "nodes": [{rows}]}}'})
    said = start(tmp_path, "check", seconds=60)
    assert said.code == 1
    assert said.out.count("[wrong-type]") == 20_000


@pytest.mark.heavy
def test_a_thousand_typing_errors_end_in_time(tmp_path: Path) -> None:
    """The name that was meant is looked for as long as that is cheap; every error is reported in any case."""
    nodes: list[dict[str, object]] = [{"node_id": f"task-{number}"} for number in range(4_000)]
    nodes += [{"node_id": f"waits-{number}", "depends_on": [f"tsak-{number}"]} for number in range(1_000)]
    commit(tmp_path, {f"{GRAPHS}/g.json": json.dumps({"graph_id": "g", "nodes": nodes})})
    said = start(tmp_path, "check", seconds=60)
    assert said.out.count("[unknown-dependency]") == 1_000
    assert "did you mean task-0?" in said.out


# What is no file at all


def test_a_folder_where_a_file_should_be(tmp_path: Path) -> None:
    (tmp_path / GRAPHS / "g.yml").mkdir(parents=True)
    commit(tmp_path, {f"{GRAPHS}/h.yml": "graph_id: h\nnodes: [{node_id: a}]\n"})
    [problem] = problems(tmp_path)
    assert (problem["code"], problem["path"]) == ("unreadable", f"{GRAPHS}/g.yml")
    assert "a folder" in problem["message"]
    said = ask(tmp_path, "next", "-q")
    assert (said.code, said.out) == (0, "a\n")


def test_a_pipe_where_a_file_should_be(tmp_path: Path) -> None:
    """It is opened without waiting for somebody who writes."""
    commit(tmp_path, {f"{GRAPHS}/h.yml": "graph_id: h\nnodes: [{node_id: a}]\n"})
    os.mkfifo(tmp_path / GRAPHS / "g.yml")
    said = start(tmp_path, "check", seconds=30)
    assert said.code == 1
    assert f"{GRAPHS}/g.yml: error: {GRAPHS}/g.yml is a named pipe, not a file [unreadable]" in said.out


@pytest.mark.parametrize("target", ["../outside.yml", "/etc/passwd", "inside.yml", "nowhere.yml", "g.yml"])
def test_a_link_is_not_followed(target: str, tmp_path: Path) -> None:
    """Wherever it leads: out of the workspace, within it, nowhere, or to itself."""
    write(tmp_path, {"outside.yml": "graph_id: secret\nnodes: [{node_id: s}]\n"})
    folder = tmp_path / "workspace"
    commit(folder, {f"{GRAPHS}/inside.yml": "graph_id: h\nnodes: [{node_id: a}]\n"})
    (folder / GRAPHS / "g.yml").symlink_to(target)
    [problem] = problems(folder)
    assert (problem["code"], problem["path"]) == ("outside-workspace", f"{GRAPHS}/g.yml")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "A link")
    said = ask(folder, "next", "--rev", "HEAD", "-q")
    assert (said.code, said.out) == (0, "a\n")


def test_a_linked_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"elsewhere/g.yml": "graph_id: secret\nnodes: [{node_id: s}]\n"})
    folder = tmp_path / "workspace"
    commit(folder, {".metagit/tasks/README": ""})
    (folder / GRAPHS).symlink_to(tmp_path / "elsewhere")
    said = ask(folder, "next", "--json")
    assert json.loads(said.out)["decisions"] == []
    assert [problem["code"] for problem in problems(folder)] == ["outside-workspace"]


def test_a_file_that_nobody_may_read(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    commit(tmp_path, {f"{GRAPHS}/g.yml": "graph_id: g\nnodes: [{node_id: a}]\n"})
    (tmp_path / GRAPHS / "g.yml").chmod(0)
    [problem] = problems(tmp_path)
    assert problem["code"] == "unreadable"


@pytest.mark.parametrize("path", ["../outside.yml", "/etc/passwd", ".git/config", "missing.yml", GRAPHS])
def test_a_path_named_by_hand_that_is_no_task_file(path: str, tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    commit(folder, {f"{GRAPHS}/g.yml": "graph_id: g\nnodes: [{node_id: a}]\n"})
    write(tmp_path, {"outside.yml": "graph_id: secret\nnodes: [{node_id: s}]\n"})
    said = ask(folder, "next", "--graph", path, "--json")
    names = [row["node_id"] for row in json.loads(said.out)["ranking"]] if said.out else []
    assert "s" not in names
    if path == GRAPHS:
        assert (said.code, names) == (0, ["a"])
    else:
        assert said.code in {1, 2}
        assert path.removeprefix("../") in said.text
