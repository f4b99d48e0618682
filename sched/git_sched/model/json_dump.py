"""JSON as bytes: the one way out for records and log lines, whatever the names of files hold."""

from __future__ import annotations

import re
from json import JSONEncoder, dumps
from typing import Final

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
