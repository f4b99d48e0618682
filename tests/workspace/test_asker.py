"""Whom an answer is for where nobody is named: the owner of the worktree it is asked from, else the environment's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import repos
from mcp_server.client import called
from repos import POLICY, sched, task
from sandbox import write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.heavy

METAGIT = ".metagit/worktrees/worktrees.json"
POOL = "version: 1\nagent_pool: [ann, bob]\nrepository: shop/web\n"
NEXT, STATUS, EXPLAIN, PLAN = "metagit_schedule_next", "metagit_schedule_status", "schedule_explain", "schedule_plan"


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """Make a repository with a task for anybody and one for each of two agents."""
    nodes = [task("any", repository="shop/web"), task("anns", agent_id="ann"), task("bobs", agent_id="bob")]
    return repos.repository(tmp_path / "main", {**repos.work(*nodes), POLICY: POOL})


def agents(folder: Path, *words: str, env: Mapping[str, str] | None = None) -> list[str]:
    """Give the agents that an answer is for, as its record has them."""
    ran = sched(folder, *(words or ("next",)), "--json", env={**repos.environment(), **(env or {})})
    assert ran.code == 0, ran.text
    return whose(ran.record)


def whose(record: Mapping[str, Any]) -> list[str]:
    """Give the agents of a record."""
    found: list[str] = record["for_agents"] if record["kind"] != "decision" else record["request"]["agents"]
    return found


@pytest.fixture
def anns(main: Path, tmp_path: Path) -> Path:
    """Make a linked worktree named after a member of the pool."""
    return repos.linked(main, tmp_path / "ann", branch="topic")


@pytest.mark.parametrize("words", [("next",), ("status",), ("explain", "any")])
def test_a_linked_worktree_asks_for_its_owner(main: Path, anns: Path, words: tuple[str, ...]) -> None:
    assert agents(anns, *words) == ["ann"]
    assert agents(anns, *words, env={"SCHED_AGENT": "cy"}) == ["ann"]
    assert agents(anns, *words, "--rev", "HEAD") == ["ann"]
    assert agents(anns / ".metagit", *words) == ["ann"], "wherever in the worktree it is asked"
    assert agents(main, *words) == []
    assert agents(main, *words, env={"SCHED_AGENT": "cy"}) == ["cy"]
    assert agents(main, *words, env={"SCHED_AGENT": ""}) == []


def test_a_named_agent_comes_first(anns: Path) -> None:
    for words in (("next",), ("explain", "any")):
        assert agents(anns, *words, "--agent", "bob", env={"SCHED_AGENT": "no id"}) == ["bob"]


def test_the_row_of_metagit_comes_before_the_name(main: Path, anns: Path) -> None:
    rows = [{"path": str(anns), "repository": "shop/web", "agent_id": "dan", "status": "active"}]
    write(main, {METAGIT: json.dumps({"worktrees": rows})})
    assert agents(anns) == ["dan"]
    write(main, {METAGIT: json.dumps({"worktrees": [{**rows[0], "status": "destroyed"}]})})
    assert agents(anns) == ["ann"]
    write(main, {METAGIT: json.dumps({"worktrees": [{**rows[0], "agent_id": "no id"}]})})
    assert agents(anns) == ["ann"]
    named = anns / "named.json"
    named.write_text(json.dumps({"worktrees": rows}), encoding="utf-8")
    assert agents(anns, "next", "--worktrees", str(named)) == ["ann"], "a named file says nothing of who asks"


def test_without_a_pool_and_a_row_nobody_owns_it(main: Path, anns: Path, tmp_path: Path) -> None:
    other = repos.linked(main, tmp_path / "cy", branch="cy")
    assert agents(other) == [], "it is not named after a member of the pool"
    write(anns, {POLICY: "version: 1\n"})
    assert agents(anns) == []
    assert agents(anns, env={"SCHED_AGENT": "ann"}) == ["ann"]


@pytest.mark.parametrize("words", [("plan",), ("diff",)])
def test_a_plan_and_a_comparison_are_for_a_team(anns: Path, words: tuple[str, ...]) -> None:
    anybody = sched(anns, *words, "--json", env=repos.environment())
    named = sched(anns, *words, "--json", env=repos.environment(SCHED_AGENT="no id"))
    assert (named.code, named.out) == (anybody.code, anybody.out)


def test_the_variable_goes_through_the_same_check(main: Path) -> None:
    ran = sched(main, "next", env=repos.environment(SCHED_AGENT="two words"))
    assert (ran.code, ran.text.startswith("error: SCHED_AGENT 'two words' cannot be an id")) == (2, True), ran.text


def test_the_hook_asks_for_nobody(anns: Path) -> None:
    repos.add(anns, {f"{repos.GRAPHS}/more.json": repos.graph("more", task("new", priority=9))})
    for env in (repos.environment(), repos.environment(SCHED_AGENT="no id")):
        ran = sched(anns, "hook", "run", "post-merge", "0", env=env)
        assert (ran.code, "cannot be an id" in ran.text) == (0, False)


def test_the_answer_says_whom_it_is_for(main: Path, anns: Path) -> None:
    assert sched(anns, "next").text.startswith("ann  any  Do any\n")
    assert "\n  for ann\n" in sched(anns, "explain", "any").text
    assert "\nfor ann · worktrees: 1 linked in git" in sched(anns, "status").text
    write(anns, {f"{repos.GRAPHS}/work.json": repos.graph("work", task("bobs", agent_id="bob"))})
    assert "\n  for ann\n" in sched(anns, "next").text, "also where there is nothing for it"
    assert sched(main, "next").text.startswith("any  Do any\n")


def test_the_server_asks_for_the_owner_of_the_worktree_it_was_started_in(
    main: Path, anns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tool, arguments in ((NEXT, {}), (STATUS, {}), (EXPLAIN, {"node": "any"})):
        assert whose(called(anns, tool, **arguments, full=True).record) == ["ann"]
        assert whose(called(main, tool, **arguments, full=True).record) == []
    assert whose(called(anns, NEXT, agents=["bob"], full=True).record) == ["bob"]
    monkeypatch.setenv("SCHED_AGENT", "cy")
    assert whose(called(main, NEXT, full=True).record) == ["cy"]
    assert called(main, PLAN, full=True).record["request"]["agents"] == ["ann", "bob"]
    monkeypatch.setenv("SCHED_AGENT", "two words")
    assert called(main, NEXT).failed


def test_a_task_is_taken_and_given_back_for_who_asks(main: Path, anns: Path) -> None:
    cy = repos.environment(SCHED_AGENT="cy")
    assert sched(anns, "take", "any", "--json").record["decisions"][0]["agent_id"] == "ann"
    assert "taken by ann" in sched(main, "take", "any", env=cy).text
    assert "given back by ann" in sched(anns, "release", "any").text
    assert sched(main, "take", "any", "--json", env=cy).record["decisions"][0]["agent_id"] == "cy"
