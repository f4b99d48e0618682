"""Reads single values strictly: each reader returns a value of its type, or raises an InvalidValueError."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from git_sched.formats.reading.marks import AmbiguousScalar
from git_sched.model.graph import OWN_REPOSITORY
from git_sched.model.ids import BAD_ID_HINT, did_you_mean, escape, is_id, quote
from git_sched.model.times import parse_time

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from git_sched.formats.reading.marks import Path


T = TypeVar("T")


class InvalidValueError(Exception):
    """A value does not fit its key.

    ``path`` leads from the value that was read to the wrong one, through keys and list indexes from 0. ``more`` are
    further wrong values that were found with it, so that none hides another.
    """

    def __init__(self, code: str, message: str, *, hint: str = "", path: Path = ()) -> None:
        """Set code, message, hint and path of the problem that is made of this error."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.path = path
        self.more: tuple[InvalidValueError, ...] = ()

    def below(self, key: str | int) -> list[InvalidValueError]:
        """Return this error and those found with it, with the key or index of the outer value before their paths."""
        return [InvalidValueError(m.code, m.message, hint=m.hint, path=(key, *m.path)) for m in (self, *self.more)]


def where(path: Path) -> str:
    """Write a path: ``weights.urgency``, ``depends_on item 2``, ``sources item 1: path``."""
    text, after_item = "", False
    for step in path:
        if isinstance(step, int):
            text += f" item {step + 1}"
        else:
            text += f"{': ' if after_item else '.' if text else ''}{escape(step)}"
        after_item = isinstance(step, int)
    return text


def each(
    entries: Iterable[tuple[str | int, Callable[[object], T], object]],
) -> list[tuple[str | int, T]]:
    """Read several values, each with its key and its own reader; the errors of all are raised as one.

    Raises:
        InvalidValueError: at least one value is wrong; ``more`` has the others.
    """
    values: list[tuple[str | int, T]] = []
    wrong: list[InvalidValueError] = []
    for key, reader, value in entries:
        try:
            values.append((key, reader(value)))
        except InvalidValueError as misfit:
            wrong.extend(misfit.below(key))
    if wrong:
        wrong[0].more = tuple(wrong[1:])
        raise wrong[0]
    return values


def kind(value: object) -> str:
    """Describe a value and its kind so that its author recognizes it."""
    match value:
        case AmbiguousScalar():
            return f"the unquoted word {escape(value, limit=40)}"
        case str():
            return f"the text {quote(value, limit=40)}"
        case bool():
            return f"the truth value {str(value).lower()}"
        case int() | float():
            return f"the number {value!r:.40}"
        case None:
            return "empty"
        case list():
            return "a list"
        case _:
            return "a mapping"


def text(value: object) -> str:
    """Read a text; unquoted words that YAML readers take for numbers, dates or booleans are refused.

    Raises:
        InvalidValueError: the value is not text.
    """
    if type(value) is str:
        return value
    hint = (
        f'put it in quotes: "{escape(value, limit=40)}"' if isinstance(value, AmbiguousScalar) else "put text in quotes"
    )
    raise InvalidValueError("wrong-type", f"is {kind(value)}, not text", hint=hint)


def identifier(value: object) -> str:
    """Read an id, as ``ids.is_id`` allows it; numbers are never ids.

    Raises:
        InvalidValueError: the value is not an id.
    """
    found = text(value)
    if not is_id(found):
        raise InvalidValueError("bad-id", f"{quote(found)} cannot be an id", hint=BAD_ID_HINT)
    return found


def reference(value: object) -> str:
    """Read a dependency: an id of this graph, or ``graph_id/node_id``.

    Raises:
        InvalidValueError: the value is not an id, nor two joined by a slash.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        hint = f'ids are text: "{value!r:.40}"'
        raise InvalidValueError("wrong-type", f"is {kind(value)}, which matches no id", hint=hint)
    found = text(value)
    graph_id, slash, node_id = found.partition("/")
    if not is_id(graph_id) or (slash and not is_id(node_id)):
        raise InvalidValueError("bad-id", f"{quote(found)} cannot name a node", hint=BAD_ID_HINT)
    return found


def name_part(value: object) -> str:
    """Read a project or repository name: ids joined by single slashes, surrounding spaces stripped.

    Raises:
        InvalidValueError: the value is not such a name.
    """
    found = _stripped_name(text(value))
    if found is None:
        raise InvalidValueError(
            "bad-id", f"{quote(text(value))} cannot be a name", hint=f"the parts of a name are ids: {BAD_ID_HINT}"
        )
    return found


def repository(value: object) -> str:
    """Read the name of a repository, or ``.`` for the workspace's own.

    Raises:
        InvalidValueError: the value is neither.
    """
    return OWN_REPOSITORY if text(value).strip() == OWN_REPOSITORY else name_part(value)


@lru_cache(maxsize=4096)
def _stripped_name(name: str) -> str | None:
    # A backlog names the same few repositories many times.
    found = name.strip()
    return found if all(is_id(part) for part in found.split("/")) else None


def pattern(value: object) -> str:
    """Read a gitignore-style pattern.

    Raises:
        InvalidValueError: the value is not text, or not a valid pattern.
    """
    found = text(value)
    if ("\\" in found or found.strip() == "!") and not is_pattern(found):  # no other pattern can be invalid
        hint = "write / between folders, and a backslash only before the character it makes literal"
        raise InvalidValueError("bad-pattern", f"{quote(found)} is no pattern", hint=hint)
    return found


def integer(low: int, high: int) -> Callable[[object], int]:
    """Return a reader of whole numbers from ``low`` to ``high``; it raises an InvalidValueError for any other value."""

    def read(value: object) -> int:
        if type(value) is not int:
            raise InvalidValueError(
                "wrong-type", f"is {kind(value)}, not a whole number", hint="write a whole number, unquoted"
            )
        if not low <= value <= high:
            allowed = f"it must be {low}" if low == high else f"it may be {low} to {high}"
            raise InvalidValueError("out-of-range", f"is {value!r:.40}", hint=allowed)
        return value

    return read


def number(low: float, high: float, *, above: bool = False) -> Callable[[object], float]:
    """Return a reader of finite numbers from ``low`` to ``high``, with ``above`` without ``low`` itself."""

    def read(value: object) -> float:
        if type(value) is not int and type(value) is not float:
            raise InvalidValueError("wrong-type", f"is {kind(value)}, not a number", hint="write a number, unquoted")
        if not low <= value <= high or (above and value == low):
            bound = f"more than {low:g}" if above else f"{low:g} or more"
            raise InvalidValueError("out-of-range", f"is {value!r:.40}", hint=f"it may be {bound}, at most {high:g}")
        return float(value)

    return read


def flag(value: object) -> bool:
    """Read ``true`` or ``false``.

    Raises:
        InvalidValueError: the value is anything else.
    """
    if type(value) is not bool:
        raise InvalidValueError("wrong-type", f"is {kind(value)}, not a truth value", hint="write true or false")
    return value


def time(value: object, *, end_of_day: bool = False) -> int:
    """Read an ISO 8601 date or time as seconds since 1970; YAML dates need no quotes.

    Raises:
        InvalidValueError: the value is not a date or time.
    """
    found = parse_time(value, end_of_day=end_of_day) if isinstance(value, str) else None
    if found is None:
        raise InvalidValueError(
            "wrong-type", f"is {kind(value)}, not a date", hint="write 2026-11-03 or 2026-11-03T09:30:00Z"
        )
    return found


def one_of(words: Collection[str]) -> Callable[[object], str]:
    """Return a reader that accepts these words only."""

    def read(value: object) -> str:
        found = text(value)
        if found not in words:
            allowed = ", ".join(words)
            near = did_you_mean(found.lower(), words)
            raise InvalidValueError("unknown-word", f"is {quote(found)}", hint=f"{near} it may be {allowed}".strip())
        return found

    return read


def sequence(reader: Callable[[object], T]) -> Callable[[object], tuple[T, ...]]:
    """Return a reader of lists whose items another reader accepts."""

    def read(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise InvalidValueError(
                "wrong-type", f"is {kind(value)}, not a list", hint="write a list, also for a single item"
            )
        try:
            return tuple([reader(item) for item in value])
        except InvalidValueError:  # read each, so that no error hides another
            return tuple(item for _, item in each((position, reader, item) for position, item in enumerate(value)))

    return read


def mapping(value: object) -> dict[str, object]:
    """Read a mapping; its keys must be text.

    Raises:
        InvalidValueError: the value is not a mapping, or has another key.
    """
    if not isinstance(value, dict):
        raise InvalidValueError("wrong-type", f"is {kind(value)}, not a mapping", hint="write key: value pairs")
    return value


def is_pattern(text: str) -> bool:
    """Return whether a text can be read as a gitignore-style pattern."""
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([text])
    except ValueError:
        return False
    return True
