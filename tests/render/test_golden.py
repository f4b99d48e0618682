"""What people see: every transcript is a file beside the workspace it comes from.

``pytest tests/render/test_golden.py --update-golden`` writes the files anew; read the difference.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from sandbox import ask, commit, write

GOLDEN: Final = Path(__file__).parents[1] / "golden"
EXAMPLE: Final = Path(__file__).resolve().parents[2] / "docs" / "example"

TRANSCRIPTS: Final = {
    "example": {
        "next.txt": "next",
        "next-3.txt": "next --limit 3 -q",
        "next-for-two.txt": "next --agent agent-2 --agent agent-1",
        "next.json": "next --json",
        "next-summary.md": "next --format summary",
        "what-if.txt": "next --assume-done api-contract -q",
        "what-if.md": "next --assume-done api-contract --format summary",
        "what-if.json": "next --assume-done api-contract --format matrix",
        "next.jsonl": "next --limit 2 --format jsonl",
        "next.env": "next --limit 2 --format env",
        "metagit.json": "next --limit 2 --format metagit --now commit",
        "dispatch-plan.json": "next --agent agent-1 --agent agent-2 --format dispatch-plan",
        "status.txt": "status",
        "status-graph.txt": "status --graph-id checkout",
        "status-ids.txt": "status -q",
        "explain-ready.txt": "explain api-contract",
        "explain-blocked.txt": "explain search-box",
        "explain-held.txt": "explain receipt-pdf",
        "explain-running.txt": "explain hotfixes/tz-receipts",
        "explain-graph.txt": "explain checkout",
        "explain-typo.txt": "explain serch-box",
        "explain-unknown-dependency.txt": "explain synonyms",
        "check.txt": "check",
        "check-one-file.txt": "check .metagit/tasks/graphs/hotfixes.yml",
        "check-github.txt": "check --format github",
        "policy.txt": "policy show",
        "plan.txt": "plan",
        "plan-for-three.txt": "plan --limit 3",
        "plan-graph.txt": "plan --limit 1 --graph-id search",
        "plan-ids.txt": "plan -q",
        "plan.json": "plan --json",
        "plan.html": "plan --format html",
        "next.html": "next --limit 2 --format html",
        "status.html": "status --format html",
    },
    "empty": {"plan.txt": "plan", "next.txt": "next", "status.txt": "status", "check.txt": "check"},
    "stuck": {"plan.txt": "plan", "next.txt": "next", "status.txt": "status", "explain.txt": "explain page"},
    "nothing-ready": {"plan.txt": "plan", "next.txt": "next", "status.txt": "status", "explain.txt": "explain release"},
    "all-done": {"plan.txt": "plan", "next.txt": "next", "status.txt": "status"},
    "refused": {
        "plan.txt": "plan",
        "next.txt": "next",
        "status.txt": "status",
        "check.txt": "check",
        "policy.txt": "policy show",
    },
}
"""Scenes, the files that hold what is said in them, and the command that says it."""

ALL: Final = [(scene, name) for scene, files in TRANSCRIPTS.items() for name in files]


def prepare(scene: str, folder: Path) -> Path:
    """Make a scene a real repository, committed at a fixed time."""
    if scene == "example":
        shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
    for path in (GOLDEN / scene).glob("*.yml"):
        home = ".metagit/schedule" if path.name == "policy.yml" else ".metagit/tasks/graphs"
        write(folder, {f"{home}/{path.name}": path.read_bytes()})
    return commit(folder)


@pytest.mark.parametrize(("scene", "name"), ALL, ids=[f"{scene}/{name}" for scene, name in ALL])
def test_says_what_the_golden_file_holds(scene: str, name: str, tmp_path: Path, *, update_golden: bool) -> None:
    words = TRANSCRIPTS[scene][name]
    said = ask(prepare(scene, tmp_path), *words.split())
    text = said.out
    if name.endswith(".txt"):
        talk = f"--- on the standard error\n{said.err}" if said.err else ""
        text = f"$ git sched {words}\n{said.out}{talk}--- exit code {said.code}\n"
    golden = GOLDEN / scene / name
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_every_golden_file_is_compared() -> None:
    """A file that nothing writes any more would otherwise stay for ever."""
    files = {(path.parent.name, path.name) for path in GOLDEN.glob("*/*") if path.suffix != ".yml"}
    assert files == set(ALL)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """Give the workspace of ``docs/example`` in a repository."""
    return prepare("example", tmp_path)


def answer(folder: Path, *words: str) -> dict[str, Any]:
    """Give the record that a command prints."""
    found: dict[str, Any] = json.loads(ask(folder, *words, "--json").out)
    return found


def thousandths(value: float) -> float:
    """Round as the text does."""
    return round(value, 3)


def test_the_figures_of_the_example_hold(example: Path) -> None:
    """They follow from the rules of estimates and factors, worked out by hand; updating files must not change them."""
    record = answer(example, "next")
    ranked = [(row["node_id"], thousandths(row["score"]), row["state"]) for row in record["ranking"]]
    assert ranked == [
        ("login-loop", 4.083, "picked"),
        ("api-contract", 3.114, "lower-ranked"),
        ("index-schema", 1.781, "lower-ranked"),
        ("receipt-pdf", 0.998, "held"),
        ("rotate-keys", -0.244, "lower-ranked"),
    ]
    table = {
        row["node_id"]: {line["factor"]: thousandths(line["points"]) for line in row["factors"]}
        for row in record["ranking"]
    }
    assert table == {
        "login-loop": {"urgency": 2.0, "criticality": 0.083, "affinity": 1.5, "payoff": 0.5},
        "api-contract": {"urgency": 2.0, "criticality": 0.85, "affinity": 0.0, "payoff": 0.264},
        "index-schema": {"urgency": 0.667, "criticality": 1.0, "affinity": 0.0, "payoff": 0.114},
        "receipt-pdf": {"urgency": 0.667, "criticality": 0.133, "affinity": 0.0, "payoff": 0.198},
        "rotate-keys": {
            "urgency": 1.333,
            "criticality": 0.1,
            "affinity": 0.0,
            "payoff": 0.323,
            "merge_pressure": -2.0,
        },
    }
    [pick] = record["decisions"]
    second = pick["runner_up"]
    assert (second["node_id"], thousandths(second["ahead"]), second["decided_by"]) == ("api-contract", 0.97, "score")
    margins = [(row["factor"], thousandths(row["points"])) for row in second["margins"]]
    assert margins == [("affinity", 1.5), ("payoff", 0.236), ("criticality", -0.767)]
    assert (record["longest_path"]["minutes"], record["work_left"]["minutes"]) == (300, 855)
    counts = {key: record["counts"][key] for key in ("open", "ready", "picked", "lower_ranked", "held", "running")}
    assert counts == {"open": 14, "ready": 5, "picked": 1, "lower_ranked": 3, "held": 1, "running": 1}
    assert record["blocked"] == {"unknown_dependency": 1, "waits_for": 7}


def test_the_forecast_of_the_example_holds(example: Path) -> None:
    """What search-box waits for: 375 minutes of work, 210 of which no second agent can take over."""
    found = answer(example, "explain", "search-box")
    assert (found["to_go"]["tasks"], found["minutes_with_two"], found["minutes_with_one"]) == (4, 210, 375)
    found = answer(example, "explain", "api-contract")
    assert (found["rank"], found["of"], len(found["frees"]), found["frees_later"]) == (2, 4, 2, 4)
    assert (
        "4 h 15 min of 5 h: checkout/api-contract 45 min, checkout/cart-page 2 h, search/search-box 90 min"
        in json.dumps(found)
    )


def test_finishing_a_task_moves_the_next_one_up(example: Path) -> None:
    """The pull request of the design's comment: api-contract is completed, cart-page leads."""
    graph = example / ".metagit/tasks/graphs/checkout.yml"
    text = graph.read_text()
    graph.write_text(text.replace("- node_id: api-contract\n", "- node_id: api-contract\n    status: completed\n"))
    record = answer(example, "next", "--limit", "3")
    picks = [(row["node_id"], thousandths(row["score"])) for row in record["decisions"]]
    ranked = {row["node_id"]: thousandths(row["score"]) for row in record["ranking"]}
    assert picks[0] == ("cart-page", 4.417)
    assert (ranked["login-loop"], ranked["pay-client"]) == (4.083, 2.887)
    assert (record["longest_path"]["minutes"], record["work_left"]["minutes"]) == (300, 810)
    assert (record["counts"]["open"], record["counts"]["ready"], record["counts"]["blocked"]) == (13, 6, 6)
