"""A policy key is written once: one that is added to the policy appears wherever policy keys appear."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from git_sched.formats.native_keys import GRAPH_KEYS, NODE_KEYS
from git_sched.model.keys import (
    ByFactor,
    Choice,
    Items,
    Key,
    Kind,
    Number,
    Table,
    Whole,
    find_default,
    keys_of,
    recorded,
    write_default,
)
from git_sched.model.policy import DISPATCH, KEYS, Limits

ROOT: Final = Path(__file__).resolve().parents[2]
FIELD: Final = '    path: str = ""\n'
TOY: Final = """\
    toy_hours: Annotated[int, Key(Whole(1, 9), "How many hours the toy plays.")] = 4
    toy_rest: Annotated[int, Key("duration", "How long the toy rests.")] = 5_400
    path: str = ""
"""
"""A number and a duration, both with a default."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the program and its pages; add two keys to the policy, change a third's default, in its field alone."""
    for folder in ("sched", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    module = tmp_path / "sched" / "git_sched" / "model" / "policy.py"
    before = module.read_text(encoding="utf-8")
    assert before.count(FIELD) == 1
    other = r"(\n    redispatch_after: (?:.*\n)+?    \]) = 4 \* 3_600"
    after = re.sub(other, r"\1 = 7_200", before.replace(FIELD, TOY))
    assert after.count(" = 7_200") == 1
    module.write_text(after, encoding="utf-8")
    return tmp_path


def run(copy: Path, *words: str) -> str:
    """Run Python in the copy; give what it prints."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join((str(copy / "sched"), str(copy / "docs")))}
    done = subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def read_page(copy: Path) -> str:
    """Give the table of policy keys as the reference page of the copy has it."""
    return run(copy, "-c", "import blocks, sys; sys.stdout.write(blocks.BLOCKS['policy-keys']())")


def test_a_key_that_is_added_to_the_policy_appears_everywhere(copy: Path) -> None:
    sched = "-m", "git_sched"
    own = json.loads(run(copy, *sched, "schema", "policy"))["then"]["properties"]
    assert own["toy_hours"]["anyOf"][0] == {"type": "integer", "minimum": 1, "maximum": 9}
    assert own["toy_hours"]["description"] == "How many hours the toy plays."
    for name in ("policy-record", "status", "record"):
        recorded = json.loads(run(copy, *sched, "schema", name))["$defs"]["OwnPolicyRecord"]
        assert recorded["properties"]["toy_hours"]["type"] == "integer"
        assert "toy_hours" in recorded["required"]
    assert "| `toy_hours` | whole number, 1 to 9 | `4` | How many hours the toy plays. |\n" in read_page(copy)

    run(copy, *sched, "init")
    starter = copy / ".metagit" / "schedule" / "policy.yml"
    assert "\n# How many hours the toy plays.\n# toy_hours: 4\n" in starter.read_text(encoding="utf-8")
    assert json.loads(run(copy, *sched, "policy", "show", "--json"))["policy"]["toy_hours"] == 4
    starter.write_text("version: 1\ntoy_hours: 7\n", encoding="utf-8")
    shown = run(copy, *sched, "policy", "show", "--json")
    assert json.loads(shown)["policy"]["toy_hours"] == 7
    (copy / "record.json").write_text(shown, encoding="utf-8")
    assert "toy_hours " in run(copy, *sched, "render", "record.json", "--format", "text")


def test_a_duration_with_a_default_is_written_as_a_file_has_it(copy: Path) -> None:
    sched = "-m", "git_sched"
    own = json.loads(run(copy, *sched, "schema", "policy"))["then"]["properties"]
    page = read_page(copy)
    run(copy, *sched, "init")
    starter = copy / ".metagit" / "schedule" / "policy.yml"
    text = starter.read_text(encoding="utf-8")
    held = "How long a task that was taken is held back from everybody else."
    for name, kind, written, meaning in (
        ("toy_rest", "duration", "90m", "How long the toy rests."),
        ("redispatch_after", "duration or off", "2h", held),
    ):
        assert own[name]["default"] == written
        assert own[name]["description"] == meaning
        assert f"| `{name}` | {kind} | `{written}` | {meaning} |\n" in page
        assert f"\n# {meaning}\n# {name}: {written}\n" in text
        starter.write_text(text.replace(f"\n# {name}:", f"\n{name}:"), encoding="utf-8")
        run(copy, *sched, "check", "--strict")
    shown = json.loads(run(copy, *sched, "policy", "show", "--json"))["policy"]
    assert (shown["toy_rest_seconds"], shown["redispatch_after_seconds"]) == (5_400, 7_200)


TABLES: Final = {
    "policy": KEYS,
    "dispatch": DISPATCH,
    "limits": keys_of(Limits),
    "graph": GRAPH_KEYS,
    "node": NODE_KEYS,
}


@pytest.mark.parametrize("name", TABLES)
def test_no_key_has_both_a_default_and_words_for_its_absence(name: str) -> None:
    both = [name for name, key in TABLES[name].items() if write_default(key) and (key.example or key.absent)]
    assert both == []


def test_a_duration_is_recorded_in_seconds_whether_it_can_be_off_or_not() -> None:
    keys = {"rest": Key("duration", "A rest.", default=60), "hold": Key("duration or off", "A hold.", default=60)}
    found = {written: (name, key.default, key.meaning) for name, written, key in recorded(keys)}
    assert found == {
        "rest_seconds": ("rest", 60, "A rest. In seconds."),
        "hold_seconds": ("hold", None, "A hold. In seconds; null: off."),
    }


@pytest.mark.parametrize(
    ("kind", "default", "value", "written"),
    [
        ("duration", 0, "0d", "0d"),
        ("duration", 14_400, "4h", "4h"),
        ("duration", 5_400, "90m", "90m"),
        ("duration", 172_800, "2d", "2d"),
        ("duration", 61, "61s", "61s"),
        ("duration or off", 14_400, "4h", "4h"),
        ("end date", 1_793_750_399, "2026-11-03T23:59:59Z", '"2026-11-03T23:59:59Z"'),
        ("true or false", False, False, "false"),
        ("text", "no: text", "no: text", '"no: text"'),
        (Choice(("all", "own")), "all", "all", "all"),
        (Whole(0, 9), 0, 0, "0"),
        (Number(0, 9), 2.0, 2.0, "2.0"),
        (Items("duration"), (60, 3_600), ["1m", "1h"], '["1m", "1h"]'),
        (ByFactor(Number(0, 9)), (("urgency", 2.0),), {"urgency": 2.0}, '{"urgency": 2.0}'),
        (Items("text"), (), None, ""),
        (Table({"own": Key("id", "Own.", default="one")}), (("own", "two"),), None, ""),
        ("duration", None, None, ""),
    ],
)
def test_a_default_is_written_by_its_kind(kind: Kind, default: object, value: object, written: str) -> None:
    key = Key(kind, "What it means.", default=default)
    assert (find_default(key), write_default(key)) == (value, written)
