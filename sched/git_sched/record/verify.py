"""The record of ``verify``: which recorded decisions can be derived again."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record


class VerifiedRowRecord(Record):
    """One line of the log."""

    line: int
    """Its number, from 1."""
    decision_id: str
    """The id it records."""
    node: str
    """Full name of the task it records."""
    result: Literal["verified", "mismatch", "not-checkable"]
    """Whether the same comes out again; not checkable where its commit is absent or its shape is older."""
    why: str
    """What differs, or why nothing can be said; empty where the line holds."""


class VerificationRecord(Record):
    """The answer of ``verify``."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["verification"]
    """What kind of record this is."""
    log: str
    """Path of the log."""
    checked: int
    """Lines that are recorded decisions."""
    verified: int
    """Lines for which the same comes out again."""
    mismatched: int
    """Lines for which something else comes out."""
    not_checkable: int
    """Lines that cannot be checked."""
    rows: list[VerifiedRowRecord]
    """The first of those that do not hold, then of those that cannot be checked; the numbers above are of all."""
