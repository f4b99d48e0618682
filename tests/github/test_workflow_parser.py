"""Our workflows, and those the pages show, as GitHub's own parser reads them (``action.md`` section 6)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.heavy

TOP = Path(__file__).resolve().parents[2]
PARSER = Path(__file__).resolve().parent / "parser"
WORKFLOWS = sorted((TOP / ".github" / "workflows").glob("*.yml"))
FENCE = re.compile(r"^```yaml\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install and bundle the parser; skip where there is no npm, or where its registry cannot be reached."""
    folder = tmp_path_factory.mktemp("parser") / "parser"
    shutil.copytree(PARSER, folder)
    install = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]
    try:
        installed = subprocess.run(install, cwd=folder, stdin=subprocess.DEVNULL, check=False, timeout=120)
    except (FileNotFoundError, subprocess.TimeoutExpired):
        pytest.skip("npm is not here, or its registry does not answer")
    if installed.returncode:
        pytest.skip("the workflow parser cannot be installed: is the npm registry in reach?")
    bundle = ["--bundle", "--platform=node", "--format=cjs", "--outfile=parse.cjs", "--log-level=error"]
    subprocess.run([folder / "node_modules/.bin/esbuild", "parse.mjs", *bundle], cwd=folder, check=True)
    return folder / "parse.cjs"


def parsed(parser: Path, *paths: Path) -> list[dict[str, Any]]:
    """Give what the parser says of each workflow: its jobs and its errors."""
    done = subprocess.run(["node", parser, *paths], capture_output=True, text=True, check=True, env=dict(os.environ))
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_our_workflows(parser: Path) -> None:
    found = parsed(parser, *WORKFLOWS)
    assert [(row["name"], row["errors"]) for row in found] == [(str(path), []) for path in WORKFLOWS]
    assert all(row["jobs"] > 0 for row in found)


def test_the_workflows_that_the_pages_show(parser: Path, tmp_path: Path) -> None:
    paths = []
    for page in ("README.md", "docs/action.md", "docs/several-agents.md"):
        for number, text in enumerate(FENCE.findall((TOP / page).read_text(encoding="utf-8"))):
            if text.startswith("name:"):
                path = tmp_path / f"{Path(page).stem}-{number}.yml"
                path.write_text(text, encoding="utf-8")
                paths.append(path)
    assert len(paths) >= 5
    assert [row["errors"] for row in parsed(parser, *paths)] == [[]] * len(paths)


def test_a_workflow_with_a_mistake_is_refused(parser: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.yml"
    path.write_text("on: push\njobs:\n  a:\n    runs-on: x\n    stps: []\n", encoding="utf-8")
    assert parsed(parser, path)[0]["errors"]
