"""Forecasts larger than what is listed, and pages of what is seldom: cut, with the number of what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import judges
from git_sched.model.screen import Screen
from git_sched.render import renderer
from git_sched.render.text import plan as plan_text
from git_sched.report.next import build_next
from git_sched.report.plan import TASKS, build_forecast
from git_sched.report.ranking import LISTED
from git_sched.report.status import build_status
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Mapping


def shown(kind: str, record: Mapping[str, Any], form: str = "html") -> str:
    """Render a record; a page must be one."""
    text = renderer(kind, form)(record)
    if form == "html":
        judges.check_html(text)
    return text


def test_long_forecasts_are_cut_and_counted() -> None:
    nodes = [{"node_id": f"n{n:04}", "estimated_minutes": 1} for n in range(TASKS + 5)]
    nodes += [{"node_id": f"x{n:04}", "depends_on": ["nobody"]} for n in range(LISTED + 7)]
    found = build_forecast(answer_to({"graphs": [{"graph_id": "g", "nodes": nodes}]}))
    assert (len(found["tasks"]), found["counts"]["tasks"]) == (TASKS, TASKS + 5)
    assert (len(found["unstarted"]), found["counts"]["unstarted"]) == (LISTED, LISTED + 7)
    assert (len(found["critical"]), found["critical_steps"]) == (TASKS, TASKS + 5)
    text = shown("forecast", found, "text")
    assert f"critical path: {TASKS - 7} steps, then n0993 1 min, then n0994 1 min" in text
    assert "\nand 5 more\n" in text
    assert text.endswith("\n  and 7 more\n")
    page = shown("forecast", found)
    assert "<td>5 more</td>" in page
    assert "<td>7 more</td>" in page
    assert f"<p>The chart shows {TASKS} of {TASKS + 5} tasks.</p>" in page


def test_a_long_order_and_a_long_chain_are_cut_and_counted() -> None:
    nodes: list[dict[str, Any]] = [
        {"node_id": f"n{n:04}", "depends_on": [f"n{n - 1:04}"] if n else []} for n in range(TASKS + 5)
    ]
    nodes.append({"node_id": "z", "priority": 5, "depends_on": [f"n{n:04}" for n in range(6)]})
    found = build_forecast(answer_to({"graphs": [{"graph_id": "g", "nodes": nodes}]}))
    text = shown("forecast", found, "text")
    assert f"{TASKS + 6} tasks; the longest chain has {TASKS + 5}. Nobody estimated any of them" in text
    assert "  longest chain: ... -> n1002 -> n1003 -> n1004\n" in text
    assert "\nand 6 more\n* on the longest chain\n" in text
    assert "n0000, n0001, n0002, n0003 and 2 more\n" in text
    assert "<td>6 more</td>" in shown("forecast", found)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_plan_fits_the_screen(width: int) -> None:
    """Only an id, and the first twenty columns of a title, may be too long for it."""
    nodes = [
        {
            "node_id": f"n{n}",
            "title": "Something that takes a long title to say",
            "depends_on": [f"n{n - 1}"] if n else [],
        }
        for n in range(9)
    ]
    for size in ({}, {"estimated_minutes": 60}):
        graph = {"graph_id": "g", "nodes": [{**node, **size} for node in nodes]}
        text = plan_text.render(build_forecast(answer_to({"graphs": [graph]})), Screen(width=width))
        assert max(map(len, text.splitlines())) <= width
        assert size or ("after n1" in text and "size" not in text)


@pytest.mark.heavy
def test_a_thousand_tasks_of_many_agents_are_forecast_in_time() -> None:
    """Within a time that only a step over all tasks for each of them would exceed."""
    nodes: list[dict[str, Any]] = [
        {"node_id": f"n{n:05}", "repository": f"o/r{n % 9}", "agent_id": f"a{n % 7}", "estimated_minutes": 1 + n % 50,
         "depends_on": [f"n{n - 13:05}"] if n >= 13 else []}
        for n in range(20_000)
    ]  # fmt: skip
    scene = {"graphs": [{"graph_id": "g", "nodes": nodes}], "policy": {"version": 1, "limits": {"per_repository": 4}}}
    found = build_forecast(answer_to(scene), limit=8)
    assert found["counts"]["tasks"] == 20_000


def test_a_chart_names_as_many_graphs_as_there_is_room_for() -> None:
    graphs = [
        {"graph_id": f"a-rather-long-name-{n:02}", "nodes": [{"node_id": f"n{n}", "estimated_minutes": 5}]}
        for n in range(12)
    ]
    found = build_forecast(answer_to({"graphs": graphs}), limit=150)
    page = shown("forecast", found)
    assert "a-rather-long-name-03</text>" in page
    assert "a-rather-long-name-11</text>" not in page
    assert "a-rather-long-name-11/n11" in page


@pytest.mark.parametrize(
    ("minutes", "ticks"),
    [
        (0.5, "now"),
        (7, "7 min"),
        (95, "90 min"),
        (100, "100 min"),
        (1_000, "16 h"),
        (4_000, "60 h"),
        (20_000, "12 days"),
        (90_000, "60 days"),
    ],
)
def test_a_chart_has_a_few_round_ticks(minutes: float, ticks: str) -> None:
    graph = {"graph_id": "g", "nodes": [{"node_id": "a", "estimated_minutes": minutes}]}
    page = shown("forecast", build_forecast(answer_to({"graphs": [graph]})))
    numbers = [part.partition("<")[0] for part in page.split('y="12" text-anchor=')[1:]]
    assert numbers[-1].partition(">")[2] == ticks
    assert len(numbers) <= 11


def test_pages_count_what_they_leave_out() -> None:
    nodes: list[dict[str, Any]] = [{"node_id": f"n{n:02}", "agent_id": "bob"} for n in range(60)]
    nodes += [{"node_id": f"m{n:02}"} for n in range(60)]
    nodes += [{"node_id": f"w{n:02}", "depends_on": ["n00", "x00"]} for n in range(9)]
    wrong = [{"node_id": f"x{n:02}", "colour": 1, "status": "completed"} for n in range(25)]
    graph = {"graph_id": "g", "nodes": [*nodes, *wrong]}
    answer = answer_to({"graphs": [graph], "request": {"agents": ["ann"]}})
    page = shown("decision", build_next(answer))
    assert "<td>11 more</td>" in page
    assert "<td>10 more</td>" in page
    assert "<code>w03</code>, 5 more" in page
    page = shown("status", build_status(answer, sources=(), log_rows=()))
    assert "<td>11 more</td>" in page
    assert "<td>59 more</td>" in page
    problems = [{**row, "hint": ""} for row in build_next(answer)["problems"]]
    page = shown("decision", {**build_next(answer), "problems": problems * 21})
    assert "<li>1 more</li>" in page


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([], "<h1>Nothing to schedule: the task files hold no tasks</h1>"),
        ([{"node_id": "a", "status": "completed"}], "<h1>All done: 1 completed, none open</h1>"),
        ([{"node_id": "a", "depends_on": ["b"]}], "<h1>Stuck: 1 open task, none can ever become ready</h1>"),
        (
            [{"node_id": "a", "foreign": {"deferred_until": "2026-12-01"}}],
            "<p>The next task can start at 2026-12-01T00:00:00Z; time used: 2026-11-03T12:00:00Z (the",
        ),
        ([{"node_id": "a", "status": "running", "agent_id": "ann"}], ">ann</td>"),
        ([{"node_id": "a"}], ">score</th>"),
    ],
)
def test_a_page_says_why_nothing_comes_next(nodes: list[dict[str, Any]], words: str) -> None:
    scene = {"graphs": [{"graph_id": "g", "nodes": nodes}], "now": "2026-11-03T12:00:00Z"}
    assert words in shown("decision", build_next(answer_to(scene)))


def test_a_what_if_is_said() -> None:
    scene = {"graphs": [{"graph_id": "g", "nodes": [{"node_id": "a"}]}], "request": {"assumed_done": ["g/b", "g/c"]}}
    answer = answer_to(scene)
    assert "<p>What if: g/b, g/c completed.</p>" in shown("decision", build_next(answer))
    assert "<p>What if: g/b, g/c completed.</p>" in shown("forecast", build_forecast(answer))
    assert shown("forecast", build_forecast(answer), "text").endswith("what if: g/b, g/c were completed\n")


def test_pages_show_what_may_be_published() -> None:
    """Titles and repositories as the policy lets them out, in charts and reasons too; ids always."""
    nodes = [
        {"node_id": "a", "title": "Secret plan", "repository": "o/secret", "estimated_minutes": 90},
        {"node_id": "b", "title": "Secret plan", "repository": "o/secret"},
        {"node_id": "c", "status": "blocked", "blocker_reason": "a secret", "estimated_minutes": 9},
    ]
    scene: dict[str, Any] = {
        "graphs": [{"graph_id": "g", "nodes": nodes}],
        "policy": {"version": 1, "publish": {"titles": False, "repositories": "own"}},
        "signals": {"merge_queue": {"o/secret": 5}},
        "request": {"own_repository": "o/own"},
    }
    answer = answer_to(scene)
    kinds: dict[str, Mapping[str, Any]] = {
        "decision": build_next(answer),
        "status": build_status(answer, sources=(), log_rows=()),
        "forecast": build_forecast(answer),
    }
    for kind, record in kinds.items():
        page = shown(kind, record)
        assert "ecret" not in page, kind
        assert "<code>a</code>" in page


def test_files_without_tasks_are_not_the_same_as_no_files() -> None:
    found = build_forecast(answer_to({"graphs": []}))
    assert shown("forecast", found, "text").startswith("nothing to schedule: no task files here\n  looked for ")
    found["basis"]["inputs"] = [{"path": "tasks.yml", "object_id": "1" * 40}]
    assert shown("forecast", found, "text") == "nothing to schedule: the task files hold no tasks\n"
    assert "<h1>Nothing to schedule: the task files hold no tasks</h1>" in shown("forecast", found)
