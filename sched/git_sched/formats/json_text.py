"""JSON text: parsed by pydantic-core, refused where readers would disagree, and walked for positions on demand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_core import from_json

from git_sched.formats.marks import Mark
from git_sched.formats.text import Lines
from git_sched.ids import shown
from git_sched.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_AT = re.compile(r"(.*?) at line (\d+) column (\d+)$", re.DOTALL)
_KEY = re.compile(r'"[ \t\r\n]*:')
_SPACED_COLON = (" :", "\t:", "\n:", "\r:")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


def read(text: str, path: str) -> tuple[object, tuple[Problem, ...], bool]:
    """Parse a text; give the value, the problems, and whether the value may be used.

    ``NaN`` and ``Infinity``, which JSON does not have, are an error of their own that leaves the rest readable.
    """
    try:
        value = from_json(text, cache_strings="keys")
    except ValueError as error:
        return None, (_syntax(str(error), text, path),), False
    if problems := _repeated_keys(value, text, path):
        return None, problems, False
    return value, _foreign_numbers(text, path), True


def _syntax(error: str, text: str, path: str) -> Problem:
    if not text.strip():
        return Problem("error", "syntax", "the file is empty", path, hint="fill it, or delete it")
    found = _AT.match(error)
    reason, line, column = (found[1], int(found[2]), max(int(found[3]), 1)) if found else (error, None, None)
    code = "too-deep" if "recursion" in reason else "syntax"
    reason = "values are nested too deeply" if code == "too-deep" else reason
    hint = (
        "flatten the value"
        if code == "too-deep"
        else "mend the JSON there; everything in this file is left out until then"
    )
    return Problem("error", code, f"this is not valid JSON: {reason}", path, line, column, hint)


def _repeated_keys(value: object, text: str, path: str) -> tuple[Problem, ...]:
    # Every key ends in a quote and a colon, so the text holds at least as many of those as there are keys; as many
    # as the parsed value kept means that none was dropped. Only otherwise is the text walked.
    spaced = any(pair in text for pair in _SPACED_COLON)
    written = len(_KEY.findall(text)) if spaced else text.count('":')
    if written == _count_keys(value):
        return ()
    return tuple(
        Problem(
            "error",
            "duplicate-key",
            f"the file gives the key {shown(str(mark.path[-1]))} twice",
            path,
            *(mark.key or mark.value),
            hint="keep one of them; readers would disagree about which one holds",
        )
        for mark in marks(text)
        if mark.repeated
    )


def _count_keys(value: object) -> int:
    count, stack = 0, [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            count += len(item)
            inner: Iterable[object] = item.values()
        else:
            inner = item if isinstance(item, list) else ()
        stack.extend([v for v in inner if type(v) is dict or type(v) is list])
    return count


def _foreign_numbers(text: str, path: str) -> tuple[Problem, ...]:
    if "NaN" not in text and "Infinity" not in text:
        return ()
    try:
        from_json(text, allow_inf_nan=False)
    except ValueError as error:
        found = _AT.match(str(error))
        line, column = (int(found[2]), max(int(found[3]), 1)) if found else (None, None)
        return (
            Problem(
                "error",
                "syntax",
                "the file holds NaN or Infinity, which JSON does not have",
                path,
                line,
                column,
                hint="write a number, or leave the key out",
            ),
        )
    return ()


def marks(text: str) -> Iterator[Mark]:
    """Walk a valid JSON text and give the place of every value, keys included; iterative, in one pass."""
    at = Lines(text)
    path: list[str | int] = []
    seen: list[set[str]] = []
    key: tuple[int, int] | None = None
    repeated = False
    expects_key = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "}]":
            seen.pop()
            path.pop()
            expects_key = False
        elif token == ",":
            step = path[-1]
            path[-1] = step + 1 if isinstance(step, int) else step
            expects_key = isinstance(step, str)
        elif token == ":":
            expects_key = False
        elif expects_key:
            name = str(from_json(token))
            key, repeated = at(match.start()), name in seen[-1]
            seen[-1].add(name)
            path[-1] = name
        else:
            yield Mark(tuple(path), at(match.start()), key, repeated)
            key, repeated = None, False
            if token in "{[":
                seen.append(set())
                path.append("" if token == "{" else 0)
                expects_key = token == "{"
