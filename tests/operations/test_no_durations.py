"""Where nobody estimated anything, no command in any format gives a task, a chain or a total a duration."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any, Final

import pytest

from git_sched.cli.main import COMMANDS
from git_sched.operations import OPERATIONS
from git_sched.render import RENDERERS
from sandbox import ask, commit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORDS: Final = {
    "decision": "next --limit 2", "status": "status --all", "forecast": "plan --limit 2", "explanation": "explain g/a",
    "comparison": "diff HEAD^", "check": "check", "policy": "policy show", "verification": "verify",
    "release": "release g/a --agent ann",
}  # fmt: skip
"""A command that gives a record of each kind."""

OTHERS: Final = (
    "next -v", "next --agent ann --agent bob", "next --lookahead 5", "next --assume-done g/a", "status -v", "status",
    "explain g/b", "explain g/b --json", "explain g/c", "explain h/e", "explain -v g/a", "plan -v", "plan --agent ann",
    "take g/a --agent ann", "hook run post-merge 0", "hook run post-checkout HEAD^ HEAD 1",
)  # fmt: skip
"""More of what can be asked about tasks."""

ALL: Final = [f"{WORDS[kind]} --format {form}" for kind, forms in RENDERERS.items() for form in forms] + [*OTHERS]

SILENT: Final = frozenset({"log", "init", "schema", "mcp", "action", "render", "policy set", "hook"})
"""Commands that say nothing of tasks, or only what another one says."""

FILES: Final = {
    ".metagit/tasks/graphs/g.yml": (
        "graph_id: g\nnodes:\n"
        "  - {node_id: a, title: Dig, repository: o/r, priority: 2}\n"
        "  - {node_id: b, title: Pour, depends_on: [a], repository: o/s, paths: [src/**]}\n"
        "  - {node_id: c, title: Paint, status: running, paths: [src/x]}\n"
        "  - {node_id: d, title: Wait, depends_on: [b, nobody]}\n"
    ),
    ".metagit/tasks/graphs/h.yml": "graph_id: h\nnodes:\n  - {node_id: e, title: Rest, agent_id: bob}\n",
}

TIMED: Final = re.compile(r"(?<![\w./-])\d[\d.,]*\s?(?:min|minutes?|h|hours?)\b(?!\w)", re.IGNORECASE)
"""A number with a unit of time: ``25 min``, ``4 h``, ``2 hours``."""

SIZES: Final = re.compile(r"minutes|^(?:start|end|length|makespan\w*|scheduled\w*)$")
"""Keys of records whose values are durations or times of a plan."""

SETTING: Final = "redispatch_after        4h"
"""A duration of the policy, not of a task."""

SETTINGS: Final = frozenset({"policy", "tokens_per_minute"})
"""Keys below which a policy's own settings are, not sizes of tasks."""


def durations(value: object, name: str = "") -> Iterator[str]:
    """Give the keys of a record that hold a duration; 0 is none, and neither are numbers of nodes in a drawing."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in SETTINGS and not (name.endswith("edges") and key in {"start", "end"}):
                yield from durations(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for inner in value:
            yield from durations(inner, name)
    elif value and not isinstance(value, bool) and SIZES.search(name.rpartition(".")[2]):
        yield f"{name}: {value}"


def make(folder: Path, size: str) -> Path:
    """Make a workspace whose tasks have this key, and one task that is finished since the commit before."""
    files = {name: text.replace("title:", f"{size}title:") for name, text in FILES.items()}
    commit(folder, files)
    return commit(folder, {name: text.replace("title: Rest", "status: completed") for name, text in files.items()})


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a workspace in which nobody estimated anything."""
    return make(tmp_path_factory.mktemp("w"), "")


@pytest.fixture(scope="module")
def estimated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the same workspace with estimates."""
    return make(tmp_path_factory.mktemp("e"), "estimated_minutes: 90, ")


def test_every_command_is_walked() -> None:
    """A new command, or kind of record, gets a line above."""
    assert set(WORDS) == set(RENDERERS)
    walked = {" ".join(words.split()[:2]) for words in ALL} | {words.split()[0] for words in ALL}
    assert {row.name for row in OPERATIONS} <= walked | SILENT
    assert set(COMMANDS) <= {words.split()[0] for words in walked} | SILENT


def find_durations(folder: Path, words: str) -> list[str]:
    """Give every duration in what a command prints, whether in words or under a key of a record."""
    if words.startswith("release"):
        ask(folder, *words.replace("release", "take").split()[:4])
    printed = ask(folder, *words.split())
    assert printed.code in {0, 1, 3}, printed.err
    text = unescape(re.sub(r"<style>.*?</style>", "", printed.text, flags=re.DOTALL))
    text = text.replace(SETTING, "")
    return [*TIMED.findall(text), *(key for found in read_json(printed.out) for key in durations(found))]


@pytest.mark.parametrize("words", ALL)
def test_no_output_gives_a_duration(workspace: Path, words: str) -> None:
    assert find_durations(workspace, words) == []


@pytest.mark.parametrize("words", ["next", "status --json", "plan --format html", "explain g/b", "diff HEAD^", "plan"])
def test_with_estimates_the_same_outputs_give_some(estimated: Path, words: str) -> None:
    """Else the test before would see nothing."""
    assert find_durations(estimated, words)


def read_json(text: str) -> Iterator[Any]:
    """Give the values of a text that is JSON, or a line of JSON each; none for all other text."""
    try:
        yield json.loads(text)
    except ValueError:
        for line in text.splitlines():
            if line.startswith("{"):
                yield json.loads(line)
