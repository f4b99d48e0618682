"""Compact records: bounded whatever the workspace holds, true to the record, and nothing in them is made up."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from git_sched.decide.factors import FACTOR_NAMES
from git_sched.formats import policy_file
from git_sched.mcp_server.compact import compact
from git_sched.mcp_server.compact.fit import LIMIT, Part, build, measure
from git_sched.mcp_server.compact.records import RECORDS
from git_sched.model.blob import Blob
from git_sched.model.characters import is_visible
from git_sched.model.json_codec import dump
from git_sched.report.check import build_check
from git_sched.report.diff import build_comparison
from git_sched.report.explain import build_explanation
from git_sched.report.next import build_next
from git_sched.report.plan import build_forecast
from git_sched.report.policy import build_policy
from git_sched.report.status import build_status
from properties.strategies import scenes
from properties.test_hostile import HOSTILE, everything
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from scenes import Scene

ALLOWED: Final = 8_000
"""Characters that an answer has at most, its text and its structured content together."""

LONG: Final = 'A long "title" with \\ and é, 長い題名 ' * 20


def sent(found: Mapping[str, Any]) -> int:
    """Count the characters of an answer as a client receives it: JSON, and a text inside JSON."""
    content = {"content": [{"type": "text", "text": dump(found).decode()}], "structuredContent": found}
    return len(json.dumps(content, ensure_ascii=False, separators=(",", ":")))


def records(answer: Answer) -> Iterator[dict[str, Any]]:
    """Give a record of every kind of one answer."""
    network = answer.metrics.network
    compared: record.ComparedRecord = {
        "base": "1" * 40, "revision": "2" * 40, "head": "2" * 40, "requested": "HEAD^", "workspace": "", "now": None,
        "now_source": "unused",
    }  # fmt: skip
    rows: list[dict[str, object]] = [
        {"graph_id": node.graph_id, "node_id": node.node_id, "at": "2026"} for node in network.nodes
    ]
    found: list[Any] = [
        build_next(answer),
        build_status(answer, sources=(("a.yml", "native", ("g",)),), log_rows=rows),
        build_forecast(answer, limit=3),
        build_check(answer, answer.problems),
        build_comparison(answer, answer, by_base_policy=None, compared=compared, missing=""),
        {"schema_version": 1, "kind": "policy", "path": "", "policy": build_policy(answer.metrics.policy),
         "presets": {"in_force": "balanced"}, "problems": []},
        *({"schema_version": 1, "kind": "release", "graph_id": node.graph_id, "node_id": node.node_id,
           "title": node.title, "agent_id": node.agent_id, "at": "2026-11-02T10:00:00Z",
           "taken_at": "2026-11-02T10:00:00Z", "qualified": True} for node in network.nodes[:1]),
        *(build_explanation(answer, f"{node.graph_id}/{node.node_id}") for node in network.nodes[:3]),
    ]  # fmt: skip
    yield from found


def names(value: Any, key: str = "") -> Iterator[str]:  # noqa: ANN401 - JSON has no type
    """Give every name of a task in a compact record."""
    match value:
        case dict():
            for inner, item in value.items():
                yield from names(item, inner)
        case list():
            for item in value:
                yield from names(item, key)
        case str() if key in {"id", "ids", "waits_for", "behind", "frees", "free_again_when"}:
            yield value


@cache
def adapter(kind: str) -> TypeAdapter[Any]:
    """Give the reader of a kind of compact record."""
    return TypeAdapter(RECORDS[kind])


def check(found: Mapping[str, Any]) -> dict[str, Any]:
    """Assert what holds of every compact record, and give it."""
    small = compact(found)
    assert compact(found) == small
    assert sent(small) < ALLOWED
    assert measure(small) <= LIMIT
    adapter(found["kind"]).validate_python(small, strict=True)
    return small


@given(scenes())
def test_a_compact_record_is_small_and_true(scene: Scene) -> None:
    answer = answer_to(scene)
    known = {f"{node.graph_id}/{node.node_id}" for node in answer.metrics.network.nodes}
    for found in records(answer):
        small = check(found)
        assert (small["kind"], small["full"]) == (found["kind"], False)
        missing = {name for name in names(small) if name not in known}
        assert not missing, (found["kind"], missing)
        if "counts" in found:
            assert {**dict.fromkeys(found["counts"], 0), **small["counts"]} == found["counts"]


@given(scenes())
def test_what_is_not_shown_is_counted(scene: Scene) -> None:
    answer = answer_to(scene)
    found = build_next(answer)
    small, counts = compact(found), found["counts"]
    whole = {"picks": len(found["decisions"]), "held": counts["held"], "skipped": counts["skipped"],
             "next_in_line": counts["lower_ranked"]}  # fmt: skip
    for key, number in whole.items():
        assert len(small.get(key, [])) + small.get("left_out", {}).get(key, 0) == number
    picks = [f"{one['graph_id']}/{one['node_id']}" for one in found["decisions"]]
    assert [one["id"] for one in small.get("picks", [])] == picks


def large(number: int, **keys: object) -> Answer:
    """Decide about many tasks, of which many are ready, running, held and blocked."""
    words = ("pending", "pending", "running", "blocked")
    nodes = [
        {"node_id": f"{'n' * 150}{i}", "title": LONG, "status": words[i % 4], "repository": f"o/{'r' * 90}{i % 7}",
         "depends_on": [f"{'n' * 150}{i - 9}"] if i % 8 == 4 and i > 9 else [], "colour": 1,
         "agent_id": f"agent-{i % 5}", "blocker_reason": LONG}
        for i in range(number)
    ]  # fmt: skip
    return answer_to({"graphs": [{"graph_id": "g" * 150, "nodes": nodes}], "request": keys})


@pytest.mark.parametrize("limit", [1, 5, 300])
def test_a_thousand_long_tasks_fit(limit: int) -> None:
    for found in records(large(1_000, limit=limit)):
        small = check(found)
        if found["kind"] == "decision":
            shown = len(small["picks"])
            assert shown
            assert shown + small.get("left_out", {}).get("picks", 0) == len(found["decisions"])


@pytest.mark.parametrize("text", [*HOSTILE, "\\" * 5_000, '"' * 5_000, "\u0007" * 5_000, "長" * 5_000])
def test_hostile_texts_make_no_answer_long(text: str) -> None:
    """Whatever every text of a record is: the answer is short, one line of visible characters a text."""
    for kind, found in everything(text).items():
        if kind in RECORDS:
            small = compact(found)
            assert sent(small) < ALLOWED
            assert all(is_visible(c) for c in json.loads(dump(json.dumps(small, ensure_ascii=False))))


@given(st.lists(st.text(max_size=60), max_size=30), st.integers(0, 40), st.integers(0, 100))
def test_a_list_keeps_its_first_rows_and_counts_the_others(texts: list[str], most: int, total: int) -> None:
    parts = (Part("first", texts, most, total), Part("then", [{"id": "a"}] * 3, 2))
    found = build("check", {"errors": 0, "path": "", "held": None, "all": False}, parts)
    rows = found.get("first", [])
    assert {key: value for key, value in found.items() if key in {"errors", "path", "held", "all"}} == {"errors": 0}
    assert len(rows) <= most
    assert len(rows) + found.get("left_out", {}).get("first", 0) == max(total, len(texts))
    assert measure(found) <= LIMIT


def decided(**keys: object) -> dict[str, Any]:
    """Give the compact decision of a small scene."""
    nodes = [
        {"node_id": "a", "title": "Write it", "estimated_minutes": 90, "repository": "o/r", "priority": 2},
        {"node_id": "b", "title": "Read it", "depends_on": ["a"]},
        {"node_id": "c", "title": "Say it", "agent_id": "bob"},
        {"node_id": "d", "title": "Do it", "agent_id": "ann", "status": "running"},
    ]
    asked = {"agents": ["ann"], "limit": 1}
    return compact(build_next(answer_to({"graphs": [{"graph_id": "g", "nodes": nodes}], "request": asked, **keys})))


def test_a_pick_has_all_that_starting_it_takes() -> None:
    found = decided()
    [pick] = found["picks"]
    assert len(pick.pop("decision_id")) == 32
    assert pick.pop("score") > 0
    assert pick == {
        "id": "g/a", "title": "Write it", "agent": "ann", "why": "it is the only ready task that is not held",
        "place": ".metagit/tasks/graphs/0.json:4", "priority": 2, "repository": "o/r", "minutes": 90,
    }  # fmt: skip
    assert found["working_on"] == [{"agent": "ann", "id": "g/d", "title": "Do it"}]
    assert [row["id"] for row in found["held"]] == ["g/c"]


def test_commands_of_a_task_are_counted_and_not_passed_on() -> None:
    node = {"node_id": "a", "acl": {"acl_commands": ["rm -rf /", "ls"]}, "project": "p", "repository": "r"}
    found = compact(build_next(answer_to({"graphs": [{"graph_id": "g", "nodes": [node]}]})))
    assert found["picks"][0]["commands"] == 3
    assert "rm -rf" not in json.dumps(found)


def test_where_nothing_is_picked_the_answer_says_what_to_do() -> None:
    ring = [
        {"node_id": "a", "depends_on": ["b"]},
        {"node_id": "b", "depends_on": ["a"]},
        {"node_id": "c", "depends_on": ["a"]},
    ]
    found = compact(build_next(answer_to({"graphs": [{"graph_id": "g", "nodes": ring}]})))
    assert found["outcome"] == "stuck"
    assert "picks" not in found
    assert found["cut"][0].keys() == {"id", "dependency", "frees"}
    assert {"id", "state", "why", "place"} <= found["causes"][0].keys()
    done = compact(
        build_next(answer_to({"graphs": [{"graph_id": "g", "nodes": [{"node_id": "a", "status": "completed"}]}]}))
    )
    assert (done["outcome"], done["counts"]["completed"]) == ("all-done", 1)
    empty = compact(build_next(answer_to({"graphs": []})))
    assert empty["outcome"] == "empty"


def policy_of(text: str) -> dict[str, Any]:
    """Give the compact record of a policy."""
    path = policy_file.POLICY_PATHS[-1 if text.startswith("{") else 0]
    parsed = policy_file.parse(Blob(path, text.encode()), factors=FACTOR_NAMES)
    shown: dict[str, Any] = dict(build_policy(parsed.policy)) if parsed.policy else {}
    presets = {"in_force": parsed.policy.preset if parsed.policy else "balanced"}
    return compact({"kind": "policy", "path": path, "policy": shown, "presets": presets, "problems": []})


def test_a_policy_shows_its_weights_and_what_is_not_the_default() -> None:
    own = policy_of("version: 1\nweights: {age: 1}\nlimits: {per_agent: 2}\ngraph_overrides: {g: {cost: 1}}\n")
    assert own["weights"] == {"urgency": 2, "criticality": 1, "affinity": 1.5, "payoff": 0.5, "age": 1}
    assert own["settings"] == [
        {"key": "graph_overrides.g.cost", "value": 1}, {"key": "limits.per_agent", "value": 2},
    ]  # fmt: skip
    assert "settings" not in policy_of("version: 1\n")
    pool = [f"agent-{i}" for i in range(500)]
    long = policy_of(f"version: 1\nagent_pool: {json.dumps(pool)}\n")
    assert long["settings"][0]["value"].startswith('["agent-0","agent-1",')
    assert policy_of('{"merge_queue_threshold": 9}')["settings"] == [{"key": "merge_queue_threshold", "value": 9}]
    assert policy_of("version: [\n")["refused"]
