"""Files and log that the steps of the Action share: the folder of this use, the runner's files, the job's log."""

from __future__ import annotations

import os
import sys
from typing import Final

from git_sched.model.problems import RequestError, WorldError
from git_sched.render.data.annotations import attribute, data
from git_sched.render.layout import clean
from git_sched.workspace import files, places, writing
from git_sched.workspace.streams import write_out

SUMMARY_LIMIT: Final = 1_000_000
"""Size limit in bytes of a step's summary; the runner drops the whole of one with more than 1 048 576."""


def append(path: str, text: str) -> None:
    """Append to one of the runner's files; do nothing if ``path`` is empty, as it is outside of a job.

    Raises:
        WorldError: the file cannot be written.
    """
    if not path:
        return
    try:
        with open(path, "ab") as file:
            file.write(text.encode(errors="backslashreplace"))
    except OSError as error:
        raise WorldError(f"the runner's file cannot be written: {error.strerror or error}") from None


def cut_summary(summary: str) -> str:
    """Return a summary cut to the runner's limit, after a whole line."""
    raw = summary.encode(errors="backslashreplace")
    if len(raw) <= SUMMARY_LIMIT:
        return summary
    kept = raw[:SUMMARY_LIMIT].rpartition(b"\n")[0].decode(errors="ignore")
    return f"{kept}\n\n{len(raw) - len(kept.encode())} bytes are left out here; the record has them.\n"


def format_annotation(kind: str, text: str) -> str:
    """Return an annotation without a place; ``kind`` is ``error``, ``warning`` or ``notice``."""
    return f"::{kind} title={attribute('git-sched')}::{data(clean(text, limit=2_000))}\n"


LIMIT: Final = 64 << 20
"""Size limit in bytes of a file of an earlier step."""


def find_folder() -> str:
    """Return the folder of this use of the Action.

    Raises:
        RequestError: SCHED_FOLDER does not name a folder.
        WorldError: it cannot be looked at.
    """
    found = os.environ.get("SCHED_FOLDER", "")
    if not found or not places.is_folder(found):
        raise RequestError("SCHED_FOLDER names no folder", hint="this command is run by action.yml alone")
    return found


def write(name: str, data: bytes) -> str:
    """Write a file of this use of the Action; return its path."""
    writing.replace(find_folder(), name, data)
    return os.path.join(find_folder(), name)


def read(name: str) -> bytes:
    """Read a file that an earlier step wrote.

    Raises:
        RequestError: the file cannot be read.
    """
    data = files.read(find_folder(), name, limit=LIMIT)
    if isinstance(data, files.Refusal):
        raise RequestError(data.message, hint="an earlier step of the Action writes it")
    return data


def print_log(text: str) -> None:
    """Print text that is already safe to a job's log."""
    write_out(text, utf8=True)
    sys.stdout.flush()
