"""A policy key is written once: one that is added to the policy appears wherever policy keys appear."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
TOY: Final = """\
    toy_hours: Annotated[int, Key(Whole(1, 9), "How many hours the toy plays.")] = 4
    path: str = ""
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the program and its pages, and add a key to the policy."""
    for folder in ("sched", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    module = tmp_path / "sched" / "git_sched" / "model" / "policy.py"
    before = module.read_text(encoding="utf-8")
    after = before.replace('    path: str = ""\n', TOY)
    assert after != before
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


def test_a_key_that_is_added_to_the_policy_appears_everywhere(copy: Path) -> None:
    sched = "-m", "git_sched"
    own = json.loads(run(copy, *sched, "schema", "policy"))["then"]["properties"]
    assert own["toy_hours"]["anyOf"][0] == {"type": "integer", "minimum": 1, "maximum": 9}
    assert own["toy_hours"]["description"] == "How many hours the toy plays."
    for name in ("policy-record", "status", "record"):
        recorded = json.loads(run(copy, *sched, "schema", name))["$defs"]["OwnPolicyRecord"]
        assert recorded["properties"]["toy_hours"]["type"] == "integer"
        assert "toy_hours" in recorded["required"]
    page = run(copy, "-c", "import blocks, sys; sys.stdout.write(blocks.BLOCKS['policy-keys']())")
    assert "| `toy_hours` | whole number, 1 to 9 | `4` | How many hours the toy plays. |\n" in page

    run(copy, *sched, "init")
    starter = copy / ".metagit" / "schedule" / "policy.yml"
    assert "\n# How many hours the toy plays.\n# toy_hours: 4\n" in starter.read_text(encoding="utf-8")
    assert json.loads(run(copy, *sched, "policy", "show", "--json"))["policy"]["toy_hours"] == 4
    starter.write_text("version: 1\ntoy_hours: 7\n", encoding="utf-8")
    shown = run(copy, *sched, "policy", "show", "--json")
    assert json.loads(shown)["policy"]["toy_hours"] == 7
    (copy / "record.json").write_text(shown, encoding="utf-8")
    assert "toy_hours " in run(copy, *sched, "render", "record.json", "--format", "text")
