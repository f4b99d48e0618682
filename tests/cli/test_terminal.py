"""What only a terminal is told: what the answer was computed from."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import repos
from repos import task

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def on_a_terminal(folder: Path, *words: str, env: Mapping[str, str] | None = None) -> list[str]:
    """Run a command whose output is a terminal, and give the lines it shows there."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-P", "-m", "git_sched", "-C", str(folder), *words]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=env or repos.environment()
    ) as process:
        os.close(theirs)
        shown = b""
        while more := _read(ours):
            shown += more
        process.wait()
    os.close(ours)
    return shown.decode().splitlines()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the other end is closed
        return b""


def test_the_footer_names_commit_branch_and_policy(tmp_path: Path) -> None:
    folder = repos.repository(tmp_path / "r", repos.work(task("a")))
    footer = f"at {repos.head(folder)[:7]} on main, policy preset balanced"
    assert on_a_terminal(folder, "next")[-1] == footer
    assert footer not in on_a_terminal(folder, "next", "-q")
    assert footer not in repos.sched(folder, "next").text


def test_a_revision_that_was_named_has_no_branch(tmp_path: Path) -> None:
    folder = repos.repository(tmp_path / "r", repos.work(task("a")))
    shown = on_a_terminal(folder, "next", "--rev", "HEAD")
    assert shown[-1] == f"at {repos.head(folder)[:7]}, policy preset balanced"
