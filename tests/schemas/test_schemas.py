"""The schemas accept what git-sched writes and reads, and nothing that is bent."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no types of its own

import repos
from decide.test_cases import CASES, _Plain
from git_sched.decide.factors import FACTOR_NAMES
from git_sched.formats import native, policy_file
from git_sched.model.blob import Blob
from git_sched.model.graph import Node
from git_sched.model.json_codec import dump
from git_sched.model.policy import METAGIT_FACTORS, Policy
from git_sched.report.check import build_check
from git_sched.report.explain import build_explanation
from git_sched.report.next import build_next
from git_sched.report.plan import build_forecast
from git_sched.report.status import build_status
from git_sched.schemas import SCHEMAS, URN, schema
from render.test_golden import TRANSCRIPTS, prepare
from sandbox import ask
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLE: Final = Path(__file__).resolve().parents[2] / "docs" / "example"


@cache
def validator(name: str) -> Draft202012Validator:
    """Give what checks values by a schema."""
    return Draft202012Validator(schema(name))


def complaints(name: str, value: object) -> list[str]:
    """Say what a schema has against a value."""
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(name).iter_errors(value)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one_and_its_examples_are_valid(name: str) -> None:
    found = json.loads(ask(Path(), "schema", name).out)
    Draft202012Validator.check_schema(found)
    assert (found["$id"], found["title"]) == (URN + name, f"git-sched {name}")
    assert found["description"].endswith(".")
    assert [complaints(name, example) for example in found["examples"]] == [[]] * len(found["examples"])
    undescribed = {key for key, value in found.get("$defs", {}).items() if not value.get("description")}
    undescribed |= {place for place, value in properties(found) if not value.get("description")}
    assert undescribed == set()


def properties(found: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401 - JSON
    """Give the properties of a schema, wherever they are in it."""
    inner = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    for key, value in inner:
        if key == "properties":
            yield from ((f"{place}.{name}", row) for name, row in value.items())
        if key != "examples":
            yield from properties(value, f"{place}.{key}")


def test_every_schema_has_an_example() -> None:
    assert {name for name in SCHEMAS if not schema(name)["examples"]} == set()


def test_an_unknown_schema_is_a_question_of_spelling() -> None:
    said = ask(Path(), "schema", "grahp")
    assert (said.code, said.err) == (2, "error: no schema is called grahp\nhint: did you mean graph?\n")
    assert {line.split()[0] for line in ask(Path(), "schema").out.splitlines()} == set(SCHEMAS)


# The shapes of the files, beside the registries that read them


def test_the_shape_of_a_graph_is_what_is_read() -> None:
    found = schema("graph")["properties"]
    nodes = found["nodes"]["anyOf"][0]["items"]["properties"]
    for shape, readers in ((found, native.GRAPH_READERS.keys() | {"nodes"}), (nodes, native.NODE_READERS.keys())):
        assert shape.keys() >= readers
        assert {shape[key]["description"] for key in shape.keys() - readers} == {"Written by metagit; ignored."}
    assert native.NODE_READERS.keys() - set(Node._fields) == {"acl"}


def test_the_shape_of_a_policy_is_what_is_read() -> None:
    own, metagit = (schema("policy")[branch]["properties"] for branch in ("then", "else"))
    assert list(own) == list(policy_file.own_readers(FACTOR_NAMES)) == [f for f in Policy._fields if f != "path"]
    assert list(metagit) == list(policy_file.metagit_readers(FACTOR_NAMES))
    assert list(own["weights"]["anyOf"][0]["properties"]) == list(FACTOR_NAMES)
    assert set(metagit["weights"]["anyOf"][0]["properties"]) == set(METAGIT_FACTORS)


# Records


def as_json(found: object) -> Any:  # noqa: ANN401 - JSON of any shape
    """Give a record as a reader of its JSON has it."""
    return json.loads(dump(found))


@pytest.mark.parametrize("path", CASES, ids=[f"{path.parent.name}/{path.stem}" for path in CASES])
def test_every_case_gives_valid_records(path: Path) -> None:
    case = yaml.load(path.read_bytes(), Loader=_Plain)  # noqa: S506 - a safe loader without dates
    answer = answer_to(case)
    names = [node.name for node in answer.metrics.network.nodes[:5]]
    found: dict[str, list[object]] = {
        "decision": [build_next(answer)],
        "status": [build_status(answer, sources=(), log_rows=())],
        "check": [build_check(answer, answer.problems)],
        "forecast": [build_forecast(answer), build_forecast(answer, limit=3)],
        "explanation": [build_explanation(answer, name) for name in names],
    }
    for name, records in found.items():
        assert [complaints(name, as_json(record)) for record in records] == [[]] * len(records)


@pytest.mark.parametrize("scene", TRANSCRIPTS)
def test_what_commands_print_is_valid(scene: str, tmp_path: Path) -> None:
    folder = prepare(scene, tmp_path)
    for words in ("next --limit 3", "plan", "status", "check", "policy show", "diff HEAD"):
        printed = json.loads(ask(folder, *words.split(), "--json").out)
        assert complaints("record", printed) == []
    for text in ask(folder, "next", "--limit", "9", "--format", "dispatch-plan").out, "[]":
        assert complaints("dispatch-plan", json.loads(text)) == []


def test_what_is_logged_as_an_event_is_valid(tmp_path: Path) -> None:
    nodes = [repos.task(name, repository="shop/web", priority=3) for name in "abc"]
    policy = "version: 1\nmerge_queue_threshold: 1\nskip_on_merge_pressure: true\n"
    merges = json.dumps({"repository": "shop/web", "status": "queued"})
    files = {**repos.work(*nodes, repos.task("d")), repos.POLICY: policy, ".metagit/merges/m.json": merges}
    folder = repos.repository(tmp_path / "w", {**files, ".gitignore": repos.IGNORED})
    assert ask(folder, "next", "--limit", "4", "--record").code == 0
    lines = (folder / repos.EVENTS).read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    assert {event["type"] for event in events} == {"ScheduleDecision", "ScheduleSkipped"}
    assert [complaints("event", event) for event in events] == [[]] * len(events)


def bent(value: dict[str, Any], *, free: tuple[str, ...] = ()) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give copies of a value, each bent in one place: a key taken out or added, a value of another type."""
    yield "added", {**value, "zzz": 1}
    for key, item in value.items():
        rest = {other: kept for other, kept in value.items() if other != key}
        yield f"without {key}", rest
        yield f"{key} of another type", {**value, key: {"zzz": [1]}}
        inner = item[0] if isinstance(item, list) and item else item
        if isinstance(inner, dict) and key not in free:
            for what, copy in bent(inner):
                yield f"{key}: {what}", {**value, key: [copy] if isinstance(item, list) else copy}


FREE: Final = ("blocked", "policy", "depths", "merge_pressure", "running_by_agent", "running_by_repository", "launch")
"""Mappings whose keys are names of things, or a policy."""


@pytest.mark.heavy
@pytest.mark.parametrize("name", [name for name in SCHEMAS if name not in {"graph", "policy", "record"}])
def test_a_bent_record_is_refused(name: str) -> None:
    [example] = schema(name)["examples"]
    value = as_json(example)
    [plan] = value if isinstance(value, list) else [value]
    for what, copy in bent(plan, free=FREE):
        inner = what.rpartition(": ")[0]
        if any(f"{key} of another type" in what or key in inner for key in FREE):
            continue
        assert complaints(name, [copy] if isinstance(value, list) else copy), what


# Files


def written_policies() -> Iterator[tuple[str, Any]]:
    """Give the policies of the cases, and each of them bent."""
    for path in CASES:
        policy = yaml.load(path.read_bytes(), Loader=_Plain).get("policy")  # noqa: S506 - as above
        if isinstance(policy, dict):
            yield path.stem, policy


def reads(policy: object) -> bool:
    """Say whether the policy is read without an error."""
    return (
        policy_file.parse(Blob(policy_file.POLICY_PATHS[-1], json.dumps(policy).encode()), factors=FACTOR_NAMES).policy
        is not None
    )


def test_the_schema_of_policies_judges_as_the_reader_does() -> None:
    judged = 0
    for name, policy in written_policies():
        for what, copy in [("as it is", policy), *bent(deepcopy(policy), free=("launch",))]:
            if "version" in what:
                continue  # without a version it is another policy
            judged += 1
            assert (not complaints("policy", copy)) == reads(copy), f"{name}, {what}: {copy}"
    assert judged > 100


def test_an_editor_that_reads_the_schemas_marks_the_mistake_of_the_example(tmp_path: Path) -> None:
    """What ``check-jsonschema`` says is what an editor marks: the misspelt key, and nothing else."""
    for name in ("graph", "policy"):
        (tmp_path / name).write_text(ask(Path(), "schema", name).out, encoding="utf-8")
    graphs = sorted((EXAMPLE / ".metagit/tasks/graphs").glob("*.yml"))
    sound = [path for path in graphs if path.stem != "hotfixes"]
    assert checked(tmp_path / "graph", *sound) == (0, [])
    assert checked(tmp_path / "policy", EXAMPLE / repos.POLICY) == (0, [])
    code, said = checked(tmp_path / "graph", *graphs)
    assert code == 1
    assert [text for text in said if "Additional properties" in text] == [
        "$.nodes[1]: Additional properties are not allowed ('lables' was unexpected)"
    ]


def checked(shape: Path, *files: Path) -> tuple[int, list[str]]:
    """Let check-jsonschema check files; give its exit code and all it says."""
    command = [sys.executable, "-m", "check_jsonschema", "--output-format", "json", "--schemafile", str(shape)]
    done = subprocess.run([*command, *map(str, files)], capture_output=True, check=False)
    errors = json.loads(done.stdout).get("errors", [])
    best = [error.get("best_deep_match") or error for error in errors]
    return done.returncode, [f"{error['path']}: {error['message']}" for error in best]
