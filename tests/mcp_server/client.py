"""The SDK's own client, talking to a server of ours in this process or in one of its own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from git_sched.cli.options import question_from
from git_sched.mcp_server.server import server
from repos import SOURCE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from mcp.types import CallToolResult

T = TypeVar("T")
LEGACY = "legacy"
"""The handshake of the protocol's older versions; ``auto`` finds out which one a server speaks."""


class Result(NamedTuple):
    """What a call gave: whether it failed, the words, and the structured content."""

    failed: bool
    words: str
    record: Any


def served(folder: Path, work: Callable[[Client], Awaitable[T]], *, mode: str = "auto") -> T:
    """Do something with a client of a server for a folder, both in this process."""

    async def main() -> T:
        async with Client(server(question_from(str(folder), {})), mode=mode) as client:
            return await work(client)

    return asyncio.run(main())


def connect(folder: Path, *options: str, mode: str = "auto") -> Client:
    """Give a client that starts a server for a folder in a process of its own."""
    words = ["-P", "-m", "git_sched", "-C", str(folder), "mcp", *options]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    return Client(StdioServerParameters(command=sys.executable, args=words, env=environment), mode=mode)


def served_by_process(folder: Path, work: Callable[[Client], Awaitable[T]], *options: str, mode: str = "auto") -> T:
    """Start a server for a folder, do something with a client of it, and end both."""

    async def main() -> T:
        async with connect(folder, *options, mode=mode) as client:
            return await work(client)

    return asyncio.run(main())


async def call(client: Client, tool: str, **arguments: object) -> Result:
    """Call a tool; the client checks what comes back against the tool's schema."""
    return result(await client.call_tool(tool, arguments))


def result(found: CallToolResult) -> Result:
    """Take a result apart."""
    [content] = found.content
    assert isinstance(content, TextContent)
    return Result(found.is_error, content.text, json.loads(json.dumps(found.structured_content)))


def called(folder: Path, tool: str, **arguments: object) -> Result:
    """Call one tool of a server in this process."""

    async def work(client: Client) -> Result:
        return await call(client, tool, **arguments)

    return served(folder, work)
