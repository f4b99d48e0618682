"""action.yml and the workflows as others read them: schemas, linters, pins, permissions, and the page about them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from git_sched.github.inputs import WORDS, variable
from github.acting import TOP
from github.page import BLOCKS, fill

ACTION: dict[str, Any] = yaml.safe_load((TOP / "action.yml").read_bytes())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
BY_NAME = {step["name"].lower(): step for step in STEPS}
WORKFLOWS = sorted((TOP / ".github/workflows").glob("*.yml"))
BIN = Path(sys.executable).parent


def tool(name: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of the development requirements at the top of the checkout."""
    found = shutil.which(name, path=os.pathsep.join([str(BIN), os.environ.get("PATH", "")]))
    if found is None:
        pytest.skip(f"{name} is not installed")
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    return subprocess.run(
        [found, *words], cwd=TOP, env={**os.environ, "PATH": path}, capture_output=True, encoding="utf-8", check=False
    )


def test_the_schemas_hold() -> None:
    done = tool("check-jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")
    assert done.returncode == 0, done.stdout
    done = tool("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *map(str, WORKFLOWS))
    assert done.returncode == 0, done.stdout


def test_zizmor_has_nothing_to_say() -> None:
    done = tool("zizmor", "--offline", "--no-progress", "--persona=pedantic", "action.yml", ".github")
    assert done.returncode == 0, done.stdout


def test_every_rule_that_zizmor_may_ignore_has_its_reason() -> None:
    lines = (TOP / ".github/zizmor.yml").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if line.strip() == "ignore:":
            assert lines[number + 1].strip().startswith("#")


def test_actionlint_has_nothing_to_say() -> None:
    done = tool("actionlint")
    assert done.returncode == 0, done.stdout


def test_every_input_is_used_and_says_its_default() -> None:
    text = (TOP / "action.yml").read_text(encoding="utf-8")
    runs = text[text.index("\nruns:") :]
    for name, told in ACTION["inputs"].items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
        assert f"inputs.{name} " in runs or f"inputs.{name}\n" in runs, name
        assert "default" in told["description"].lower(), name
        assert "default" in told, name
    for name, words in WORDS.items():
        description = ACTION["inputs"][name]["description"]
        assert all(word in description for word in words if word != "false"), name
        assert ACTION["inputs"][name]["default"] == words[0]


def test_inputs_reach_scripts_through_the_environment_alone() -> None:
    for step in STEPS:
        assert step["shell"] == "bash"
        assert "uses" not in step
        assert "${{" not in step["run"]
        for name, value in step["env"].items():
            assert name.startswith("SCHED_")
            if match := re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", value):
                assert name == variable(match[1])


def test_the_token_stands_in_two_steps() -> None:
    assert [name for name, step in BY_NAME.items() if "SCHED_TOKEN" in step["env"]] == ["queue", "comment"]
    assert list(BY_NAME) == ["install", "queue", "decide", "comment", "gate"]
    text = (TOP / "action.yml").read_text(encoding="utf-8")
    assert text.count("github.token") == 1
    assert text.count("inputs.token") == 2


def test_every_python_is_isolated() -> None:
    started = re.compile(r'"\$(?:found|python|venv/bin/python|SCHED_FOLDER/venv/bin/python)" (?=-)(\S+)')
    options = [option for step in STEPS for option in started.findall(step["run"])]
    assert len(options) >= 12
    assert set(options) == {"-I"}
    assert all('-I -X utf8 -X pycache_prefix="$SCHED_FOLDER/cache" -m git_sched action' in s["run"] for s in STEPS[1:])


def test_outputs_are_those_the_steps_give() -> None:
    for name, told in ACTION["outputs"].items():
        assert re.search(rf"steps\.(decide|comment)\.outputs\.{name}\b", told["value"]), name
        assert told["description"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_have_no_more_rights_than_they_need(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = yaml.safe_load(text)
    assert found["permissions"] == {}
    assert "concurrency" in found
    for used, version in re.findall(r"uses: (\S+)(.*)", text):
        assert used.startswith("./") or re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), used
        assert used.startswith("./") or re.fullmatch(r" # v\d+\.\d+\.\d+", version), used
    for name, job in found["jobs"].items():
        assert "permissions" in job, name
        for step in job.get("steps", []):
            assert "${{" not in step.get("run", "")
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False
        matrix = str(job.get("strategy", {}).get("matrix", ""))
        if "needs." in matrix:
            assert job["if"] == "needs.decide.outputs.has-work == 'true'"


def test_what_other_jobs_stored_lies_outside_the_checkout() -> None:
    """A stranger's run can store anything; nothing of it may lie where an action or a tool is looked for."""
    steps = [
        s for p in WORKFLOWS for job in yaml.safe_load(p.read_bytes())["jobs"].values() for s in job.get("steps", [])
    ]
    fetched = [step for step in steps if step.get("uses", "").startswith("actions/download-artifact@")]
    reports = [step for step in steps if "record-from" in step.get("with", {})]
    assert len(fetched) > len(reports) == 2
    for step in fetched:
        if step["with"]["path"] != "dist":  # of the release, built by the job before
            assert step["with"]["path"] == "${{ runner.temp }}/git-sched-comparison"
    for step in reports:
        assert step["with"]["record-from"] == "${{ runner.temp }}/git-sched-comparison/comparison.json"


def test_a_cache_that_fails_fails_no_job() -> None:
    steps = yaml.safe_load((TOP / ".github/workflows/schedule.yml").read_bytes())["jobs"]["decide"]["steps"]
    [restore] = [step for step in steps if step.get("uses", "").startswith("actions/cache/restore@")]
    assert restore["continue-on-error"] is True


def test_whatever_writes_the_log_has_it_kept() -> None:
    steps = yaml.safe_load((TOP / ".github/workflows/schedule.yml").read_bytes())["jobs"]["decide"]["steps"]
    [save] = [step for step in steps if step.get("uses", "").startswith("actions/cache/save@")]
    assert "(inputs.record || inputs.dispatch)" in save["if"]
    assert all(event in save["if"] for event in ("push", "schedule", "workflow_dispatch"))
    assert "pull_request" not in save["if"]
    assert "merge_group" not in save["if"]


def test_one_action_has_one_commit_everywhere() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    commits: dict[str, set[str]] = {}
    for name, commit in re.findall(r"uses: ([\w-]+/[\w-]+)\S*@([0-9a-f]{40})", text):
        commits.setdefault(name, set()).add(commit)
    assert {name for name, found in commits.items() if len(found) > 1} == set()


def test_the_page_is_up_to_date() -> None:
    page = (TOP / "docs/action.md").read_text(encoding="utf-8")
    assert all(f"<!-- begin {name} -->" in page for name in BLOCKS)
    assert page == fill(page), "write it anew: .venv/bin/python tests/github/page.py"


def test_the_blocks_of_the_pages_are_workflows_with_guarded_fan_outs() -> None:
    pages = [(TOP / "docs" / name).read_text(encoding="utf-8") for name in ("action.md", "several-agents.md")]
    blocks = [yaml.safe_load(block) for page in pages for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
    assert len(blocks) >= 4
    for block in blocks:
        for job in block.get("jobs", {}).values():
            given = set(job.get("with", {}))
            for step in job.get("steps", []):
                if step.get("uses", "").startswith("git-sched/git-sched@"):
                    given |= set(step.get("with", {}))
                    assert set(step.get("with", {})) <= set(ACTION["inputs"])
            if "needs." in str(job.get("strategy", "")):
                assert "has-work == 'true'" in job["if"]
            if "/workflows/" in job.get("uses", ""):
                name = job["uses"].rpartition("/")[2].partition("@")[0]
                called = yaml.safe_load((TOP / ".github/workflows" / name).read_bytes())
                assert given <= set(called[True]["workflow_call"]["inputs"])
