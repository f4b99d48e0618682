"""A real repository in a temporary folder, and the real command run in it."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from git_sched.cli.main import BUG, run

if TYPE_CHECKING:
    from collections.abc import Mapping

SHARED = Path(__file__).resolve().parents[2] / "shared"
"""Cases that are kept beside the checkout; tests that need them are skipped where it is absent."""


class Said(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """Everything printed, as a person sees it."""
        return self.out + self.err


def ask(folder: Path, *words: str) -> Said:
    """Run a command of git-sched in this process; a bug in it fails the test."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(["-C", str(folder), *words])
    assert code != BUG, err.getvalue()
    return Said(code, out.getvalue(), err.getvalue())


def start(
    folder: Path, *words: str, seconds: float = 120, megabytes: int | None = None, env: Mapping[str, str] | None = None
) -> Said:
    """Run a command of git-sched in a process of its own, which may be bounded; a bug in it fails the test."""
    command = [sys.executable, "-m", "git_sched", *words]
    if megabytes is not None:
        command = ["sh", "-c", f'ulimit -d {megabytes * 1024} && exec "$@"', "sh", *command]
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, encoding="utf-8", timeout=seconds, check=False
    )
    assert done.returncode != BUG, done.stderr
    return Said(done.returncode, done.stdout, done.stderr)


def git(folder: Path, *words: str) -> str:
    """Run git in a folder."""
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, encoding="utf-8", check=True)
    return done.stdout


def commit(folder: Path, files: Mapping[str, str | bytes] | None = None, *, message: str = "Tasks") -> Path:
    """Write files into a folder, make it a repository where it is none, and commit everything in it."""
    write(folder, files or {})
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main", "--object-format=sha1")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return folder


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def tree(folder: Path, *, without: str = "") -> dict[str, bytes]:
    """Give the bytes of every file below a folder, by its path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not (without and without in path.relative_to(folder).parts)
    }


def names(rows: list[dict[str, Any]]) -> list[str]:
    """Give the full names of the nodes in a list of a record."""
    return [f"{row['graph_id']}/{row['node_id']}" for row in rows]
