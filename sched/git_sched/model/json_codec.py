"""JSON in and out: the one way in for task files, logs and side files, and the one way out for records and log lines.

The standard library parses, since importing pydantic-core costs a fifth of a cold answer. pydantic-core is asked for
its verdict where the two would disagree, and where the text is wrong: its errors name line and column.
"""

from __future__ import annotations

import re
from itertools import chain
from json import JSONDecoder, JSONEncoder, dumps
from typing import Any, Final

DEPTH: Final = 200
"""How deeply lists and mappings may be nested: as deeply as pydantic-core takes them."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_NESTS: Final = frozenset({dict, list})


class RepeatedKeyError(ValueError):
    """A mapping gives one key twice, and readers would disagree about which one holds."""


def load(data: str | bytes) -> object:
    """Parse a text; one that is no JSON raises a ValueError. Of a key that is given twice the last one holds."""
    return _load(data, _LAST)


def load_unique(text: str) -> object:
    """Parse a text as :func:`load` does; where it gives a key twice, raise a :class:`RepeatedKeyError`."""
    try:
        return _load(text, _UNIQUE)
    except RepeatedKeyError:
        _verdict(text)
        raise


def end_of_value(text: str, start: int) -> int:
    """Give where the value ends that begins at an offset into a valid text."""
    return _LAST.raw_decode(text, start)[1]


def _load(data: str | bytes, decoder: JSONDecoder) -> object:
    try:
        text = data if isinstance(data, str) else data.decode()
        value: object = decoder.decode(text)
    except RepeatedKeyError:
        raise
    except (ValueError, RecursionError):
        return _verdict(data)
    return _verdict(data) if _SURROGATE.search(text) or _deep(value) else value


def _verdict(data: str | bytes) -> object:
    from pydantic_core import from_json

    return from_json(data)


def _deep(value: object) -> bool:
    level: list[Any] = [value]
    for _ in range(DEPTH):
        inner = chain.from_iterable(v.values() if type(v) is dict else v for v in level if type(v) in _NESTS)
        level = [v for v in inner if type(v) in _NESTS]
        if not level:
            return False
    return True


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RepeatedKeyError("a key is given twice")
    return found


_LAST: Final = JSONDecoder()
_UNIQUE: Final = JSONDecoder(object_pairs_hook=_unique)


_UNSEEN: Final = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Controls, marks of direction, blanks of no width and tags, which JSON itself lets through."""


def dump(value: object, *, indent: int | None = None) -> bytes:
    """Give a value as JSON in UTF-8; what of a file's name is not UTF-8 is escaped, since JSON has no way for it.

    A runner obeys ``##[command]`` anywhere in a line of its log, and a terminal obeys controls and marks of direction,
    so these are written with an escape; they read the same.
    """
    separators = (",", ":") if indent is None else (",", ": ")
    encoder = JSONEncoder(ensure_ascii=False, indent=indent, separators=separators)
    try:
        data = _seen(encoder.encode(value)).encode()
    except UnicodeEncodeError:
        data = _seen(encoder.encode(_escaped(value))).encode()
    return data.replace(b"##[", b"#\\u0023[")


def _seen(text: str) -> str:
    """Escape what nobody would see; JSON of ours is ASCII outside of its texts, so it stands within one."""
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSEEN.sub(lambda found: dumps(found[0])[1:-1], text)


def _escaped(value: object) -> object:
    match value:
        case str():
            return value.encode(errors="backslashreplace").decode()
        case dict():
            return {_escaped(key): _escaped(item) for key, item in value.items()}
        case list() | tuple():
            return [_escaped(item) for item in value]
        case _:
            return value
