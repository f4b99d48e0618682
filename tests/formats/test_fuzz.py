"""Damaged task files give an answer or problems with a place, never an exception."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from formats.foreign import Reading, files_of, read
from git_sched.model.problems import CODES
from sandbox import SHARED

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.heavy

OWN = sorted(path.parent for path in (Path(__file__).parent / "cases").glob("*/*/repo"))
REAL = sorted(path.parent for path in (SHARED / "real-files").glob("*/repo"))
ROUNDS: Final = {"cases": 12, "real-files": 50}

ODD: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1.10, 1e308, 10**30, float("nan"),
    "", " ", "\x00", "a" * 300, "../..", "ä/ö", "1", "01", "no", "\ud7ff\u202e", "<!-- -->",
    "2026-02-30", "9999-12-31T23:59:59+00:00",
    [], [[]], [None], {}, {"id": {}}, [1, "1", 1.0],
)  # fmt: skip
"""Values of every kind that stand where another was."""


def sound(reading: Reading) -> None:
    """Check what holds of any reading."""
    for problem in reading.problems:
        assert problem.code in CODES
        assert problem.message
        assert problem.line is None or problem.line > 0
    for node in reading.network.nodes:
        assert type(node.node_id) is str
        assert type(node.status) is str
        assert type(node.priority) is int
        assert all(type(text) is str for text in (*node.depends_on, *node.labels, node.title))


def cut(data: bytes, dice: random.Random) -> bytes:
    """End a file at any byte."""
    return data[: dice.randrange(len(data) + 1)]


def lines(data: bytes, dice: random.Random) -> bytes:
    """Double, delete or swap some lines."""
    found = data.split(b"\n")
    for _ in range(dice.randint(1, 6)):
        here, there = dice.randrange(len(found)), dice.randrange(len(found))
        match dice.randrange(3):
            case 0:
                found.insert(there, found[here])
            case 1 if len(found) > 1:
                del found[here]
            case _:
                found[here], found[there] = found[there], found[here]
    return b"\n".join(found)


def values(data: bytes, dice: random.Random) -> bytes:
    """Put values of other kinds in the place of some, in JSON, in JSON Lines, or after the colons of front matter."""
    text = data.decode(errors="replace")
    try:
        return json.dumps(changed(json.loads(text), dice)).encode()
    except ValueError:
        pass
    rows = text.split("\n")
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(rows))
        try:
            rows[at] = json.dumps(changed(json.loads(rows[at]), dice))
        except ValueError:
            odd = json.dumps(dice.choice(ODD)) if dice.random() < 0.5 else str(dice.choice(ODD))
            if found := re.search(r": |- |\[", rows[at]):
                rows[at] = rows[at][: found.end()] + odd
    return "\n".join(rows).encode(errors="replace")


def changed(value: Any, dice: random.Random) -> Any:  # noqa: ANN401 - JSON of any kind
    """Replace one value somewhere inside another."""
    if dice.random() < 0.05 or not isinstance(value, dict | list) or not value:
        return dice.choice(ODD)
    key = dice.choice(list(value)) if isinstance(value, dict) else dice.randrange(len(value))
    value[key] = changed(value[key], dice)
    return value


def noise(data: bytes, dice: random.Random) -> bytes:
    """Overwrite some bytes with any others."""
    found = bytearray(data or b" ")
    for _ in range(dice.randint(1, 5)):
        found[dice.randrange(len(found))] = dice.choice(b"\x00\xff\"'{}[]:,-#`<>\n\r \t019aT*~&!|")
    return bytes(found)


@pytest.mark.parametrize("damage", [cut, lines, values, noise], ids=lambda way: way.__name__)
@pytest.mark.parametrize("folder", [*OWN, *REAL], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_damage(folder: Path, damage: Callable[[bytes, random.Random], bytes]) -> None:
    files = files_of(folder / "repo")
    dice = random.Random(f"{folder.name} {damage.__name__}")  # noqa: S311 - repeatable on purpose
    for _ in range(ROUNDS.get(folder.parent.name, ROUNDS["cases"])):
        name = dice.choice(sorted(files))
        sound(read({**files, name: damage(files[name], dice)}))


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_values_at_the_root(odd: object) -> None:
    text = json.dumps(odd, allow_nan=True)
    places = (
        ".taskmaster/tasks/tasks.json", "tasks/tasks.json", ".beads/issues.jsonl", ".beads/metadata.json",
        ".beads/config.yaml", "backlog/config.yml", "backlog.config.yml", "backlog/tasks/task-1 - a.md",
        "specs/a/tasks.md", ".kiro/specs/a/tasks.md",
    )  # fmt: skip
    for place in places:
        for content in (text, f"---\n{text}\n---\n", f'{{"master": {{"tasks": {text}}}}}', f'{{"tags": {text}}}'):
            sound(read({place: content.encode(errors="replace")}))


def test_long_lists_stay_linear() -> None:
    rows = "".join(f"- [ ] T{n} [P] x\n" for n in range(20_000))
    reading = read({"specs/a/tasks.md": f"## Phase 1\n{rows}## Phase 2\n- [ ] T99999 x\n".encode()})
    assert sum(len(needs) for needs in reading.network.needs) < 20_000 * 3
    deep = "".join(f"- [ ] {'.'.join('1' * n)} x\n" for n in range(1, 99))
    sound(read({".kiro/specs/a/tasks.md": deep.encode()}))
