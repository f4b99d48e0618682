"""The result of a call that could not be answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from git_sched.model.json_codec import dump, load
from git_sched.record.base import Record
from git_sched.record.basis import ProblemRecord
from git_sched.render.layout import clean

if TYPE_CHECKING:
    from pydantic import ValidationError

LONGEST = 600
"""Characters of a message that are shown; it may quote arguments, which can be of any length."""

SHOWN = 10
"""Number of invalid arguments that an error names."""


class FailureReason(Record):
    """Why a call could not be answered, and what to do."""

    message: str
    """What went wrong, in one sentence; it may quote the arguments."""
    hint: str
    """What to do next; empty if the message tells it."""


class Failure(Record):
    """The result of a call that could not be answered."""

    schema_version: Literal[1]
    kind: Literal["error"]
    error: FailureReason
    problems: list[ProblemRecord]
    """The problems of the input, if they are why there is no answer."""


FailureRecord = tuple[str, Any]
"""A result as text, and as structured content."""


def report_failure(message: str, hint: str = "") -> FailureRecord:
    """Return the result of a call that failed: why, and what to do."""
    message, hint = clean(message, limit=LONGEST), clean(hint, limit=LONGEST)
    found: Failure = {
        "schema_version": 1,
        "kind": "error",
        "error": {"message": message, "hint": hint},
        "problems": [],
    }
    then = f"\nhint: {hint}" if hint else ""
    return f"error: {message}{then}", load(dump(found))


def report_invalid(error: ValidationError) -> FailureRecord:
    """Return the result of a call with invalid arguments: which ones, without repeating their values."""
    rows = [f"{'.'.join(map(str, row['loc']))}: {row['msg']}" for row in error.errors(include_input=False)]
    return report_failure(f"the arguments do not fit: {'; '.join(rows[:SHOWN])}")
