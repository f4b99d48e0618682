"""What renderers say of records that were stored, cut or made by another version: they are taken as they are."""

from __future__ import annotations

from typing import Any

from git_sched import answers
from git_sched.compare import compare
from git_sched.render import cell, check_text, comment, next_text, summary
from scenes import answer_to
from test_comparisons import COMPARED

WRONG: dict[str, Any] = {
    "graphs": [{"graph_id": "g", "nodes": [{"node_id": "a"}, {"node_id": "b", "depends_on": ["x"]}]}]
}


def test_a_problem_without_a_hint_is_one_line() -> None:
    record = answers.check(answer_to(WRONG), answer_to(WRONG).problems)
    record["problems"][0]["hint"] = ""
    assert check_text.render(record).count("\n") == 3


def test_errors_that_were_cut_are_counted_all_the_same() -> None:
    found = compare(None, answer_to(WRONG), by_base_policy=None, compared=COMPARED, missing="")
    found["problems"] = []
    assert "> 1 error in the task files: run `git sched check`" in comment.body(found)


def test_numbers_alone_are_no_names() -> None:
    """Ids and paths stand as code; a fraction is none."""
    assert cell.prose("1/2 of shop/web is done") == "1/2 of `shop/web` is done"


def test_what_is_dirty_is_said_below() -> None:
    record = answers.decisions(answer_to(WRONG))
    record["basis"]["dirty"] = ["a.yml", "b.yml"]
    record["basis"]["workspace"] = "apps/web"
    assert ", 2 files changed since, in `apps/web`" in summary.render(record)
    record["basis"]["dirty_left_out"] = 998
    assert ", 1000 files changed since, in `apps/web`" in summary.render(record)


def test_a_long_list_of_what_is_held_is_counted() -> None:
    nodes = [{"node_id": f"n{number:02}", "agent_id": "bob"} for number in range(60)]
    scene = {"graphs": [{"graph_id": "g", "nodes": nodes}], "request": {"agents": ["ann"]}}
    assert "| 10 more | held |" in summary.render(answers.decisions(answer_to(scene)))


def test_a_thousand_descendants_are_counted_as_more() -> None:
    """Rule F9, in words."""
    nodes: list[dict[str, Any]] = [{"node_id": "n0000", "status": "running"}]
    nodes += [{"node_id": f"n{number:04}", "depends_on": [f"n{number - 1:04}"]} for number in range(1, 1_100)]
    record = answers.decisions(answer_to({"graphs": [{"graph_id": "g", "nodes": nodes}]}))
    assert "g/n0000 (running) would free 1 000+: g/n0001 and more\n" in next_text.render(record)
