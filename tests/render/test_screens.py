"""The answers as a terminal shows them: at three widths, in a pipe, with and without color."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_sched.model.screen import Screen
from git_sched.render import ON_SCREEN, renderer
from git_sched.render.layout import clean, format_points, round_points, round_rows
from git_sched.render.terminal import PIPE, cut, measure, pad, wrap
from git_sched.report.explain import build_explanation
from git_sched.report.next import build_next
from git_sched.report.status import EVERYTHING, build_status
from properties.strategies import scenes
from render.test_golden import answer, prepare
from sandbox import ask
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scenes import Scene

GOLDEN: Final = Path(__file__).parents[1] / "golden-screens"
WIDTHS: Final = (60, 80, 120)
COMMANDS: Final = {
    "next": "next",
    "next-numbers": "next -v",
    "next-for-two": "next --agent agent-1 --agent agent-2",
    "status": "status",
    "status-all": "status --all -v",
    "explain-ready": "explain api-contract",
    "explain-blocked": "explain search-box",
    "explain-held": "explain receipt-pdf",
    "check": "check",
}
ESCAPES: Final = re.compile(r"\x1b\[[0-9]+m")
LOOK: Final = {
    "next": """
        hotfixes/login-loop  Stop the login redirect loop
        Why: agent-1 already has shop/web checked out, and it takes only 25 min.
        .metagit/tasks/graphs/hotfixes.yml:4 · repository shop/web · 25 min · unassigned
        Next in line
        checkout/api-contract  Agree on the checkout API contract  shop/api     45 min
        search/index-schema    Design the index schema             shop/search  60 min
        hotfixes/rotate-keys   Rotate the signing keys             shop/infra   30 min  4 merges are queued there
        Held
        hotfixes/receipt-pdf   Attach the receipt as a PDF         same files as hotfixes/tz-receipts, which is running
        14 open: 4 ready, 1 held, 1 running, 8 blocked. The numbers: git sched explain hotfixes/login-loop
        1 error, 1 warning in the task files: git sched check""",
    "next --agent agent-1 --agent agent-2": """
        agent-1  hotfixes/login-loop  Stop the login redirect loop
        Why: agent-1 already has shop/web checked out, and it takes only 25 min.
        agent-2  checkout/api-contract  Agree on the checkout API contract""",
    "next --limit 3 -q": """
        hotfixes/login-loop
        checkout/api-contract
        search/index-schema""",
    "status": """
        Ready
        hotfixes/login-loop    Stop the login redirect loop        shop/web     25 min  next
        checkout/api-contract  Agree on the checkout API contract  shop/api     45 min
        search/index-schema    Design the index schema             shop/search  60 min
        hotfixes/rotate-keys   Rotate the signing keys             shop/infra   30 min  4 merges are queued there
        Held
        hotfixes/receipt-pdf   Attach the receipt as a PDF         shop/pay     40 min  same files as hotfixes/tz-receipts, which is running
        Running
        hotfixes/tz-receipts   Print receipts in the customer's time zone  shop/pay  15 min
        Blocked: 7 wait for other tasks, 1 for a task that does not exist (search/synonyms). All of them: --all
        14 open: 4 ready, 1 held, 1 running, 8 blocked; 5 h on the longest path, 14 h 15 min of work left
        worktrees: 1 active (.metagit/worktrees/worktrees.json) · merge queue: shop/infra 4, others 0 (.metagit/merges) · no decisions recorded yet""",
    "explain api-contract": """
        checkout/api-contract  Agree on the checkout API contract
        ready, second of 4: 3.114, behind hotfixes/login-loop (4.083)
        .metagit/tasks/graphs/checkout.yml:4 · repository shop/api (nobody has it checked out) · 45 min · unassigned
        urgency      2.0 x 1.0000 =  2.000   checkout/release-notes has priority 3 and waits for it, 3 steps on
        criticality  1.0 x 0.8500 =  0.850   4 h 15 min of 5 h: checkout/api-contract 45 min, checkout/cart-page 2 h, search/search-box 90 min
        affinity     1.5 x 0.0000 =  0.000   nobody has shop/api checked out
        payoff       0.5 x 0.5270 =  0.264   weight 4 in 45 min
        score    3.114
        It would come first if somebody had shop/api checked out (+1.500).
        6 tasks wait for it: 2 directly (checkout/cart-page, checkout/pay-client), 4 later.""",
    "explain search-box": """
        search/search-box  Search as you type
        blocked: it waits for 2 tasks
        .metagit/tasks/graphs/search.yml:15 · repository shop/web · 90 min · unassigned
        search/reindex-job   Rebuild the index every night            waits for search/index-schema (ready, third of 4)
        checkout/cart-page   Rebuild the cart page on the new API     waits for checkout/api-contract (ready, second of 4)
        4 tasks to go: 3 h 30 min with two agents, 6 h 15 min with one""",
    "explain receipt-pdf": """
        hotfixes/receipt-pdf  Attach the receipt as a PDF
        held (it would score 0.998)
        it touches src/receipts/**, and so does hotfixes/tz-receipts, which is running: src/receipts/time.py
        It is free again when hotfixes/tz-receipts is no longer running.""",
    "explain checkout": """
        error: no node is called checkout; it is a graph with 6 nodes
        hint: git sched status --graph-id checkout""",
    "check": """
        .metagit/tasks/graphs/hotfixes.yml:14:5: warning: hotfixes/rotate-keys has an unknown key lables [unknown-key]
        did you mean labels?
        .metagit/tasks/graphs/search.yml:27:18: error: search/synonyms depends on serch-box, which no graph has [unknown-dependency]
        did you mean search-box? Fix this to unblock synonyms; other tasks are not affected.
        3 graphs, 14 nodes, 1 policy: 1 error, 1 warning""",
}
"""What people are promised to see, spacing aside."""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Give the record behind each command, of the workspace in ``docs/example``."""
    folder = prepare("example", tmp_path_factory.mktemp("example"))
    return {name: answer(folder, *words.replace(" -v", "").split()) for name, words in COMMANDS.items()}


def show(found: Mapping[str, Any], screen: Screen) -> str:
    """Render a record for a screen."""
    return renderer(str(found["kind"]), "text")(found, screen)


def squeeze(text: str) -> str:
    """Leave the words, without what separates them."""
    return " ".join(text.replace("·", " ").split())


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_shows_what_the_golden_file_holds(
    records: dict[str, dict[str, Any]], name: str, width: int, *, update_golden: bool
) -> None:
    """The same words with and without color, and no line wider than the screen but for ids and paths."""
    screen = Screen(width, utf8=True, verbose=COMMANDS[name].endswith("-v"))
    text = show(records[name], screen)
    golden = GOLDEN / f"{name}-{width}.txt"
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
    painted = show(records[name], screen._replace(color=True))
    assert painted != text
    assert ESCAPES.sub("", painted) == text
    if name != "check":  # its first lines are for editors, which expect each in one piece
        assert all(measure(line) <= width for line in text.splitlines())


def test_every_golden_file_is_compared() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == {f"{name}-{width}" for name in COMMANDS for width in WIDTHS}


@pytest.mark.parametrize("words", LOOK)
def test_every_line_of_the_look_comes_out(words: str, tmp_path: Path) -> None:
    said = ask(prepare("example", tmp_path), *words.split())
    lines = {squeeze(line) for line in said.text.splitlines()}
    for line in LOOK[words].strip().splitlines():
        assert squeeze(line) in lines


@pytest.mark.parametrize("name", [name for name, words in COMMANDS.items() if words in LOOK])
def test_every_line_of_the_look_is_on_a_wide_terminal(records: dict[str, dict[str, Any]], name: str) -> None:
    beside = ("14 open: 4 ready, 1 held, 1 running, 8 blocked. The numbers", "1 error, 1 warning in the task files")
    shown = squeeze(show(records[name], Screen(120, utf8=True)))
    for line in LOOK[COMMANDS[name]].strip().splitlines():
        assert line.strip().startswith(beside) or squeeze(line) in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_a_pipe_without_utf8_gets_ascii(records: dict[str, dict[str, Any]], name: str) -> None:
    text = show(records[name], PIPE)
    assert text.isascii()
    assert squeeze(text).replace(",", "") == squeeze(show(records[name], Screen(utf8=True))).replace(",", "")


# The law of titles and reasons


def titled(scene: Scene) -> Scene:
    """Give every task a title of its own."""
    for graph in scene["graphs"]:
        for node in graph["nodes"]:
            node["title"] = f"Do {node['node_id']} of {graph['graph_id']}"
    return scene


def answers(scene: Scene) -> Iterator[Mapping[str, Any]]:
    """Give every record whose text has rows of tasks."""
    found = answer_to(scene)
    yield build_next(found)
    yield build_status(found, sources=(), log_rows=(),
                       selection={**EVERYTHING, "states": ["ready", "held", "running", "blocked"]})  # fmt: skip
    for node in found.metrics.network.nodes:
        yield build_explanation(found, node.name)


def reasons(found: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Give graph, node and the reason of every task that a record gives one for."""
    for key in ("held", "blocked_tasks"):
        rows = found.get(key) or []
        for row in rows if isinstance(rows, list) else []:
            yield row["graph_id"], row["node_id"], row["why"]


@given(scenes().map(titled))
def test_a_task_with_a_row_of_its_own_has_its_title_and_its_reason_there(scene: Scene) -> None:
    names = {f"{g['graph_id']}/{n['node_id']}": n["title"] for g in scene["graphs"] for n in g["nodes"]}
    for found in answers(scene):
        short = {name if found["qualified"] else name.partition("/")[2]: name for name in names}
        for screen in (PIPE, Screen(70, color=True, utf8=True)):
            lines = [ESCAPES.sub("", line) for line in show(found, screen).splitlines()]
            for line in lines:
                first = line.split(maxsplit=1)[:1]
                if first and first[0] in short and len(short) == len(names):
                    assert names[short[first[0]]] in line
            if found["kind"] == "status":
                for graph_id, node_id, why in reasons(found):
                    title = names[f"{graph_id}/{node_id}"]
                    [row] = [n for n, line in enumerate(lines) if title in line]
                    assert squeeze(clean(why)) in squeeze(" ".join(lines[row : row + 20]))


# Numbers as printed


@given(st.lists(st.integers(-10_000_000, 10_000_000) | st.integers(-9_000, 9_000).map(lambda n: 1000 * n), max_size=8))
def test_rounded_rows_add_up_to_the_rounded_sum(millionths: list[int]) -> None:
    """Exact rows are never touched, and no row is a thousandth off what it really is."""
    rows, total = [m / 1e6 for m in millionths], sum(millionths) / 1e6
    rounded = round_rows(rows, total)
    assert sum(round_points(value) for value in rounded) == round_points(total)
    for exact, value in zip(millionths, rounded, strict=True):
        assert abs(round(value * 1e6) - exact) < (1000 if exact % 1000 else 1)


def test_rows_of_another_sum_are_left_alone() -> None:
    assert round_rows([1.0, 0.5004], 9.0) == [1.0, 0.5]


def test_nothing_is_below_zero_by_its_sign_alone() -> None:
    assert [format_points(value) for value in (-0.0002, -0.0, 1.23456)] == ["0.000", "0.000", "1.235"]


# Columns


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("ａ", 2), ("é", 1)])
def test_wide_characters_take_two_columns(text: str, columns: int) -> None:
    assert measure(text) == columns
    assert measure(pad(text, 6)) == 6


def test_what_is_cut_ends_in_three_dots_within_its_width() -> None:
    assert cut("日本語日本語", 8) == "日本..."
    assert cut("abc", 3) == "abc"


def test_a_word_is_never_cut() -> None:
    assert wrap("a/very/long/path is here", Screen(8), first="  ", rest="    ") == [
        "  a/very/long/path",
        "    is",
        "    here",
    ]


def test_every_text_that_is_laid_out_for_a_screen_says_so() -> None:
    assert {"decision", "status", "explanation", "check", "policy", "verification"} <= ON_SCREEN
