"""Law 5: how files are called and in which order nodes stand changes nothing, nor does one more finished node."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from hypothesis import assume, given
from hypothesis import strategies as st

from git_sched.decide.ready.reasons import reasons
from git_sched.report.next import build_next
from properties.strategies import scenes
from scenes import answer_to

if TYPE_CHECKING:
    from git_sched.decide.pipeline import Answer
    from scenes import Scene


def all_that_is_said(answer: Answer) -> dict[str, Any]:
    """Give picks, scores, order, reasons and gates by name, and the problems; all without their places in files."""
    record: dict[str, Any] = without_places(build_next(answer))
    del record["basis"]["key"]  # stands for the files that were read, by name
    record["problems"] = sorted((p.severity, p.code, p.message, p.hint) for p in answer.problems)
    metrics = answer.metrics
    for i, node in enumerate(metrics.network.nodes):
        record[node.name] = [
            (r.kind, {metrics.node(n).name for n in r.nodes}, r.text) for r in reasons(metrics.readiness, i)
        ]
    return record


def without_places(value: Any) -> Any:  # noqa: ANN401 - any part of a record
    """Leave out of a record, at any depth, files and lines, and what is derived from them."""
    if isinstance(value, dict):
        return {key: without_places(one) for key, one in value.items() if key not in {"path", "line", "decision_id"}}
    return [without_places(one) for one in value] if isinstance(value, list) else value


@given(scenes(), st.data())
def test_renaming_files_and_shuffling_nodes_changes_nothing(scene: Scene, data: st.DataObject) -> None:
    shuffled = deepcopy(scene)
    shuffled["graphs"] = data.draw(st.permutations(shuffled["graphs"]))
    for graph in shuffled["graphs"]:
        graph["nodes"] = data.draw(st.permutations(graph["nodes"]))
    shuffled["files"] = data.draw(st.permutations(["a", "b", "c"]))[: len(shuffled["graphs"])]
    assert all_that_is_said(answer_to(shuffled)) == all_that_is_said(answer_to(scene))


@given(scenes(), st.data())
def test_one_more_finished_node_changes_no_pick(scene: Scene, data: st.DataObject) -> None:
    assume(scene["graphs"])
    before = answer_to(scene)
    graph = data.draw(st.sampled_from(scene["graphs"]))
    row = {
        "node_id": data.draw(st.sampled_from(["a", "n3-done", "zz"])),
        "status": "completed",
        "priority": data.draw(st.integers(-2, 9)),
        "estimated_minutes": data.draw(st.integers(1, 500)),
        "estimated_tokens": 100,
        "repository": "shop/web",
        "depends_on": data.draw(
            st.lists(st.sampled_from([row["node_id"] for row in graph["nodes"]] or ["a"]), max_size=2)
        ),
        "created_at": "2020-01-01",
        "due": "2026-11-03",
    }
    graph["nodes"].append(row)
    after = answer_to(scene)
    picks = [
        [(answer.metrics.node(pick.node).name, pick.score, pick.context) for pick in answer.choice.picks]
        for answer in (before, after)
    ]
    assert picks[0] == picks[1]
