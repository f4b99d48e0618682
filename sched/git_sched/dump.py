"""JSON as bytes: the one way out for records and log lines, whatever the names of files hold."""

from __future__ import annotations

from json import JSONEncoder


def dump(value: object, *, indent: int | None = None) -> bytes:
    """Give a value as JSON in UTF-8; what of a file's name is not UTF-8 is escaped, since JSON has no way for it.

    A runner obeys ``##[command]`` anywhere in a line of its log, so that is written with an escape; it reads the same.
    """
    separators = (",", ":") if indent is None else (",", ": ")
    encoder = JSONEncoder(ensure_ascii=False, indent=indent, separators=separators)
    try:
        data = encoder.encode(value).encode()
    except UnicodeEncodeError:
        data = encoder.encode(_escaped(value)).encode()
    return data.replace(b"##[", b"#\\u0023[")


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
