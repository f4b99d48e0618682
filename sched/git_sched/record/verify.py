"""The record of ``verify``: which recorded decisions can be reproduced."""

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
    """Whether the same decision comes out again; not checkable where its commit is absent or its shape is older."""
    why: str
    """What differs, or why the line cannot be checked; empty where it is verified."""


class VerificationRecord(Record):
    """The answer of ``verify``."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["verification"]
    """What kind of record this is."""
    log: str
    """Path of the log."""
    checked: int
    """Number of lines that are recorded decisions."""
    verified: int
    """Number of lines for which the same decision comes out again."""
    mismatched: int
    """Number of lines for which another decision comes out."""
    not_checkable: int
    """Number of lines that cannot be checked."""
    rows: list[VerifiedRowRecord]
    """The first mismatches, then the first lines that cannot be checked; the numbers above are of all."""
