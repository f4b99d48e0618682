"""JSON: parses task files, logs and side files, and writes records and log lines.

The standard library parses, since importing pydantic-core takes a fifth of the time of a first answer. pydantic-core
decides where the two would disagree, and where the text is invalid: its errors name line and column.
"""

from __future__ import annotations

import re
from itertools import chain
from json import JSONDecoder, JSONEncoder
from typing import Any, Final

from git_sched.model.characters import escape_json, spell_surrogates

DEPTH: Final = 200
"""The number of levels of lists and mappings that are accepted: as many as pydantic-core accepts."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_NESTS: Final = frozenset({dict, list})


class RepeatedKeyError(ValueError):
    """A mapping has one key twice, and readers would disagree about which value counts."""


def load(data: str | bytes) -> object:
    """Parse a text; where a key is there twice, the last value counts.

    Raises:
        ValueError: the text is not JSON, or is nested too deeply.
    """
    return _load(data, _LAST)


def load_unique(text: str) -> object:
    """Parse a text in which no key is there twice.

    Raises:
        RepeatedKeyError: a mapping has a key twice.
        ValueError: the text is not JSON, or is nested too deeply.
    """
    try:
        return _load(text, _UNIQUE)
    except RepeatedKeyError:
        _verdict(text)
        raise


def end_of_value(text: str, start: int) -> int:
    """Return the offset at which a value ends that starts at ``start`` in a valid text."""
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

    Invisible characters are escaped, and so is ``##[``, which a GitHub runner would obey; the text parses to the same
    value. Bytes of a file name that are not UTF-8 are spelled out, since JSON cannot hold them.
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
