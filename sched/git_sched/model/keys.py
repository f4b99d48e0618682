"""The types that describe the keys of a policy and of a task graph; readers, schemas and pages are made from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Word = Literal[
    "text", "id", "name", "reference", "pattern", "true or false", "duration", "date", "end date", "anything"
]
"""Kinds without a range. A name is ids joined by slashes; a reference is an id or ``graph_id/node_id``.

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

    ``example`` is a value as YAML, for keys that are absent by default; ``absent`` says in words what applies then.
    """

    kind: Kind
    meaning: str
    example: str = ""
    absent: str = ""
    required: bool = False
    default: object = None


def keys_of(values: type) -> dict[str, Key]:
    """Return the keys of a NamedTuple by name: the fields annotated with a :class:`Key`, with their defaults."""
    defaults: Mapping[str, object] = getattr(values, "_field_defaults", {})
    return {
        name: key._replace(default=defaults.get(name))
        for name, annotation in values.__annotations__.items()
        for key in getattr(annotation, "__metadata__", ())
    }


def recorded(keys: Mapping[str, Key]) -> Iterator[tuple[str, str, Key]]:
    """Return each key as records have it: its name in a file, its name in a record, and the key.

    A duration is recorded as a number of seconds, under a name that ends in ``_seconds``.
    """
    for name, key in keys.items():
        if key.kind == "duration":
            yield name, f"{name}_seconds", key._replace(kind=SECONDS, meaning=f"{key.meaning} In seconds.")
        else:
            yield name, name, key


SECONDS = Whole(0, 999_999 * 86_400)
"""The range of a duration, in seconds: at most six digits of days."""
