"""The record of ``check``: what is wrong in task files and policy."""

from __future__ import annotations

from typing import Literal

from git_sched.record.base import Record
from git_sched.record.basis import BasisRecord, ProblemRecord, PublishRecord


class CheckRecord(Record):
    """The answer of ``check``."""

    schema_version: Literal[1]
    """Version of this shape."""
    kind: Literal["check"]
    """What kind of record this is."""
    graphs: int
    """Graphs that were read."""
    nodes: int
    """Tasks that were read, those in error included."""
    policies: int
    """Policy files that were read: 1 or 0."""
    problems: list[ProblemRecord]
    """What is wrong, in the requested files."""
    not_read: list[str]
    """Requested paths that are left out on purpose, such as a tracker's side file."""
    basis: BasisRecord
    """What was read."""
    publish: PublishRecord
    """What the policy allows in summaries, comments and pages."""
