"""What metagit answers, and git-sched with metagit's own policy: the same, except where a table says why not."""

from __future__ import annotations

import json
import math
import shutil
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

from sandbox import SHARED, ask, commit, names, tree, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

ORACLE: Final = SHARED / "metagit-oracle"
CASES: Final = sorted(path.parent for path in ORACLE.glob("*/case.json"))
HERE: Final = pytest.mark.skipif(not CASES, reason="../shared/metagit-oracle is not here")

POLICY: Final = ".metagit/schedule/policy.json"
IGNORED: Final = ".metagit/schedule/*.jsonl\n.metagit/events/\n"


class Departure(NamedTuple):
    """Why an answer differs, and every value that does: where, and what ours is."""

    why: str
    ours: Mapping[str, object]


DEPARTURES: Final = {
    "03-affinity-name-mismatch": Departure(
        "project p with repository r is the repository p/r, also where worktrees are concerned",
        {
            "next order": ["g1/b", "g1/a"],
            "next g1/b score": 0.625,
            "next g1/b reasons": ["priority=0", "affinity=1", "cost=0.5000(tokens=1000)"],
        },
    ),
    "05-merge-skip-limit1": Departure(
        "a skipped decision does not use up the limit: the runnable one comes as well",
        {"next order": ["g1/a", "g1/b"]},
    ),
    "09-fairness-override-only": Departure(
        "asking twice answers the same: rows of the same basis are no turn",
        {
            "next-again order": ["g2/b", "g1/a", "g2/c"],
            "next-again g2/c score": 0.125,
            "next-again g2/c reasons": ["priority=0", "affinity=0", "cost=0.5000(tokens=1000)", "fairness=0"],
        },
    ),
    "14-status-mix": Departure(
        "the same picks; the cancelled dependency and the stored ready are named",
        {"problems": ["cancelled-dependency", "not-ready"]},
    ),
    "15-cycle": Departure("the cycle is an error that is named", {"check code": 1, "problems": ["cycle"]}),
    "16-unknown-dependency": Departure(
        "the same pick; the dependency is an error that is named",
        {"check code": 1, "problems": ["unknown-dependency"]},
    ),
    "18-bad-policy": Departure(
        "the refusal has a file, a line and a hint", {"check code": 1, "problems": ["out-of-range"]}
    ),
    "19-bad-graph-json": Departure(
        "one bad file never hides the others",
        {"status code": 0, "next code": 0, "next order": ["g1/a"], "check code": 1, "problems": ["syntax"]},
    ),
    "20-inactive-graphs": Departure(
        "only active graphs are scheduled", {"status ready_count": 1, "next order": ["g1/a"]}
    ),
    "21-node-graph-id-differs": Departure(
        "the file's graph_id holds, and picks the override",
        {"next order": ["g1/b", "g1/a"], "problems": ["graph-id-differs"]},
    ),
    "23-cross-graph-dependency": Departure(
        "the same pick; a node of another graph is graph_id/node_id, and the bare id gets that hint",
        {"check code": 1, "problems": ["unknown-dependency"]},
    ),
    "24-acl-and-compile": Departure(
        "blanks around names are stripped",
        {
            "next g1/d compile_command": "metagit context compile --project p --repo r1 --task-id d",
            "next g1/d dispatch_hints": {
                "title": "Title d",
                "project": "p",
                "repository": "p/r1",
                "agent_id": None,
                "priority": 0,
            },
        },
    ),
    "27-unknown-policy-keys": Departure("misspelt keys are a warning", {"problems": ["unknown-key"]}),
    "28-limit-zero": Departure("a limit below 1 is wrong usage", {"next code": 2}),
    "30-corrupt-side-files": Departure(
        "a side file that cannot be read is a problem", {"problems": ["signal-unreadable"]}
    ),
    "31-corrupt-history-unfair": Departure(
        "an incomplete line is a problem that stops nothing", {"status code": 0, "problems": ["history-line"]}
    ),
    "33-duplicate-node-id": Departure(
        "neither of two equal ids is offered",
        {
            "status ready_count": 0,
            "check code": 1,
            "next order": [],
            "problems": ["duplicate-node", "unknown-dependency"],
        },
    ),
    "35-fraction-priority": Departure(
        "the node with the wrong type is in error, the others are offered",
        {"status code": 0, "next code": 0, "next order": ["g1/b"], "check code": 1, "problems": ["wrong-type"]},
    ),
    "36-self-dependency": Departure(
        "the same pick; the cycle is an error that is named",
        {"check code": 1, "problems": ["cycle"]},
    ),
}
"""Every case where ours differs from metagit. Besides, in all cases: nothing is written unless recording is asked for,
the answer of ``next`` is one object with ``decisions`` and ``skipped``, and an id is a hash of what was decided."""


Printed = dict[str, Any] | list[dict[str, Any]] | str | None


def project(code: int, printed: Printed) -> dict[str, object]:
    """Give what is compared of an answer, each value by its place; ours and metagit's alike."""
    found: dict[str, object] = {"code": code}
    rows = printed if isinstance(printed, list) else []
    if isinstance(printed, dict):
        found |= {key: printed[key] for key in ("policy", "ready_count", "merge_pressure") if key in printed}
        found |= {"policy": printed} if "weights" in printed else {}
        rows = [*printed.get("decisions", []), *printed.get("skipped", [])]
        rows.sort(key=lambda row: -row["score"])
    found["order"] = names(rows)
    for row, name in zip(rows, names(rows), strict=True):
        kept = ("score", "reasons", "dispatch_hints", "acl_commands", "compile_command", "skipped")
        found.update({f"{name} {key}": row[key] for key in kept})
    return found


def scores(printed: dict[str, Any] | None) -> set[tuple[str, float]]:
    """Give the nodes of an answer, or those that status shows as decided, with their scores."""
    keys = ("decisions", "skipped", "recent_decisions")
    rows = [row for key in keys for row in (printed or {}).get(key, [])]
    return {(name, row["score"]) for name, row in zip(names(rows), rows, strict=True)}


def differences(metagit: Mapping[str, object], ours: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Give what ours is wherever it is not what metagit says; of a node that only one of them names, its name alone."""
    for place, theirs in metagit.items():
        mine = ours.get(place, theirs)
        if isinstance(theirs, float) and isinstance(mine, float):
            if not math.isclose(theirs, mine, abs_tol=3e-6, rel_tol=0):
                yield place, mine
        elif theirs != mine:
            yield place, mine


class Sides(NamedTuple):
    """The answers to one command: metagit's and ours."""

    metagit: Any
    code: int
    ours: Any
    bytes: str


def ask_both(case: Path, folder: Path, command: str, *more: str) -> Sides:
    """Run a command of a case, and look up what metagit said."""
    words = json.loads((case / "case.json").read_bytes())["argv"][command]
    said = ask(folder, *words[1:], *more)
    metagit = json.loads((case / f"expected-{command}.json").read_bytes())
    return Sides(metagit, said.code, json.loads(said.out) if said.out else None, said.out)


def compare(case: Path, folder: Path) -> dict[str, object]:
    """Run every command of a case; give all values that differ, by command and place."""
    before = tree(folder)
    sides = {command: ask_both(case, folder, command) for command in ("policy", "status-before", "next", "next-again")}
    assert sides["next"].bytes == sides["next-again"].bytes
    assert tree(folder) == before
    if sides["next"].metagit == sides["next-again"].metagit:
        del sides["next-again"]
    found: dict[str, object] = {}
    problems: set[str] = set()
    for command, (metagit, code, ours, _) in sides.items():
        problems |= {problem["code"] for problem in (ours or {}).get("problems", [])}
        differing = differences(project(metagit["rc"], metagit["stdout"]), project(code, ours))
        found |= {f"{command.removesuffix('-before')} {place}": mine for place, mine in differing}

    if code := ask(folder, "check").code:
        found["check code"] = code
    ask_both(case, folder, "next", "--record")
    after = ask_both(case, folder, "status-after").ours
    assert scores(after) == scores(sides["status-before"].ours) | scores(sides["next"].ours)
    return found | ({"problems": sorted(problems)} if problems else {})


@HERE
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_metagit_answers_the_same(case: Path, tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    shutil.copytree(case / "input", folder)
    commit(folder, {".gitignore": IGNORED} if (folder / POLICY).exists() else {".gitignore": IGNORED, POLICY: "{}"})
    expected = DEPARTURES.get(case.name, Departure("", {})).ours
    assert compare(case, folder) == expected


@HERE
def test_every_departure_is_of_a_case_that_exists() -> None:
    assert set(DEPARTURES) <= {case.name for case in CASES}


OWN: Final = {
    ".metagit/tasks/graphs/g1.json": json.dumps(
        {
            "graph_id": "g1",
            "nodes": [
                {"node_id": "a", "title": "A", "priority": 3, "project": "p", "repository": "r0"},
                {"node_id": "b", "title": "B", "priority": 3, "repository": "p/r1", "estimated_tokens": 3000},
                {"node_id": "c", "title": "C", "priority": 9, "depends_on": ["a"]},
            ],
        }
    ),
    ".metagit/tasks/graphs/g2.json": json.dumps(
        {
            "graph_id": "g2",
            "nodes": [
                {
                    "node_id": "d",
                    "title": "D",
                    "priority": 4,
                    "repository": "p/r2",
                    "agent_id": "agent-7",
                    "acl": {"acl_commands": ["allow src"]},
                }
            ],
        }
    ),
    ".metagit/worktrees/worktrees.json": json.dumps(
        {"worktrees": [{"repository": "p/r1", "agent_id": "agent-1", "status": "active"}]}
    ),
    ".metagit/merges/m1.json": json.dumps({"repository": "p/r2", "status": "queued"}),
    ".metagit/schedule/decisions.jsonl": json.dumps(
        {"decision_id": "x", "graph_id": "g1", "node_id": "z", "dispatch_hints": {"repository": "p/r1"}}
    ),
    POLICY: json.dumps(
        {"weights": {"fairness": 1}, "merge_queue_threshold": 1, "graph_overrides": {"g2": {"priority": 2}}}
    ),
}


def test_a_small_workspace_of_our_own(tmp_path: Path) -> None:
    """Everything RFC-0012 scores, worked out by hand: it holds also where the recorded cases are absent."""
    write(tmp_path, OWN)
    said = ask(tmp_path, "next", "--limit", "9", "--json")
    assert project(said.code, json.loads(said.out)) == {
        "code": 0,
        "order": ["g2/d", "g1/a", "g1/b"],
        # 2 x 4 + 0.25 x 1/2 + 1 - 2.0
        "g2/d score": 7.125,
        "g2/d reasons": [
            "priority=4",
            "affinity=0",
            "cost=0.5000(tokens=1000)",
            "fairness=1",
            "merge_pressure depth=1 threshold=1 penalty=2.0",
        ],
        "g2/d dispatch_hints": {
            "title": "D",
            "project": None,
            "repository": "p/r2",
            "agent_id": "agent-7",
            "priority": 4,
        },
        "g2/d acl_commands": ["allow src"],
        "g2/d compile_command": None,
        "g2/d skipped": False,
        # 3 + 0.25 x 1/2 + 1
        "g1/a score": 4.125,
        "g1/a reasons": ["priority=3", "affinity=0", "cost=0.5000(tokens=1000)", "fairness=1"],
        "g1/a dispatch_hints": {"title": "A", "project": "p", "repository": "r0", "agent_id": None, "priority": 3},
        "g1/a acl_commands": [],
        "g1/a compile_command": "metagit context compile --project p --repo r0 --task-id a",
        "g1/a skipped": False,
        # 3 + 0.5 + 0.25 x 1/4
        "g1/b score": 3.5625,
        "g1/b reasons": ["priority=3", "affinity=1", "cost=0.2500(tokens=3000)", "fairness=0"],
        "g1/b dispatch_hints": {"title": "B", "project": None, "repository": "p/r1", "agent_id": None, "priority": 3},
        "g1/b acl_commands": [],
        "g1/b compile_command": None,
        "g1/b skipped": False,
    }
