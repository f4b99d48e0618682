"""Fits lists into a compact record: first rows first, as long as there is room, and counts what is left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from git_sched.model.json_codec import dump
from git_sched.render.layout import TITLE, clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Row = dict[str, Any]
"""A mapping of a compact record, as JSON has it."""

LIMIT: Final = 7_500
"""Characters of a compact record as it is sent: once as structured content, and once more as text inside JSON."""

_TEXT: Final = 200
_CUT: Final = {"id": 420, "ids": 420, "title": TITLE, "why": 300, "message": 300, "hint": 300}
"""Characters that a text keeps, by its key; ids are never longer than that."""

_KEY: Final = 24
"""Characters that a list takes besides its rows, and its count among what is left out, besides its name."""


class Part(NamedTuple):
    """A list of a compact record: its rows, the most important first, and how many of them it has at most.

    ``total`` is how many rows there are where the record does not list them all.
    """

    key: str
    rows: Sequence[Any]
    most: int
    total: int = 0


def build(kind: str, head: Mapping[str, Any], parts: Iterable[Part]) -> Row:
    """Build a compact record: the head, the rows of the parts that fit into :data:`LIMIT`, and the number of others."""
    parts = tuple(parts)
    found: Row = {"kind": kind, "full": False, **row(**head)}
    room = LIMIT - measure(found) - sum(2 * (_KEY + 2 * len(part.key)) for part in parts) - 2 * _KEY
    left_out = {}
    for part in parts:
        rows, room = _fit(part.rows[: part.most], room)
        if rows:
            found[part.key] = rows
        if more := max(part.total, len(part.rows)) - len(rows):
            left_out[part.key] = more
    return {**found, "left_out": left_out} if left_out else found


def _fit(rows: Sequence[Any], room: int) -> tuple[list[Any], int]:
    """Return the first rows that fit, and the room that is then left."""
    kept = []
    for each in rows:
        one = each if isinstance(each, dict) else _clean("id", each)
        cost = measure(one) + 2
        if cost > room:
            break
        kept.append(one)
        room -= cost
    return kept, room


def measure(value: object) -> int:
    """Count the characters of a value as it is sent: as JSON, and as JSON inside a text of JSON."""
    text = dump(value).decode()
    return len(text) + len(json.dumps(text, ensure_ascii=False)) - 2


def row(**keys: Any) -> Row:  # noqa: ANN401 - values of JSON
    """Build a row: without keys that say nothing (null, false, empty), texts on one line and cut, numbers rounded."""
    cleaned = {key: _clean(key, value) for key, value in keys.items()}
    return {key: value for key, value in cleaned.items() if value or (value == 0 and value is not False)}


def _clean(key: str, value: Any) -> Any:  # noqa: ANN401 - a value of JSON
    match value:
        case str():
            return clean(value, limit=_CUT.get(key, _TEXT))
        case float():
            return int(value) if value.is_integer() else round(value, 3)
        case list() | tuple():
            return [_clean("id", item) for item in value]
        case dict():
            return {_clean("id", name): _clean(str(name), item) for name, item in value.items()}
        case _:
            return value
