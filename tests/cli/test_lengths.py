"""Numbers, names and arguments of any length, and bytes that are not text: an error of their own, and never a bug."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import pytest

from git_sched.model.ids import order_key
from git_sched.render.markdown.escape import escape_prose
from sandbox import ask, commit

if TYPE_CHECKING:
    from pathlib import Path

DIGITS: Final = "9" * 4_400
"""More digits than int() reads."""

GRAPH: Final = ".metagit/tasks/graphs/g.json"
SOUND: Final = json.dumps({"graph_id": "g", "nodes": [{"node_id": "a"}]})


def nodes(*rows: object) -> str:
    return json.dumps({"graph_id": "h", "nodes": rows})


FILES: Final = {
    "spec-kit": (
        "specs/001-a/tasks.md",
        f"- [ ] T{DIGITS} a\n- [ ] T1-T{DIGITS} b (depends on T{DIGITS}-T{DIGITS}1)\n",
    ),
    "kiro": (".kiro/specs/a/tasks.md", f"- [ ] {DIGITS}.{DIGITS} a\n  - _Depends: {DIGITS}.1_\n"),
    "backlog": ("backlog/tasks/task-1 - a.md", f"---\nid: task-{DIGITS}\nordinal: {DIGITS}\npriority: {DIGITS}\n---\n"),
    "task master": (".taskmaster/tasks/tasks.json", f'{{"master": {{"tasks": [{{"id": {DIGITS}, "title": "a"}}]}}}}'),
    "beads": (".beads/issues.jsonl", f'{{"id": "a-{DIGITS}", "title": "a", "status": "open", "priority": {DIGITS}}}\n'),
    "native": (".metagit/tasks/graphs/h.json", nodes({"node_id": DIGITS})),
    "native minutes": (".metagit/tasks/graphs/h.json", nodes({"node_id": "b", "estimated_minutes": 10**4_000})),
    "native priority": (".metagit/tasks/graphs/h.json", nodes({"node_id": "b", "priority": 10**4_000})),
    "native need": (".metagit/tasks/graphs/h.json", nodes({"node_id": "b", "depends_on": [10**4_000]})),
    "native YAML": (
        ".metagit/tasks/graphs/h.yml",
        f"graph_id: h\nnodes: [{{node_id: b, estimated_minutes: {DIGITS}.5}}]",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_long_number_in_one_file_hides_no_other(name: str, tmp_path: Path) -> None:
    path, text = FILES[name]
    commit(tmp_path, {GRAPH: SOUND, path: text})
    found = json.loads(ask(tmp_path, "next", "--json").out)
    assert [(row["graph_id"], row["node_id"]) for row in found["decisions"]] == [("g", "a")]
    said = ask(tmp_path, "check")
    assert said.code == 1
    assert path.partition("/")[0] in said.out


def test_numbers_of_any_length_are_ordered_as_numbers() -> None:
    ordered = ["T1", "T02", "T2", "T10", f"T{DIGITS[:-1]}", f"T0{DIGITS}", f"T{DIGITS}", f"T{DIGITS}a"]
    assert sorted(set(ordered), key=lambda one: order_key(one, numbered=True)) == ordered


@pytest.mark.parametrize("value", [DIGITS, f"-{DIGITS}", "1e999", "\u00b2"])
@pytest.mark.parametrize("words", [
    ("next", "--limit", "@"), ("next", "--lookahead", "@"), ("next", "--now", "@"), ("explain", "@@"),
    ("policy", "set", "--weight", "urgency=@"), ("policy", "set", "--limit", "total=@"),
    ("policy", "set", "--threshold", "@"),
])  # fmt: skip
def test_a_long_number_as_an_argument_is_refused(words: tuple[str, ...], value: str, tmp_path: Path) -> None:
    commit(tmp_path, {GRAPH: SOUND})
    said = ask(tmp_path, *(word.replace("@", value) for word in words))
    assert (said.code, len(said.err) < 800) == (2, True)


@pytest.mark.parametrize("words", [
    ("policy", "set", "--set", "focus=[@]"), ("policy", "set", "--set", "@=1"), ("policy", "set", "--limit", "@=1"),
    ("policy", "set", "--weight", "urgency=@"), ("policy", "set", "--graph-id", "@", "--weight", "urgency=1"),
    ("policy", "set", "--preset", "@"), ("next", "--agent", "@"), ("next", "--rev", "@"), ("next", "--graph-id", "@"),
    ("next", "--workspace", "@"), ("next", "--now", "@"),
    ("next", "--format", "@"), ("explain", "@"), ("take", "@"), ("release", "@"), ("check", "@"), ("diff", "@"),
    ("schema", "@"), ("@",), ("next", "--@"),
])  # fmt: skip
def test_bytes_that_are_not_text_are_refused_in_one_sentence(words: tuple[str, ...], tmp_path: Path) -> None:
    """As Python reads them from the command line; what is no policy and no name never gets into a file."""
    commit(tmp_path, {GRAPH: SOUND, ".metagit/schedule/policy.yml": "version: 1\n"})
    said = ask(tmp_path, *(word.replace("@", "a\udcff") for word in words))
    assert said.code == 2
    assert said.err.startswith("error: ")
    assert (tmp_path / ".metagit/schedule/policy.yml").read_text("utf-8") == "version: 1\n"


def test_a_run_of_underscores_in_a_sentence_takes_no_time() -> None:
    """An expression that splits it in every possible way would not end."""
    assert "_" not in escape_prose(f"a{'_' * 300}@")


def test_of_many_tasks_with_one_id_the_first_are_named(tmp_path: Path) -> None:
    graph = {"nodes": [{"node_id": "a"}]}
    files = {f".metagit/tasks/graphs/g{i:02}.json": json.dumps({"graph_id": f"g{i:02}", **graph}) for i in range(25)}
    said = ask(commit(tmp_path, files), "explain", "a")
    assert said.code == 2
    assert said.err.splitlines()[0].endswith(", g19/a and 5 more")
