"""Edits a policy as text: the keys that are set change, comments and order stay."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Sequence


class Change(NamedTuple):
    """One value to set: the keys that lead to it, and the value; ``None`` takes the key out."""

    path: tuple[str, ...]
    value: object


def edit_yaml(text: str, changes: Sequence[Change]) -> str:
    """Set values in a YAML text through a round-trip editor; comments, quotes and order are kept."""
    from ruamel.yaml import YAML

    editor = YAML()
    editor.preserve_quotes = True
    editor.width = 4096
    editor.indent(mapping=2, sequence=4, offset=2)
    root = editor.load(text) or editor.map()
    for change in changes:
        _set(root, change, editor.map)
    out = StringIO()
    editor.dump(root, out)
    return out.getvalue()


def edit_json(text: str, changes: Sequence[Change]) -> str:
    """Set values in a JSON text; the order of keys is kept."""
    root = from_json(text) if text.strip() else {}
    for change in changes:
        _set(root, change, dict)
    return to_json(root, indent=2).decode() + "\n"


def _set(root: Any, change: Change, make: Any) -> None:
    *above, last = change.path
    at = root
    for key in above:
        if at.get(key) is None:
            at[key] = make()
        at = at[key]
    if change.value is None:
        at.pop(last, None)
    else:
        at[last] = change.value
