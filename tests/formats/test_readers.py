"""Small inputs of each tracker, each a folder with what is right and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from formats.foreign import files_of, read
from git_sched.formats import by_name, detect, every
from git_sched.formats.places import LOOKED_FOR, PLACES
from git_sched.model.blob import Blob
from git_sched.model.graph import Place, Spot
from git_sched.model.problems import CODES

if TYPE_CHECKING:
    from git_sched.model.graph import Node

CASES = sorted(path.parent for path in (Path(__file__).parent / "cases").glob("*/*/expected.json"))


def plain(node: Node) -> dict[str, Any]:
    """Give what decides about a node; what is absent is left out."""
    found = {
        "status": node.status,
        "priority": node.priority,
        "depends_on": list(node.depends_on),
        "parent": node.parent,
    }
    return {key: value for key, value in found.items() if value not in (None, [])}


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_case(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text("utf-8"))
    reading = read(files_of(case / "repo"))
    places = [
        [problem.code, f"{problem.path}:{problem.line}" if problem.line else problem.path]
        for problem in reading.problems
    ]
    assert {node.name: plain(node) for node in reading.network.nodes} == expected["nodes"], expected["why"]
    assert reading.ready == expected["ready"], expected["why"]
    assert places == expected["problems"], expected["why"]
    assert {problem.code for problem in reading.problems} <= CODES.keys()


def test_every_foreign_format_has_cases() -> None:
    foreign = set(PLACES) - {"native"}
    assert {case.parent.name for case in CASES} == foreign


def test_every_case_says_why() -> None:
    assert all(len(json.loads((case / "expected.json").read_text("utf-8"))["why"]) > 20 for case in CASES)


def test_an_answer_without_tasks_names_a_place_of_every_format() -> None:
    assert all(
        any(place.startswith(f"{folder}/") for place in places)
        for folder, places in zip(LOOKED_FOR, PLACES.values(), strict=True)
    )


def test_names_lead_to_formats() -> None:
    assert [known.name for known in every()] == list(PLACES)
    assert by_name("todo.txt") is None


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("apps/web/.taskmaster/tasks/tasks.json", "", "taskmaster"),
        ("a/.beads/issues.jsonl", "", "beads"),
        ("backlog/config.yml", "", "backlog"),
        ("backlog.config.yml", "", "backlog"),
        ("specs/001-x/tasks.md", "", "speckit"),
        (".kiro/specs/x/tasks.md", "", "kiro"),
        (".metagit/tasks/graphs/g.yml", "", "native"),
        ("plan.json", '{"master": {"tasks": [{"id": 1, "status": "done"}]}}', "taskmaster"),
        ("plan.json", '{"graph_id": "g", "nodes": []}', "native"),
        ("plan.json", "not JSON", "native"),
        ("plan.yml", "graph_id: g", "native"),
        ("work.jsonl", '{"id": "a-1", "title": "t", "status": "open"}\n', "beads"),
        ("work.jsonl", '{"level": "info"}\n', None),
        ("plan.md", "- [ ] T001 a\n", "speckit"),
        ("plan.md", "- [ ] 1.1 a\n", "kiro"),
        ("plan.md", "- [ ] a\n", None),
        ("plan.txt", "- [ ] T001 a\n", None),
    ],
)
def test_a_file_named_by_hand_is_told_by_place_then_by_shape(path: str, text: str, name: str | None) -> None:
    found = detect(Blob(path, text.encode()))
    assert (found.name if found else None) == name


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_graph_as_a_whole_has_a_place(case: Path) -> None:
    for graph in read(files_of(case / "repo")).graphs:
        place = graph.locate({Spot(-1, "graph_id")})[Spot(-1, "graph_id")]
        assert isinstance(place, Place)
        assert place.path == graph.path
