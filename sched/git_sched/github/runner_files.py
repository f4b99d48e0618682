"""What a step tells the runner: lines of its files, and annotations, escaped as the runner reads them."""

from __future__ import annotations

from typing import Final

from git_sched.model.problems import WorldError
from git_sched.render.data.annotations import attribute, data
from git_sched.render.layout import clean

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
