"""The folder that the steps of one use of the Action share, and what they print into the job's log."""

from __future__ import annotations

import os
import sys
from typing import Final

from git_sched.model.problems import RequestError
from git_sched.workspace import files, writing
from git_sched.workspace.streams import write_out

LIMIT: Final = 64 << 20
"""Bytes a file of an earlier step may have."""


def find_folder() -> str:
    """Give the folder of this use of the Action."""
    found = os.environ.get("SCHED_FOLDER", "")
    if not os.path.isdir(found):
        raise RequestError("SCHED_FOLDER names no folder", hint="this command is run by action.yml alone")
    return found


def write(name: str, data: bytes) -> str:
    """Write a file of this use of the Action; give its path."""
    writing.replace(find_folder(), name, data)
    return os.path.join(find_folder(), name)


def read(name: str) -> bytes:
    """Read a file that an earlier step has written."""
    data = files.read(find_folder(), name, limit=LIMIT)
    if isinstance(data, files.Refusal):
        raise RequestError(data.message, hint="an earlier step of the Action writes it")
    return data


def print_log(text: str) -> None:
    """Print what was made safe for a job's log."""
    write_out(text, utf8=True)
    sys.stdout.flush()
