"""JSON text: parsed, refused where JSON readers would disagree, and searched for positions on demand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from git_sched.formats.reading.marks import Mark
from git_sched.formats.reading.text import Lines
from git_sched.model.ids import escape
from git_sched.model.json_codec import RepeatedKeyError, end_of_value, load, load_unique
from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from git_sched.formats.reading.marks import Path


_AT = re.compile(r"(.*?) at line (\d+) column (\d+)$", re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)


def read(text: str, path: str) -> tuple[object, tuple[Problem, ...], bool]:
    """Parse a text; return the value, the problems, and whether the value can be used.

    ``NaN`` and ``Infinity``, which JSON does not have, are an error, but the rest can still be used.
    """
    try:
        value = load_unique(text)
    except RepeatedKeyError:
        return None, _repeated_keys(text, path), False
    except ValueError as error:
        return None, (_syntax(str(error), text, path),), False
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
        else "fix the JSON there; everything in this file is left out until then"
    )
    return Problem("error", code, f"this is not valid JSON: {reason}", path, line, column, hint)


def _repeated_keys(text: str, path: str) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            "error",
            "duplicate-key",
            f"the file gives the key {escape(str(mark.path[-1]))} twice",
            path,
            *(mark.key or mark.value),
            hint="keep one of them; readers would disagree about which one holds",
        )
        for mark in marks(text)
        if mark.repeated
    )


def _foreign_numbers(text: str, path: str) -> tuple[Problem, ...]:
    if "NaN" not in text and "Infinity" not in text:
        return ()
    from pydantic_core import from_json

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


def marks(text: str, wanted: Collection[Path] | None = None) -> Iterator[Mark]:
    """Yield the place of every value of a valid JSON text, keys included; iterative, in one pass.

    With ``wanted``, only the places of these paths. It must contain every path that leads to one of them: all other
    lists and mappings are skipped as a whole.
    """
    at = Lines(text)
    path: list[str | int] = []
    seen: list[set[str]] = []
    key: int | None = None
    repeated = False
    expects_key = False
    tokens = _TOKEN.finditer(text)
    while match := next(tokens, None):
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
            name = str(load(token)) if "\\" in token else token[1:-1]
            key, repeated = match.start(), name in seen[-1]
            seen[-1].add(name)
            path[-1] = name
        else:
            here = tuple(path)
            found = wanted is None or here in wanted
            if found:
                yield Mark(here, at(match.start()), None if key is None else at(key), repeated)
            key, repeated = None, False
            if token in "{[" and not found:
                tokens = _TOKEN.finditer(text, end_of_value(text, match.start()))
            elif token in "{[":
                seen.append(set())
                path.append("" if token == "{" else 0)
                expects_key = token == "{"
