"""What only a terminal gets: its width, colors, and what the answer was computed from."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from typing import TYPE_CHECKING, Final

import pytest

import repos
from git_sched.workspace.streams import measure_screen
from repos import task

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


ESCAPES: Final = re.compile(r"\x1b\[[0-9]+m")


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
    assert on_a_terminal(folder, "next", env=repos.environment(NO_COLOR="1", COLUMNS="200"))[-1].startswith(footer)
    assert footer not in "".join(
        on_a_terminal(folder, "next", "-q", env=repos.environment(NO_COLOR="1", COLUMNS="200"))
    )
    assert footer not in repos.sched(folder, "next").text


def test_a_revision_that_was_named_has_no_branch(tmp_path: Path) -> None:
    folder = repos.repository(tmp_path / "r", repos.work(task("a")))
    shown = on_a_terminal(folder, "next", "--rev", "HEAD", env=repos.environment(NO_COLOR="1", COLUMNS="200"))
    assert shown[-1].startswith(f"at {repos.head(folder)[:7]}, policy preset balanced")


def test_a_terminal_has_a_width_and_colors(tmp_path: Path) -> None:
    """Color says nothing that the words do not."""
    folder = repos.repository(tmp_path / "r", repos.work(task("a", title="A title of many words " * 4)))
    plain = on_a_terminal(folder, "next", env=repos.environment(NO_COLOR="1", COLUMNS="50"))
    painted = on_a_terminal(folder, "next", env=repos.environment(TERM="xterm", COLUMNS="50"))
    assert all(len(line) <= 50 for line in plain[:2])
    assert painted[0].startswith("\x1b[1ma\x1b[0m  A title")
    assert [ESCAPES.sub("", line) for line in painted] == plain


@pytest.mark.parametrize(
    ("terminal", "environment", "expected"),
    [
        (False, {}, (None, False)),
        (False, {"FORCE_COLOR": "1"}, (None, True)),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, (None, False)),
        (False, {"GIT_PAGER_IN_USE": "true"}, (80, True)),
        (False, {"GIT_PAGER_IN_USE": "true", "COLUMNS": "132"}, (132, True)),
        (False, {"GIT_PAGER_IN_USE": "0"}, (None, False)),
        (True, {}, (80, True)),
        (True, {"COLUMNS": "66"}, (66, True)),
        (True, {"COLUMNS": "wide"}, (80, True)),
        (True, {"COLUMNS": "0"}, (80, True)),
        (True, {"NO_COLOR": "1"}, (80, False)),
        (True, {"NO_COLOR": ""}, (80, True)),
        (True, {"CLICOLOR": "0"}, (80, False)),
        (True, {"CLICOLOR": "1"}, (80, True)),
        (True, {"TERM": "dumb"}, (80, False)),
        (True, {"TERM": "dumb", "FORCE_COLOR": "1"}, (80, True)),
        (True, {"FORCE_COLOR": "0"}, (80, False)),
    ],
)
def test_what_a_stream_is_printed_on(
    *, terminal: bool, environment: dict[str, str], expected: tuple[int | None, bool]
) -> None:
    stream = TextIOWrapper(BytesIO(), encoding="ascii")
    stream.isatty = lambda: terminal  # type: ignore[method-assign]
    found = measure_screen(stream, environment, paged=True)
    assert (found.width, found.color, found.utf8) == (*expected, False)
    assert measure_screen(TextIOWrapper(BytesIO(), encoding="UTF-8"), {}).utf8
