"""What the steps of the Action share: the folder of this use, the runner's own files, and the job's log."""

from __future__ import annotations

import os
import sys
from typing import Final

from git_sched.model.problems import RequestError, WorldError
from git_sched.render.data.annotations import attribute, data
from git_sched.render.layout import clean
from git_sched.workspace import files, writing
from git_sched.workspace.streams import write_out

SUMMARY_LIMIT: Final = 1_000_000
"""Bytes of a step's summary; the runner drops one of more than 1 048 576 whole."""


def append(path: str, text: str) -> None:
    """Append to one of the runner's files; outside a job, where there is none, do nothing."""
    if not path:
        return
    try:
        with open(path, "ab") as file:
            file.write(text.encode(errors="backslashreplace"))
    except OSError as error:
        raise WorldError(f"the runner's file cannot be written: {error.strerror or error}") from None


def cut_summary(summary: str) -> str:
    """Keep a summary below the runner's limit, cut after a whole line."""
    raw = summary.encode(errors="backslashreplace")
    if len(raw) <= SUMMARY_LIMIT:
        return summary
    kept = raw[:SUMMARY_LIMIT].rpartition(b"\n")[0].decode(errors="ignore")
    return f"{kept}\n\n{len(raw) - len(kept.encode())} bytes are left out here; the record has them.\n"


def format_annotation(kind: str, text: str) -> str:
    """Write one annotation without a place: ``error``, ``warning`` or ``notice``."""
    return f"::{kind} title={attribute('git-sched')}::{data(clean(text, limit=2_000))}\n"


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
