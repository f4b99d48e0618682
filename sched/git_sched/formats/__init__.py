"""The formats of task files, one module each; :data:`FORMATS` is the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.formats import backlog, beads, kiro, native, speckit, taskmaster

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.formats.base import Blob, Claim, Format

FORMATS: Final[tuple[Format, ...]] = (
    native.FORMAT,
    taskmaster.FORMAT,
    beads.FORMAT,
    backlog.FORMAT,
    speckit.FORMAT,
    kiro.FORMAT,
)
"""Every format there is, in the order in which sources are listed."""


def by_name(name: str) -> Format | None:
    """Find a format by its name."""
    return next((known for known in FORMATS if known.name == name), None)


def detect(blob: Blob) -> Format | None:
    """Tell the format of a file named by hand: by its place, then by its shape; ``None`` if unknown.

    What has the ending of a native graph and the shape of no other format is read as native.
    """
    by_place = next((known for known in FORMATS if known.claim((blob.path,))), None)
    return by_place or next((known for known in (*FORMATS[1:], native.FORMAT) if known.suits(blob)), None)


def claim_all(paths: Iterable[str]) -> tuple[tuple[Format, Claim], ...]:
    """Give every source among the paths of a workspace, with the format that recognises it."""
    every = tuple(paths)
    return tuple((known, claim) for known in FORMATS for claim in known.claim(every))
