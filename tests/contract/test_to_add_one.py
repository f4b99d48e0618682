"""The page "To add one" is true: its examples are added to a copy of the project, and everything runs on them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FENCE: Final = r"```\w+\n(.*?)```"

EXAMPLES: Final = {
    kind: (path, code)
    for kind, path, code in re.findall(rf"<!-- example (\w+) (\S+) -->\n{FENCE}", PAGE, re.DOTALL)
}  # fmt: skip
LINES: Final = {
    kind: (path, where.strip(), code)
    for kind, path, where, code in re.findall(rf"<!-- line (\w+) (\S+)(.*?) -->\n{FENCE}", PAGE, re.DOTALL)
}  # fmt: skip

CASES: Final = dict(re.findall(rf"<!-- case format (\S+) -->\n{FENCE}", PAGE, re.DOTALL))
"""Files of the format's test, by path."""

REGISTRIES: Final = {"factor": "FACTOR_NAMES", "format": "PLACES", "renderer": "RENDERERS"}

HOLDS: Final = {
    "factor": ("properties/test_scores.py", "contract/test_policy_key.py", "schemas/test_schemas.py"),
    "format": ("formats/test_readers.py", "formats/test_fuzz.py"),
    "renderer": ("properties/test_stored.py", "properties/test_text.py", "properties/test_hostile.py"),
}
"""What must hold for each once it is added: the laws, the schemas, the readers and the judges."""

pytestmark = pytest.mark.heavy


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Copy the project as it is, without what git does not track."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tmp_path / name)
    return tmp_path


def add(project: Path, kind: str, *, change: tuple[str, str] = ("", "")) -> None:
    """Add the example of a kind and its line; ``change`` replaces something in the example."""
    path, code = EXAMPLES[kind]
    old, new = change
    assert old in code
    written = {path: code.replace(old, new) if old else code, **(CASES if kind == "format" else {})}
    for name, text in written.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    registry, where, line = LINES[kind]
    file = project / registry
    text = file.read_text(encoding="utf-8")
    at = text.index(REGISTRIES[kind])
    at = text.index(f'"{where}": {{', at) if where else text.index(" = ", at)
    indent = " " * (len(line) - len(line.lstrip()) - 4)
    at = min(text.index(f"\n{indent}{close}", at) for close in ")}" if f"\n{indent}{close}" in text[at:]) + 1
    file.write_text(text[:at] + line + text[at:], encoding="utf-8")


def run(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the copy."""
    variables = {**os.environ, "HYPOTHESIS_PROFILE": "quick", "PYTHONPATH": "sched", "PYTHONDONTWRITEBYTECODE": "1"}
    variables = {name: value for name, value in variables.items() if not name.startswith(("PYTEST_", "COV_"))}
    return subprocess.run(
        [sys.executable, *words], cwd=project, env=variables, capture_output=True, text=True, check=False
    )


def run_suites(project: Path, kind: str) -> subprocess.CompletedProcess[str]:
    """Run in the copy what must hold for a kind."""
    return run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/{name}" for name in HOLDS[kind]))


def test_the_page_has_an_example_and_a_line_for_each() -> None:
    assert set(EXAMPLES) == set(LINES) == set(HOLDS)
    assert all(code.count("\n") == 1 for _, _, code in LINES.values())


def test_the_three_examples_fit_into_the_project(project: Path) -> None:
    """Types, style, layers, generated pages and the command itself take them as they are."""
    for kind in EXAMPLES:
        add(project, kind)
    (project / "docs" / "formats" / "todotxt.md").write_text("# todo.txt\n", encoding="utf-8")
    written = run(project, "docs/blocks.py")
    assert written.returncode == 0, written.stderr
    assert "bugfix" in (project / "README.md").read_text(encoding="utf-8")
    files = [path for path, _ in EXAMPLES.values()]
    for tool in (("ruff", "check", "--no-cache"), ("ruff", "format", "--check", "--no-cache"), ("mypy",)):
        done = run(project, "-m", *tool, *files)
        assert done.returncode == 0, done.stdout
    layers = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/contract/test_layers.py")
    assert layers.returncode == 0, layers.stdout
    workspace = project / "tests/formats/cases/todotxt/order/repo"
    answer = run(project, "-m", "git_sched", "-C", str(workspace), "next", "--format", "piped")
    assert (answer.returncode, answer.stdout.split(" | ")[:3]) == (0, ["todo", "b", "Build"]), answer.stderr
    policy = run(project, "-m", "git_sched", "policy", "set", "--weight", "bugfix=1", "--json")
    assert '"bugfix": 1.0' in policy.stdout, policy.stderr
    assert '"bugfix"' in run(project, "-m", "git_sched", "schema", "policy").stdout


@pytest.mark.parametrize("kind", HOLDS)
def test_laws_and_judges_run_on_what_was_added(project: Path, kind: str) -> None:
    add(project, kind)
    done = run_suites(project, kind)
    assert done.returncode == 0, done.stdout[-3000:]


def test_a_rating_out_of_range_fails_the_laws(project: Path) -> None:
    add(project, "factor", change=("rate=lambda node, _: float(is_bug(node))", "rate=lambda _, __: 7.0"))
    assert "test_a_score_is_the_sum_of_its_rows" in run_suites(project, "factor").stdout


def test_a_renderer_that_prints_hostile_text_raw_fails_its_judge(project: Path) -> None:
    add(project, "renderer", change=("map(clean, row)", "row"))
    assert "FAILED tests/properties/test_stored.py" in run_suites(project, "renderer").stdout
