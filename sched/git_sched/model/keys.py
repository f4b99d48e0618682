"""The types that describe the keys of a policy and of a task graph; readers, schemas and pages are made from them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from git_sched.model.ids import is_id
from git_sched.model.times import format_time, write_duration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Word = Literal[
    "text", "id", "name", "name or .", "reference", "pattern", "true or false", "duration", "duration or off", "date",
    "end date", "anything",
]  # fmt: skip
"""Kinds without a range. A name is ids joined by slashes, ``.`` is the workspace's own repository, and a reference is
an id or ``graph_id/node_id``. ``off`` is also false in JSON and YAML, and ``None`` here.

A date without a time is the start of its day; an end date without a time is the end of its day.
"""


class Whole(NamedTuple):
    """A whole number, both ends included."""

    low: int
    high: int


class Number(NamedTuple):
    """A finite number, both ends included; with ``above`` the lower end is excluded."""

    low: float
    high: float
    above: bool = False


class Choice(NamedTuple):
    """One word of a list."""

    words: tuple[str, ...]


class Items(NamedTuple):
    """A list whose items are all of one kind."""

    of: Kind


class Table(NamedTuple):
    """A mapping with known keys.

    ``build`` makes the value from the keys that are present; without it they stay pairs. ``short`` is the key whose
    value a plain text in place of the mapping is. ``is_open`` allows further keys.
    """

    keys: Mapping[str, Key]
    build: Callable[..., object] | None = None
    short: str = ""
    is_open: bool = False


class ByFactor(NamedTuple):
    """A mapping from names of factors to numbers."""

    of: Number


class ByGraph(NamedTuple):
    """A mapping from graph ids to values of one kind."""

    of: Kind


Kind = Word | Whole | Number | Choice | Items | Table | ByFactor | ByGraph


class Key(NamedTuple):
    """A key of a file: what it may hold, and what it means in one sentence that is true in files and in records.

    ``default`` is the value that holds where a file leaves the key out, in the types of the program: seconds for a
    duration, a tuple for a list. Keys without one have ``example``, a value as YAML, and ``absent``, which says in
    words what holds then. Where a key has all of them, the default wins; see :func:`keys_of`.
    """

    kind: Kind
    meaning: str
    example: str = ""
    absent: str = ""
    required: bool = False
    default: object = None


def keys_of(values: type) -> dict[str, Key]:
    """Give the keys of a NamedTuple by name: the fields that are annotated with a :class:`Key`, with their defaults.

    A key whose default can be written in a file loses the words for its absence.
    """
    defaults: Mapping[str, object] = getattr(values, "_field_defaults", {})
    found = {
        name: key._replace(default=defaults.get(name))
        for name, annotation in values.__annotations__.items()
        for key in getattr(annotation, "__metadata__", ())
    }
    return {name: key._replace(absent="") if write_default(key) else key for name, key in found.items()}


Written = str | int | float | list["Written"] | dict[str, "Written"]
"""A value as a file holds it, in the types of JSON."""


def find_default(key: Key) -> Written | None:
    """Give the default of a key as a file holds it; ``None`` without one, and for mappings whose keys have their own.

    An empty list or mapping is no default: the key's ``absent`` says what it means.
    """
    return None if key.default in (None, ()) or isinstance(key.kind, Table) else _as_written(key.default, key.kind)


def write_default(key: Key) -> str:
    """Write the default of a key as YAML in one line; empty where :func:`find_default` gives ``None``."""
    value = find_default(key)
    if value is None:
        return ""
    return value if isinstance(value, str) and is_id(value) else json.dumps(value)


def _as_written(value: object, kind: Kind) -> Written:
    match kind, value:
        case "duration" | "duration or off", int(seconds):
            return write_duration(seconds)
        case "date" | "end date", int(seconds):
            return format_time(seconds)
        case Items(of), tuple(items):
            return [_as_written(item, of) for item in items]
        case ((ByFactor(of) | ByGraph(of)), tuple(pairs)):
            return {name: _as_written(own, of) for name, own in pairs}
        case _:
            return cast("Written", value)


def recorded(keys: Mapping[str, Key]) -> Iterator[tuple[str, str, Key]]:
    """Return each key as records have it: its name in a file, its name in a record, and the key.

    A duration is recorded as a number of seconds, under a name that ends in ``_seconds``; where it is off, as null.
    """
    for name, key in keys.items():
        if key.kind == "duration":
            yield name, f"{name}_seconds", key._replace(kind=SECONDS, meaning=f"{key.meaning} In seconds.")
        elif key.kind == "duration or off":
            meaning = f"{key.meaning} In seconds; null: off."
            yield name, f"{name}_seconds", key._replace(kind=SECONDS, meaning=meaning, default=None)
        else:
            yield name, name, key


SECONDS = Whole(0, 999_999 * 86_400)
"""The range of a duration, in seconds: at most six digits of days."""
