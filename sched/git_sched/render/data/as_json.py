"""JSON: the record itself, as one object with keys in the order of its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.json_dump import dump

if TYPE_CHECKING:
    from collections.abc import Mapping


def render(found: Mapping[str, object]) -> str:
    """Render any record."""
    return dump(found, indent=2).decode() + "\n"
