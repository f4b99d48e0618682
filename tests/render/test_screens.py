"""The answers as a terminal shows them: at three widths, in a pipe, with and without color."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_sched.model.screen import Screen
from git_sched.render import ON_SCREEN, renderer
from git_sched.render.layout import clean, format_points, round_points, round_rows
from git_sched.render.terminal import PIPE, cut, measure, pad, wrap
from git_sched.render.text.table import lay_out
from git_sched.report.explain import build_explanation
from git_sched.report.next import build_next
from git_sched.report.status import STATES, build_status, select_tasks
from properties.strategies import scenes
from render.test_golden import answer, prepare
from sandbox import ask
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scenes import Scene

TESTS: Final = Path(__file__).parents[1]
GOLDEN: Final = TESTS / "golden-screens"
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
    block.splitlines()[0]: block.strip().splitlines()[1:]
    for block in (TESTS / "look.txt").read_text(encoding="utf-8").split("$ git sched ")[1:]
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
    for line in LOOK[words]:
        assert squeeze(line) in lines


@pytest.mark.parametrize("name", [name for name, words in COMMANDS.items() if words in LOOK])
def test_every_line_of_the_look_is_on_a_wide_terminal(records: dict[str, dict[str, Any]], name: str) -> None:
    beside = ("14 open: 4 ready, 1 held, 1 running, 8 blocked. The numbers", "1 error, 1 warning in the task files")
    shown = squeeze(show(records[name], Screen(120, utf8=True)))
    for line in LOOK[COMMANDS[name]]:
        assert line.startswith(beside) or squeeze(line) in shown


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
                       selection=select_tasks(STATES))  # fmt: skip
    for node in found.metrics.network.nodes:
        yield build_explanation(found, node.name)


def reasons(found: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Give graph, node and the reason of every task that a record gives one for."""
    for key in ("held", "blocked_tasks"):
        rows = found.get(key) or []
        for row in rows if isinstance(rows, list) else []:
            yield row["graph_id"], row["node_id"], row["why"]


@settings(max_examples=25)
@given(scenes().map(titled))
def test_a_task_with_a_row_of_its_own_has_its_title_and_its_reason_there(scene: Scene) -> None:
    names = {f"{g['graph_id']}/{n['node_id']}": n["title"] for g in scene["graphs"] for n in g["nodes"]}
    for found in answers(scene):
        short = {(name if found["qualified"] else name.partition("/")[2]): title for name, title in names.items()}
        for line in show(found, PIPE).splitlines() if len(short) == len(names) else ():
            words = line.split(maxsplit=1)
            assert not words or short.get(words[0], "") in line
        for screen in (PIPE, Screen(70, color=True, utf8=True)) if found["kind"] == "status" else ():
            lines = [ESCAPES.sub("", line) for line in show(found, screen).splitlines()]
            for graph_id, node_id, why in reasons(found):
                [row] = [n for n, line in enumerate(lines) if names[f"{graph_id}/{node_id}"] in line]
                assert squeeze(clean(why)) in squeeze(" ".join(lines[row : row + 9]))


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


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("\uff41", 2), ("é", 1)])
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


def test_a_table_without_rows_has_no_lines() -> None:
    """A record that somebody edited may say that tasks wait, and list none."""
    assert lay_out([], Screen(40), indent="  ") == []


def test_a_selection_that_no_open_task_is_in_says_so() -> None:
    answer = answer_to({"graphs": [{"graph_id": "g", "nodes": [{"node_id": "a"}]}]})
    record = build_status(answer, sources=(), log_rows=(), selection=select_tasks(labels=["bug"]))
    assert show(record, PIPE).startswith("no open task is like that\n")
