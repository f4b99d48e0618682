"""A client that leaves before it is answered has taken nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import IO, TYPE_CHECKING, Any

import pytest

import repos
from repos import IGNORED, LOG, SOURCE, task
from sandbox import ask

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

HELLO = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: int, tool: str, **arguments: object) -> dict[str, Any]:
    """Give the message that calls a tool."""
    return {
        "jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments},
    }  # fmt: skip


TAKING = {
    "next": call(1, "metagit_schedule_next", agents=["ann"], dispatch=True),
    "take": call(1, "schedule_take", node="work/a", agent="ann"),
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository with two ready tasks that ignores the logs."""
    return repos.repository(
        tmp_path / "repository", {**repos.work(task("a", priority=2), task("b")), ".gitignore": IGNORED}
    )


def start(folder: Path, stdout: IO[bytes] | int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    """Start a server."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "git_sched", "-C", str(folder), "mcp"],
        env={**repos.environment(), "PYTHONPATH": str(SOURCE)},
        stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE,
    )  # fmt: skip


def send(server: subprocess.Popen[bytes], *messages: dict[str, Any]) -> None:
    """Send messages."""
    assert server.stdin is not None
    server.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    server.stdin.flush()


def kinds(folder: Path) -> list[tuple[str, bool]]:
    """Give for each line of the log its task, and whether that was given back."""
    return [
        (line["node_id"], line.get("released", False))
        for line in map(json.loads, (folder / LOG).read_bytes().splitlines())
    ]


@pytest.mark.parametrize("tool", TAKING)
def test_a_client_that_closed_its_pipe_has_taken_nothing(repository: Path, tool: str) -> None:
    server = start(repository)
    send(server, HELLO, READY)
    assert server.stdout is not None
    assert b'"id":0' in server.stdout.readline()
    server.stdout.close()
    send(server, TAKING[tool])
    _, said = server.communicate(timeout=60)
    assert server.returncode == 0, said
    assert b"work/a was given back" in said
    assert b"bug" not in said
    assert kinds(repository) == [("a", False), ("a", True)]
    assert ask(repository, "next", "-q", "--agent", "bob").out == "a\n"
    assert ask(repository, "verify", "--strict").code == 0


def test_a_full_disk_is_said(repository: Path) -> None:
    with open(os.devnull.replace("null", "full"), "wb") as full:
        server = start(repository, full)
        send(server, HELLO)
        _, said = server.communicate(timeout=60)
    assert server.returncode == 4
    assert b"error: stdout cannot be written: No space left on device" in said


def test_a_call_that_is_canceled_takes_nothing_or_is_answered(repository: Path) -> None:
    server = start(repository)
    send(server, HELLO, READY)
    assert server.stdout is not None
    server.stdout.readline()
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    send(server, TAKING["take"], cancel)
    out, said = server.communicate(timeout=60)
    assert server.returncode == 0, said
    found = kinds(repository) if (repository / LOG).exists() else []
    assert found == ([("a", False)] if b'"id":1' in out else [("a", False), ("a", True)] if found else [])


def test_who_is_answered_has_the_task(repository: Path) -> None:
    server = start(repository)
    send(server, HELLO, READY, TAKING["next"])
    assert server.stdout is not None
    assert b'"id":0' in server.stdout.readline()
    assert b'"id":1' in server.stdout.readline()
    server.communicate(timeout=60)
    assert server.returncode == 0
    assert kinds(repository) == [("a", False)]
