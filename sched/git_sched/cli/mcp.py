"""``git sched mcp``: runs the MCP server for agents."""

from __future__ import annotations

import gc
import signal
from importlib.util import find_spec
from typing import Any

import click

from git_sched.cli.options import question_from, reading
from git_sched.model.problems import WorldError
from git_sched.workspace.question import resolve_start

EXAMPLES = """Examples:

\b
  git sched mcp
  git sched -C /path/to/workspace mcp
"""


@click.command("mcp", epilog=EXAMPLES)
@reading
@click.pass_obj
def command(start: str, /, **options: Any) -> int:
    """Answer agents through the Model Context Protocol, on stdin and stdout.

    The workspace is fixed when the server starts; no argument of a tool leads out of it.
    """
    if find_spec("mcp") is None:
        raise WorldError("the MCP server needs the mcp SDK, which is not installed", hint="pip install git-sched[mcp]")
    question = question_from(start, options)
    resolve_start(question)  # a folder that does not exist ends the command here, not every call
    from git_sched.mcp_server.server import serve

    # Python's own handler would wait for the client's next line, which is read in a thread.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.enable()  # unlike a command, a server runs for long
    try:
        serve(question)
    except* (BrokenPipeError, ConnectionError):
        pass  # the client has closed the connection
    return 0
