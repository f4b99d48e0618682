"""The record of ``verify``: which recorded decisions can be derived again."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record


class VerifiedRowRecord(Record):
    """One line of the log."""

    line: int
    decision_id: str
    node: str
    result: Literal["verified", "mismatch", "not-checkable"]
    why: str
    """What differs, or why nothing can be said; empty where the line holds."""


class VerificationRecord(Record):
    """The answer of ``verify``."""

    schema_version: Literal[1]
    kind: Literal["verification"]
    log: str
    checked: int
    verified: int
    mismatched: int
    not_checkable: int
    rows: list[VerifiedRowRecord]
    """The first of those that do not hold, then of those that cannot be checked; the numbers above are of all."""
