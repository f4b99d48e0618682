"""The formats of task files, one for each tracker; each reads bytes into graphs and problems."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from git_sched.formats.base import below_any_folder, endings
from git_sched.formats.places import PLACES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.formats.base import Claim, Format
    from git_sched.model.blob import Blob


def by_name(name: str) -> Format | None:
    """Find a format by its name."""
    if name not in PLACES:
        return None
    found: Format = import_module(f"git_sched.formats.{name}").FORMAT
    return found


def every() -> tuple[Format, ...]:
    """Return all formats, in the order in which sources are listed."""
    return tuple(found for name in PLACES if (found := by_name(name)))


def detect(blob: Blob) -> Format | None:
    """Return the format of a file named by the user: by its path, then by its content; ``None`` if unknown.

    A file with the ending of a native graph that no other format recognizes is read as native.
    """
    native, *foreign = every()
    by_place = next((known for known in (native, *foreign) if known.claim((blob.path,))), None)
    return by_place or next((known for known in (*foreign, native) if known.suits(blob)), None)


def claim_all(paths: Iterable[str]) -> tuple[tuple[Format, Claim], ...]:
    """Return every source among the paths of a workspace, with the format that recognizes it."""
    given = tuple(paths)
    present = (found for name in PLACES if _taken(given, PLACES[name]) and (found := by_name(name)))
    return tuple((known, claim) for known in present for claim in known.claim(given))


def _taken(paths: tuple[str, ...], places: tuple[str, ...]) -> bool:
    pattern, ends = below_any_folder(places), endings(places)
    return any(path.endswith(ends) and pattern.fullmatch(path) for path in paths)
