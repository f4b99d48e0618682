"""The real metagit: found or installed once beside what the tests use, and asked in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

METAGIT: Final = "metagit-cli==0.36.0"
NEWEST: Final = [f"python3.{minor}" for minor in (14, 13, 12)]


def pythons() -> Iterator[str]:
    """Give the interpreters that may be new enough: this one, those on PATH, those that pyenv keeps."""
    if sys.version_info >= (3, 12):
        yield sys.executable
    yield from (found for name in NEWEST if (found := shutil.which(name)))
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from (str(path) for path in sorted(kept.glob("3.1[2-9].*/bin/python")))


def works(python: str) -> bool:
    """Say whether an interpreter runs, is new enough, and can make an environment."""
    code = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 12))"
    return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0


def environment() -> dict[str, str]:
    """Give the environment that metagit runs in."""
    return {**os.environ, "NO_COLOR": "1", "METAGIT_DISABLE_UPDATE_CHECK": "1"}


def in_metagit(python: str, code: str, given: object, *, cwd: Path) -> Any:  # noqa: ANN401 - JSON of any shape
    """Run code beside metagit: it gets JSON as ``given`` and prints JSON."""
    code = f"import json, sys\ngiven = json.load(sys.stdin)\n{code}"
    done = subprocess.run(
        [python, "-I", "-c", code], input=json.dumps(given), cwd=cwd, env=environment(), capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def run_metagit(python: str, *words: str, cwd: Path) -> str:
    """Run metagit's command in a folder; give what it prints. It must not refuse."""
    done = subprocess.run(
        [str(Path(python).with_name("metagit")), *words], cwd=cwd, env=environment(), capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, (words, done.stdout, done.stderr[-2000:])
    return done.stdout
