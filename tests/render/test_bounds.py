"""However large a workspace is, what is published fits where it is published, and says how much was left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import judges
from git_sched.decide.pipeline import decide
from git_sched.model.basis import Basis
from git_sched.model.graph import Graph, Node, Place
from git_sched.model.inputs import Inputs
from git_sched.model.policy import Policy
from git_sched.model.request import Request
from git_sched.model.signals import Signals
from git_sched.render import renderer
from git_sched.render.markdown import comment, mermaid, summary
from git_sched.render.markdown.escape import count_utf16
from git_sched.report.diff import build_comparison
from git_sched.report.next import build_next

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer

COMPARED: record.ComparedRecord = {
    "base": "1" * 40, "revision": "2" * 40, "head": "2" * 40, "requested": "HEAD^", "workspace": "", "now": None,
    "now_source": "unknown",
}  # fmt: skip


def large(size: int, *, done: int = 0) -> Answer:
    """Decide on tasks with the longest ids and wide titles: a third in one chain, the others ready."""
    tail = "x" * 190
    nodes = [
        Node(
            "g",
            f"n{i:06d}{tail}",
            i,
            title="\U0001f468" * 300,
            status="completed" if i < done else "pending",
            depends_on=(f"n{i - 3:06d}{tail}",) if i % 3 == 0 and i else (),
            repository="o/" + "r" * 100,
        )
        for i in range(size)
    ]
    graph = Graph("g", "g.json", "native", lambda spots: dict.fromkeys(spots, Place("g.json")), tuple(nodes))
    inputs = Inputs((graph,), Policy(), Signals(), Basis(revision="2" * 40))
    return decide(inputs, Request(limit=300))


@pytest.mark.parametrize("size", [1, 10, 1_000, pytest.param(100_000, marks=pytest.mark.heavy)])
def test_everything_fits(size: int) -> None:
    answer = large(size)
    found = build_next(answer)
    text = summary.render(found)
    assert len(text.encode()) <= 1_000_000
    judges.check_markdown(text)
    judges.check_mermaid(mermaid.render(found))
    rows = json.loads(renderer("decision", "matrix")(found))["include"]
    assert len(rows) == min(256, len(answer.choice.picks))
    told = judges.outputs(renderer("decision", "outputs")(found))
    assert len(told["next-json"]) < 65_536
    if size > 1_000:
        shown = sum(line.startswith("| ") and "`n0" in line for line in text.split("<details>")[0].splitlines())
        assert f"{found['counts']['ready'] - shown} more" in text


@pytest.mark.parametrize("size", [10, pytest.param(100_000, marks=pytest.mark.heavy)])
def test_a_comment_fits(size: int) -> None:
    found = build_comparison(
        large(size), large(size, done=size // 2), by_base_policy=None, compared=COMPARED, missing=""
    )
    text = comment.render(found)
    assert count_utf16(text) <= 65_000
    judges.check_markdown(text)
    if size > 1_000:
        assert "49950 more" in text or "49990 more" in text


def test_steps_get_smaller_until_the_text_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """With less room the drawing goes first, then rows; whole rows, with their number."""
    found = build_next(large(13))
    texts = []
    whole = len(summary.render(found).encode())
    for limit in (whole, whole - 1, whole // 2, whole // 4, 1):
        monkeypatch.setattr(summary, "LIMIT", limit)
        texts.append(summary.render(found))
    assert [len(text) for text in texts] == sorted((len(text) for text in texts), reverse=True)
    assert "```mermaid" in texts[0]
    assert "```mermaid" not in texts[1]
    for text in texts:
        judges.check_markdown(text)
    assert [text.partition("<details>")[0].count("\n| ") for text in texts] == [10, 10, 2, 2, 2]
    assert "| 9 more |" in texts[-1]


@pytest.mark.parametrize(
    ("shape", "direction"),
    [([(0, 1), (1, 2)], "LR"), ([(n, n + 1) for n in range(9)], "TB"),
     ([(n, n + 1) for n in range(9)] + [(0, n) for n in range(10, 17)], ""), ([(n, n + 1) for n in range(30)], "TB")],
)  # fmt: skip
def test_a_drawing_is_there_only_where_it_can_be_read(shape: list[tuple[int, int]], direction: str) -> None:
    """At most five tasks beside each other, and in a summary at most twenty in all."""
    size = max(max(edge) for edge in shape) + 1
    view: record.ViewRecord = {
        "nodes": [
            {"graph_id": "g", "node_id": f"n{n}", "title": "", "state": "ready", "minutes": None} for n in range(size)
        ],
        "edges": [{"start": start, "end": end, "longest": False} for start, end in shape],
        "more": 0,
        "longest_path": [],
    }
    assert mermaid.choose_direction(view) == direction
    text = summary.render({**build_next(large(1)), "view": view})
    assert ("```mermaid" in text) is (bool(direction) and size <= 20)
    judges.check_markdown(text)


def test_annotations_are_ten_of_a_kind() -> None:
    problems: list[Any] = [
        {"severity": severity, "code": "c", "message": "m", "path": "p", "line": n, "column": 1, "hint": ""}
        for severity in ("error", "warning")
        for n in range(25)
    ]
    found: Any = {**build_next(large(1)), "problems": problems}
    obeyed = list(judges.commands(renderer("decision", "github")(found)))
    assert [sum(c.name == name for c in obeyed) for name in ("error", "warning")] == [10, 10]
    assert obeyed[9].data.startswith("16 more")
