"""Many tasks, dependencies, files or graphs: four times as many cost every command about four times the CPU."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from cost import grow
from sandbox import ask, commit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

GRAPHS: Final = ".metagit/tasks/graphs"
MOST: Final = 8

Files = dict[str, str]


def native(*nodes: dict[str, Any], name: str = "g") -> Files:
    return {f"{GRAPHS}/{name}.json": json.dumps({"graph_id": name, "nodes": nodes})}


def rows(size: int, **keys: object) -> list[dict[str, Any]]:
    return [{"node_id": f"n{i}", **keys} for i in range(size)]


def open_needs(size: int) -> Files:
    return native({"node_id": "x", "depends_on": [f"n{i}" for i in range(size)]}, *rows(size))


def unknown_needs(size: int) -> Files:
    return native({"node_id": "x", "depends_on": [f"q{i}" for i in range(size)]}, *rows(2))


def dependents(size: int) -> Files:
    return native({"node_id": "x"}, *rows(size, depends_on=["x"]))


def chain(size: int) -> Files:
    return native({"node_id": "x"}, *({"node_id": f"n{i}", "depends_on": [f"n{i + 1}"]} for i in range(size)))


def cycle(size: int) -> Files:
    return native({"node_id": "x"}, *({"node_id": f"n{i}", "depends_on": [f"n{(i + 1) % size}"]} for i in range(size)))


def one_id(size: int) -> Files:
    return native({"node_id": "x"}, *({"node_id": "n"} for _ in range(size)))


def graphs(size: int) -> Files:
    found = [native({"node_id": "x" if i == 0 else "n"}, name=f"g{i}") for i in range(size // 8)]
    return {path: text for one in found for path, text in one.items()}


def broken_files(size: int) -> Files:
    return native({"node_id": "x"}) | {f"{GRAPHS}/b{i}.json": "{" for i in range(size // 8)}


def lists(size: int) -> Files:
    return native({"node_id": "x"}) | {f"specs/{i:05}-a/tasks.md": f"- [ ] T{i:05} a\n" for i in range(size // 8)}


def parts_of_one_that_waits(size: int) -> Files:
    parts = [{"id": i, "title": "a", "status": "pending"} for i in range(1, size)]
    others = [{"id": i, "title": "a", "status": "pending"} for i in range(2, size)]
    whole = {"id": "x", "title": "a", "dependencies": list(range(2, size)), "subtasks": parts}
    return {".taskmaster/tasks/tasks.json": json.dumps({"master": {"tasks": [whole, *others]}})}


def tags_with_a_problem_each(size: int) -> Files:
    row = {"title": "a", "status": "pending", "dependencies": [9]}
    tags = {f"t{i}": {"tasks": [{"id": "x" if i == 0 else 1, **row}]} for i in range(size // 4)}
    return {".taskmaster/tasks/tasks.json": json.dumps(tags)}


def wrong_items_in_one_line(size: int) -> Files:
    row = {"id": "x", "title": "a", "status": "open", "dependencies": [{"type": "blocks"}] * size}
    return {".beads/issues.jsonl": json.dumps(row) + "\n"}


def boxes(size: int) -> Files:
    lines = [f"- [ ] {i} a\n  - _Depends: {i + 1}_\n" for i in range(1, size)]
    return {".kiro/specs/a/tasks.md": "".join(lines)} | native({"node_id": "x"})


SHAPES: Final[Mapping[str, Callable[[int], Files]]] = {
    shape.__name__: shape
    for shape in (
        open_needs, unknown_needs, dependents, chain, cycle, one_id, graphs, broken_files, lists,
        parts_of_one_that_waits, tags_with_a_problem_each, wrong_items_in_one_line, boxes,
    )
}  # fmt: skip

QUICK: Final = (("status", "--all"), ("explain", "x"), ("check",))
ALL: Final = (
    ("next",),
    ("next", "--json", "--limit", "20"),
    ("next", "--format", "markdown"),
    ("status",),
    ("status", "--format", "html"),
    ("plan",),
    ("plan", "--format", "html"),
    ("plan", "--format", "mermaid"),
    ("explain", "nobody-is-called-this"),
    ("check", "--all"),
    ("diff", "HEAD"),
    ("next", "--rev", "HEAD"),
    ("take", "x"),
)


def grown(tmp_path: Path, shape: str, commands: tuple[tuple[str, ...], ...], few: int) -> dict[str, float]:
    """Return the commands whose cost grows faster than it may, with the ratio of each."""
    places = {size: commit(tmp_path / str(size), SHAPES[shape](size)) for size in (few, 4 * few)}
    for folder in places.values():
        ask(folder, *commands[0])  # imports and caches
    ratios = {
        " ".join(words): grow(lambda size, words=words: ask(places[size], *words), few, 4 * few, most=MOST)  # type: ignore[misc]
        for words in commands
    }
    return {words: round(ratio, 1) for words, ratio in ratios.items() if ratio > MOST}


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_as_many_cost_about_four_times_the_cpu(shape: str, tmp_path: Path) -> None:
    assert grown(tmp_path, shape, QUICK, 600) == {}


@pytest.mark.heavy
@pytest.mark.parametrize("shape", SHAPES)
def test_no_command_costs_more(shape: str, tmp_path: Path) -> None:
    assert grown(tmp_path, shape, ALL, 800) == {}
