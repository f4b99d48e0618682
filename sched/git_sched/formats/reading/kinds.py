"""Readers of the kinds of values that keys may hold: each gives a value of its kind, or raises a misfit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from git_sched.formats.reading import fields
from git_sched.formats.reading.fields import InvalidValueError
from git_sched.model.ids import BAD_ID_HINT, did_you_mean, is_id
from git_sched.model.keys import ByFactor, ByGraph, Choice, Items, Key, Number, Table, Whole
from git_sched.model.times import parse_duration

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from git_sched.model.keys import Kind, Word


def _duration(value: object, *, hint: str = "write 90m, 4h or 2d") -> int:
    seconds = parse_duration(value) if isinstance(value, str) else None
    if seconds is None:
        raise InvalidValueError("wrong-type", f"is {fields.kind(value)}, not a duration", hint=hint)
    return seconds


def _duration_or_off(value: object) -> int | None:
    is_off = value is False or (isinstance(value, str) and value.lower() == "off")
    return None if is_off else _duration(value, hint="write 90m, 4h, 2d or off")


WORDS: Final[dict[Word, Callable[[object], object]]] = {
    "text": fields.text,
    "id": fields.identifier,
    "name": fields.name_part,
    "name or .": fields.repository,
    "reference": fields.reference,
    "pattern": fields.pattern,
    "true or false": fields.flag,
    "duration": _duration,
    "duration or off": _duration_or_off,
    "date": fields.time,
    "end date": partial(fields.time, end_of_day=True),
}


def readers_of(keys: Mapping[str, Key], *, factors: tuple[str, ...] = ()) -> dict[str, Callable[[object], object]]:
    """Give how each of some keys is read, but for those that are ignored; ``factors`` may have a weight."""
    return {name: reader_of(key.kind, factors=factors) for name, key in keys.items() if key.kind != "anything"}


def reader_of(kind: Kind, *, factors: Collection[str] = ()) -> Callable[[object], object]:
    """Give what reads values of a kind."""
    match kind:
        case Whole(low, high):
            return fields.integer(low, high)
        case Number(low, high, above):
            return fields.number(low, high, above=above)
        case Choice(words):
            return fields.one_of(words)
        case Items(of):
            return fields.sequence(reader_of(of, factors=factors))
        case Table():
            return fields.mapping if kind.is_open else _table(kind)
        case ByFactor(of):
            return _table(Table(dict.fromkeys(factors, Key(of, "A weight."))))
        case ByGraph(of):
            return _by_graph(reader_of(of, factors=factors))
        case _:
            return WORDS[kind]


def _table(kind: Table) -> Callable[[object], object]:
    read = _known_keys(readers_of(kind.keys))
    needed = [(name, key.example) for name, key in kind.keys.items() if key.required]

    def read_table(value: object) -> object:
        found = read({kind.short: value} if kind.short and isinstance(value, str) else value)
        for name, example in needed:
            if name not in found:
                raise InvalidValueError("missing-key", f"names no {name}", hint=f"write {{{name}: {example}}}")
        return kind.build(**found) if kind.build else tuple(found.items())

    return read_table


def _known_keys(readers: Mapping[str, Callable[[object], object]]) -> Callable[[object], dict[str, object]]:
    """Give a reader of mappings whose keys are all known; nulls count as absent."""

    def refuse(key: str) -> Callable[[object], object]:
        hint = did_you_mean(key, readers) or f"known here: {', '.join(readers)}"

        def unknown(_: object) -> object:
            raise InvalidValueError("unknown-key", "is not known here", hint=hint)

        return unknown

    def read(value: object) -> dict[str, object]:
        rows = fields.mapping(value).items()
        wanted = ((k, readers.get(k) or refuse(k), v) for k, v in rows if v is not None or k not in readers)
        return {str(key): found for key, found in fields.each(wanted)}

    return read


def _by_graph(reader: Callable[[object], object]) -> Callable[[object], object]:
    def refuse(_: object) -> object:
        raise InvalidValueError("bad-id", "is no graph id", hint=BAD_ID_HINT)

    def read(value: object) -> tuple[tuple[str | int, object], ...]:
        rows = fields.mapping(value).items()
        return tuple(fields.each((k, reader if is_id(k) else refuse, item) for k, item in rows if item is not None))

    return read
