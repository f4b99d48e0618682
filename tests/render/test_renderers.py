"""What renderers say of records that were stored, cut or made by another version: they are taken as they are."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from git_sched.model.json_codec import dump
from git_sched.render import redact
from git_sched.render.data import annotations as github
from git_sched.render.data import env, matrix, outputs
from git_sched.render.html import next as decision_html
from git_sched.render.markdown import comment, escape, mermaid, summary
from git_sched.render.text import check as check_text
from git_sched.render.text import explain as explain_text
from git_sched.render.text import next as next_text
from git_sched.report.check import build_check
from git_sched.report.diff import build_comparison
from git_sched.report.explain import build_explanation
from git_sched.report.next import build_next
from report.test_comparisons import COMPARED
from scenes import answer_to

if TYPE_CHECKING:
    from git_sched import record

HELD: record.HeldRecord = {
    "graph_id": "g", "node_id": "b", "title": "", "repository": None, "minutes": None,
    "minutes_from": None, "assigned_to": None, "labels": [], "score": 1.0, "gate": "assigned_to", "limit": "",
    "value": 0.0, "by": [], "at_path": "", "until": None, "why": "is somebody's",
}  # fmt: skip

WRONG: dict[str, Any] = {
    "graphs": [{"graph_id": "g", "nodes": [{"node_id": "a"}, {"node_id": "b", "depends_on": ["x"]}]}]
}


def test_a_problem_without_a_hint_is_one_line() -> None:
    record = build_check(answer_to(WRONG), answer_to(WRONG).problems)
    record["problems"][0]["hint"] = ""
    assert check_text.render(record).count("\n") == 3


def test_errors_that_were_cut_are_counted_all_the_same() -> None:
    found = build_comparison(None, answer_to(WRONG), by_base_policy=None, compared=COMPARED, missing="")
    found["problems"] = []
    assert "> 1 error in the task files: run `git sched check`" in comment.body(found)


def test_numbers_alone_are_no_names() -> None:
    """Ids and paths stand as code; a fraction is none."""
    assert escape.escape_prose("1/2 of shop/web is done") == "1/2 of `shop/web` is done"


def test_what_is_dirty_is_said_below() -> None:
    record = build_next(answer_to(WRONG))
    record["basis"]["dirty"] = ["a.yml", "b.yml"]
    record["basis"]["workspace"] = "apps/web"
    assert ", 2 files changed since, in `apps/web`" in summary.render(record)
    record["basis"]["dirty_left_out"] = 998
    assert ", 1000 files changed since, in `apps/web`" in summary.render(record)


def test_a_long_list_of_what_is_held_is_counted() -> None:
    nodes = [{"node_id": f"n{number:02}", "agent_id": "bob"} for number in range(60)]
    scene = {"graphs": [{"graph_id": "g", "nodes": nodes}], "request": {"agents": ["ann"]}}
    assert "| 10 more | held |" in summary.render(build_next(answer_to(scene)))


def test_a_thousand_descendants_are_counted_as_more() -> None:
    """Rule F9, in words."""
    nodes: list[dict[str, Any]] = [{"node_id": "n0000", "status": "running"}]
    nodes += [{"node_id": f"n{number:04}", "depends_on": [f"n{number - 1:04}"]} for number in range(1, 1_100)]
    record = build_next(answer_to({"graphs": [{"graph_id": "g", "nodes": nodes}]}))
    assert "  n0000  running; would free 1 000+ in the end: n0001 and more\n" in next_text.render(record)


HIDDEN = ("o/r", "o/r.x", "o/r/s", "a b", "o")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("o/r is warm", "another repository is warm"),
        ("in o/r.", "in another repository."),
        ("o/r.x and o/r.y", "another repository and another repository.y"),
        ("o/r/s, o/r/t", "another repository, o/r/t"),
        ("no/r, -o/r, o-r", "no/r, -o/r, o-r"),
        ("a b", "another repository"),
        ("a bc", "a bc"),
        ("", ""),
    ],
)
def test_a_hidden_repository_is_named_nowhere(text: str, shown: str) -> None:
    assert redact.redact({"titles": True, "repositories": "own", "own": "o/own"}, HIDDEN).words(text) == shown


def test_what_nobody_would_see_is_escaped_in_json() -> None:
    """It reads the same, and a terminal has nothing to obey."""
    said = {"a\x7f": "x\u202e\x9b\U000e0041 \u2028", "b": "na\u00efve \U0001f600", "c": "\udcff\u202e"}
    raw = dump(said)
    assert raw == (
        rb'{"a\u007f":"x\u202e\u009b\udb40\udc41 \u2028",'
        + '"b":"na\u00efve \U0001f600",'.encode()
        + rb'"c":"\\xff\u202e"}'
    )
    assert json.loads(raw) == {**said, "c": "\\xff\u202e"}


def test_a_forged_explanation_says_what_it_can() -> None:
    """What no answer holds together is no error: a record may come from anybody."""
    answer = answer_to({"graphs": [{"graph_id": "g", "nodes": [{"node_id": "a"}, {"node_id": "b"}]}]})
    found = build_explanation(answer, "b")
    assert found["behind"] == "g/a"
    found["behind_score"] = None
    assert ", behind a (0.000)\n" in explain_text.render(found)
    found["state"], found["also"] = "held", []
    assert explain_text.render(found) == "b\n  blocked\n  .metagit/tasks/graphs/0.json:7, unassigned\n"
    found["held"] = held = HELD.copy()
    assert "Ask with --agent" not in explain_text.render(found)
    held["by"] = ["::error::\u202e"]
    assert "Ask with --agent : :error::, or" in explain_text.render(found)
    assert "It would" not in explain_text.render(found)


def test_what_waits_without_a_name_is_said_on_a_page() -> None:
    record = build_next(answer_to(WRONG))
    record["waiting"] = [{"nodes": [], "titles": [], "more": 0, "why": "waits", "waits_for": [], "kind": ""}]
    assert "<td>waits</td>" in decision_html.render(record)


def test_the_footer_says_as_of_when_where_time_was_used() -> None:
    record = build_next(answer_to(WRONG))
    record["basis"] = {
        **record["basis"], "now": "2026-11-02T09:00:00Z", "now_source": "commit", "revision": "4f2c9d1"
    }  # fmt: skip
    expected = ", as of `2026-11-02T09:00:00Z` (the commit's time). Repeat it: `git sched status --rev 4f2c9d1`</sub>"
    assert expected in summary.render(record)
    record["basis"]["dirty"] = ["a.yml"]
    assert "Repeat it" not in summary.render(record)


def test_a_problem_without_a_place_is_annotated() -> None:
    found = build_check(answer_to(WRONG), answer_to(WRONG).problems)
    problem = found["problems"][0]
    problem["path"], problem["line"], problem["column"] = "", None, None
    assert github.render(found).startswith("::error title=git-sched%3A unknown-dependency::")


def test_tasks_in_error_alone_are_stuck() -> None:
    twice = {"graphs": [{"graph_id": "g", "nodes": [{"node_id": "a"}, {"node_id": "a"}]}]}
    assert summary.render(build_next(answer_to(twice))).startswith("### Stuck: 2 tasks in error, no other is open\n")


def test_a_matrix_says_what_it_leaves_out() -> None:
    nodes = [{"node_id": f"n{number}"} for number in range(258)]
    scene = {"graphs": [{"graph_id": "g", "nodes": nodes}], "request": {"limit": 300}}
    assert matrix.describe_cut(build_next(answer_to(scene))) == (
        "the matrix has 256 of 258 picks: GitHub runs no more jobs"
    )
    assert matrix.describe_cut(build_next(answer_to(WRONG))) == ""


def test_minutes_that_nobody_gave_are_left_out_everywhere() -> None:
    record = build_next(answer_to(WRONG))
    [row] = json.loads(matrix.render(record))["include"]
    assert row == {"task": "g/a", "graph": "g", "node": "a", "repository": "", "agent": "", "score": row["score"]}
    assert "NEXT_MINUTES=\n" in env.render(record)
    for text in (summary.render(record), mermaid.render(record), outputs.render(record)):
        assert not re.search(r"[0-9] (?:min|h)\b", text)


def test_what_is_assumed_is_said() -> None:
    answer = answer_to(WRONG, assumed_done=("g/x",))
    assert "\nWhat if: `g/x` completed.\n" in summary.render(build_next(answer))
