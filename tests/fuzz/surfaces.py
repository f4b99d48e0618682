"""The other ways to ask: a tool of the MCP server, a hook after a merge, the deciding step of the Action."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types

import judges
import repos
from git_sched.hooks import run as hook
from git_sched.hooks.head_moves import Call
from git_sched.mcp_server.server import Scheduler
from git_sched.model.problems import SchedError
from git_sched.workspace.question import Question
from sandbox import git, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


def judge_tool(top: Path, name: str, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Call a tool of the MCP server as a client does."""

    async def call() -> types.CallToolResult:
        place = Question(str(top), environment=repos.environment(HOME=str(top.parent)))
        given: Any = None
        asked = types.CallToolRequestParams(name=name, arguments=dict(arguments))
        return await Scheduler(place).call_tool(given, asked)

    try:
        result = anyio.run(call)
    except Exception as error:  # noqa: BLE001 - any exception is a finding
        yield f"an exception: {error!r:.500}"
        return
    text = "".join(block.text for block in result.content if isinstance(block, types.TextContent))
    if "has a bug" in text:
        yield f"a bug: {text[:500]}"


def judge_hook(top: Path, env: Mapping[str, str]) -> Iterator[str]:
    """Let a hook answer after the move from the commit before HEAD."""
    moved = Call("post-checkout", (git(top, "rev-parse", "HEAD~1").strip(), repos.head(top), "1"))
    try:
        shown = hook.run(moved, start=str(top), environment=env)
    except SchedError:
        return  # the command says so in one line
    except Exception as error:  # noqa: BLE001 - any other exception is a finding
        yield f"an exception: {error!r:.500}"
        return
    if len(shown.splitlines()) > 2:
        yield f"more than two lines: {shown[:300]!a}"


def judge_action(top: Path, env: Mapping[str, str]) -> Iterator[str]:
    """Run the deciding step of the Action after a push of HEAD."""
    runner = top.parent / "runner"
    push = {"before": git(top, "rev-parse", "HEAD~1").strip(), "after": repos.head(top), "ref": "refs/heads/main"}
    write(runner, {"event.json": json.dumps(push), "output": "", "summary": ""})
    own = {
        "SCHED_FOLDER": runner, "GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": runner / "event.json",
        "GITHUB_OUTPUT": runner / "output", "GITHUB_STEP_SUMMARY": runner / "summary", "GITHUB_WORKSPACE": top,
        "GITHUB_REPOSITORY": "acme/shop", "GITHUB_REF": "refs/heads/main", "GITHUB_REF_NAME": "main",
    }  # fmt: skip
    try:
        ran = repos.sched(top, "action", "decide", env={**env, **{name: str(value) for name, value in own.items()}})
    except AssertionError as error:
        yield f"a bug: {str(error)[-1500:]}"
        return
    if ran.code:
        yield f"the deciding step ended with {ran.code}: {ran.text[:300]!a}"
    judges.outputs((runner / "output").read_text(encoding="utf-8"))
    if len((runner / "summary").read_bytes()) > 1024 * 1024:
        yield "a summary that GitHub refuses"
