"""The page *Several agents*: its commands run as printed, from an empty folder, and print what the page shows."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import repos
from repos import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

PAGE = ROOT / "docs" / "several-agents.md"
BLOCK = re.compile(r"^```(sh|console)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")
PRINTED = "2026-11-02T13:00:00Z"
"""The time that the page shows; nothing else of its outputs differs between runs."""


def blocks() -> list[tuple[str, str]]:
    """Give the kind and the text of each block of the page that is to be run."""
    return [(kind, text) for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8"))]


def commands() -> list[str]:
    """Give the commands of the page in their order; a block for ``sh`` is one."""
    return [text if kind == "sh" else text.splitlines()[0].removeprefix("$ ") for kind, text in blocks()]


def run(folder: Path, *parts: str) -> repos.Ran:
    """Run commands in one shell, in which the command is installed and git has no settings."""
    repos.install(folder / "bin")
    (folder / "work").mkdir()
    env = repos.environment(LC_ALL="C.UTF-8", PATH=f"{folder / 'bin'}:/usr/local/bin:/usr/bin:/bin")
    done = repos.run(folder / "work", "bash", "-e", "-c", "exec 2>&1\n" + "\n".join(parts), env=env)
    assert done.code == 0, done.text
    return done


def test_the_commands_print_what_the_page_shows(tmp_path: Path, update_golden: bool) -> None:  # noqa: FBT001 - a fixture
    parts = [part for command in commands() for part in (command, "echo @@")]
    log = "git log --format=%s main && echo @@ && git sched verify --strict --json && git status --short"
    *printed, finished, verified = run(tmp_path, *parts, log).out.decode().split("@@\n")
    assert len(printed) == len(commands())
    shown = iter(printed)

    def fill(block: re.Match[str]) -> str:
        said = TIME.sub(PRINTED, next(shown))
        if block[1] == "sh":
            return block[0]
        return f"```console\n{block[2].splitlines()[0]}\n{said}```\n"

    old = PAGE.read_text(encoding="utf-8")
    new = BLOCK.sub(fill, old)
    if update_golden:
        PAGE.write_text(new, encoding="utf-8")
    assert new == PAGE.read_text(encoding="utf-8")
    tasks = ["login", "search", "export", "release"]
    assert sorted(finished.splitlines()) == sorted(["Describe the work", *(f"Finish {task}" for task in tasks)])
    checked, _, untracked = verified.rpartition("}")
    record = json.loads(checked + "}")
    assert record["checked"] == record["verified"] >= len(tasks)
    assert untracked.strip() == "?? agent.sh"


def test_three_commands_at_once_give_out_three_tasks(tmp_path: Path) -> None:
    setup, *each = commands()[:4]
    assert all(command.endswith("--dispatch") for command in each)
    started = [f"({command} -q 2>/dev/null) &" for command in each]
    done = run(tmp_path, setup, "echo @@", *started, "wait")
    assert sorted(done.out.decode().split("@@\n")[1].split()) == ["export", "login", "search"]
