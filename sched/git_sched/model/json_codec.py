"""JSON in and out: the one way in for task files, logs and side files, and the one way out for records and log lines.

The standard library parses, since importing pydantic-core costs a fifth of a cold answer. pydantic-core is asked for
its verdict where the two would disagree, and where the text is wrong: its errors name line and column.
"""

from __future__ import annotations

import re
from itertools import chain
from json import JSONDecoder, JSONEncoder
from typing import Any, Final

from git_sched.model.characters import escape_json, spell_surrogates

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


def dump(value: object, *, indent: int | None = None) -> bytes:
    """Return a value as JSON in UTF-8, safe to print.

    Invisible characters are escaped, as is a ``##[`` that a GitHub runner would obey; both parse to the same value.
    What is not UTF-8 in a file's name is spelled out, since JSON cannot hold it.
    """
    separators = (",", ":") if indent is None else (",", ": ")
    encoder = JSONEncoder(ensure_ascii=False, indent=indent, separators=separators)
    text = encoder.encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = encoder.encode(_spelled(value))
    return escape_json(text).replace("##[", "#\\u0023[").encode()


def _spelled(value: object) -> object:
    match value:
        case str():
            return spell_surrogates(value)
        case dict():
            return {_spelled(key): _spelled(item) for key, item in value.items()}
        case list() | tuple():
            return [_spelled(item) for item in value]
        case _:
            return value
