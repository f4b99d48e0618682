"""Reads a policy file: git-sched's own (``version: 1``) strictly, metagit's ``policy.json`` as metagit does."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.reading import fields
from git_sched.formats.reading.document import read_document
from git_sched.formats.reading.fields import InvalidValueError
from git_sched.model.ids import BAD_ID_HINT, did_you_mean, escape, is_id
from git_sched.model.policy import (
    METAGIT_FACTORS,
    PLAN_LIMIT,
    PRESETS,
    WEIGHT_LIMIT,
    Limits,
    Policy,
    Publish,
    SourceEntry,
)
from git_sched.model.problems import Problem
from git_sched.model.times import parse_duration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from git_sched.formats.reading.marks import Path
    from git_sched.model.blob import Blob
    from git_sched.model.problems import Severity

POLICY_PATHS: Final = tuple(f".metagit/schedule/policy.{ending}" for ending in ("yml", "yaml", "json"))

_COUNT: Final = fields.integer(1, 1_000_000_000)


def _table(readers: Mapping[str, Callable[[object], object]]) -> Callable[[object], dict[str, object]]:
    """Return a reader of mappings with these keys only; nulls count as absent."""

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


def _weights(factors: Sequence[str], low: float) -> Callable[[object], tuple[tuple[str, float], ...]]:
    reader = fields.number(low, WEIGHT_LIMIT)
    table = _table(dict.fromkeys(factors, reader))
    return lambda value: tuple((name, float(str(weight))) for name, weight in table(value).items())


def _overrides(
    factors: Sequence[str], low: float
) -> Callable[[object], tuple[tuple[str, tuple[tuple[str, float], ...]], ...]]:
    weights = _weights(factors, low)

    def refuse(_: object) -> tuple[tuple[str, float], ...]:
        raise InvalidValueError("bad-id", "is no graph id", hint=BAD_ID_HINT)

    def read(value: object) -> tuple[tuple[str, tuple[tuple[str, float], ...]], ...]:
        rows = fields.mapping(value).items()
        wanted = ((k, weights if is_id(k) else refuse, table) for k, table in rows if table is not None)
        return tuple((str(graph_id), table) for graph_id, table in fields.each(wanted))

    return read


def _duration(value: object) -> int:
    seconds = parse_duration(value) if isinstance(value, str) else None
    if seconds is None:
        raise InvalidValueError("wrong-type", f"is {fields.kind(value)}, not a duration", hint="write 90m, 4h or 2d")
    return seconds


def _source(value: object) -> SourceEntry:
    if isinstance(value, str):
        return SourceEntry(fields.text(value))
    found = _table({"path": fields.text, "format": fields.text})(value)
    if "path" not in found:
        raise InvalidValueError("missing-key", "names no path", hint="write {path: plan/tasks.yml}")
    return SourceEntry(str(found["path"]), None if "format" not in found else str(found["format"]))


_LIMITS: Final = _table(dict.fromkeys(Limits._fields, fields.integer(0, 1_000_000_000)))
_PUBLISH: Final = _table({"titles": fields.flag, "repositories": fields.one_of(("all", "own"))})
_DISPATCH: Final = _table(
    {
        "template_id": fields.identifier,
        "vendor": fields.identifier,
        "scope": fields.one_of(("project", "user")),
        "prompt_kind": fields.identifier,
    }
)

Readers = dict[str, "Callable[[object], object]"]
"""How each key of a policy is read."""


@cache
def own_readers(factors: tuple[str, ...]) -> Readers:
    """Return the reader of each key of a policy with ``version: 1``; the names in ``factors`` may have a weight."""
    return {
        "version": fields.integer(1, 1),
        "preset": fields.one_of(tuple(PRESETS)),
        "weights": _weights(factors, 0),
        "graph_overrides": _overrides(factors, 0),
        "agent_pool": fields.sequence(fields.identifier),
        "limits": lambda value: Limits(**_LIMITS(value)),  # type: ignore[arg-type]  # _LIMITS reads integers alone
        "merge_queue_threshold": _COUNT,
        "merge_pressure_penalty": fields.number(0, WEIGHT_LIMIT),
        "skip_on_merge_pressure": fields.flag,
        "on_cancelled": fields.one_of(("block", "satisfy")),
        "redispatch_after": _duration,
        "fairness_window": _COUNT,
        "tokens_per_minute": fields.number(0, 1e9, above=True),
        "lookahead": fields.integer(0, PLAN_LIMIT),
        "lookahead_agents": _COUNT,
        "cold_start_minutes": fields.number(0, 1e6),
        "repository": fields.name_part,
        "sources": fields.sequence(_source),
        "exclude": fields.sequence(fields.text),
        "dispatch": lambda value: tuple((k, str(v)) for k, v in _DISPATCH(value).items()),
        "publish": lambda value: Publish(**_PUBLISH(value)),  # type: ignore[arg-type]  # _PUBLISH reads these types
    }


@cache
def metagit_readers(factors: tuple[str, ...]) -> Readers:
    """Return the reader of each key of metagit's ``policy.json``."""
    return {
        "weights": _weights(factors, -WEIGHT_LIMIT),
        "graph_overrides": _overrides(factors, -WEIGHT_LIMIT),
        "merge_queue_threshold": _COUNT,
        "merge_pressure_penalty": fields.number(-WEIGHT_LIMIT, WEIGHT_LIMIT),
        "skip_on_merge_pressure": fields.flag,
    }


class _Unplaced(NamedTuple):
    """A problem without its line and column yet: the path that leads to a value or, with ``at_key``, to its key."""

    path: Path
    severity: Severity
    code: str
    message: str
    hint: str
    at_key: bool = False


class PolicyRead(NamedTuple):
    """A policy as read; ``policy`` is ``None`` if there is an error in it."""

    policy: Policy | None
    problems: tuple[Problem, ...]


def parse(blob: Blob, *, factors: tuple[str, ...]) -> PolicyRead:
    """Read a policy file; any error refuses the whole file, since a decision by a wrong policy is worse than none.

    ``factors`` are the names that may have a weight.
    """
    document = read_document(blob)
    if not document.readable:
        return PolicyRead(None, document.problems)
    drafts: list[_Unplaced] = []
    values = _values(document.value, factors, is_json=blob.path.endswith(".json"), drafts=drafts)
    places = document.places({(draft.path, draft.at_key) for draft in drafts})
    problems = (
        *document.problems,
        *(Problem(d.severity, d.code, d.message, *places[d.path, d.at_key], hint=d.hint) for d in drafts),
    )
    if any(p.severity == "error" for p in problems):
        return PolicyRead(None, problems)
    return PolicyRead(Policy(**{**values, "path": blob.path}), problems)  # type: ignore[arg-type]  # the readers


def _values(root: object, factors: tuple[str, ...], *, is_json: bool, drafts: list[_Unplaced]) -> dict[str, object]:
    """Read the values of a policy file, with the readers for git-sched's own or for metagit's."""
    if not isinstance(root, dict):
        held = "nothing" if root is None else fields.kind(root)
        message = f"a policy is a mapping; this file holds {held}"
        drafts.append(_Unplaced((), "error", "wrong-type", message, "begin with version: 1"))
        return {}
    if root.get("version") is not None:
        return _read(root, own_readers(factors), drafts)
    if is_json:
        known = _known_to_metagit(root, factors, drafts)
        return {"version": None, "preset": "rfc-0012", **_read(known, metagit_readers(factors), drafts)}
    hint = "add version: 1 as its first line"
    drafts.append(_Unplaced((), "error", "missing-key", "the policy has no version", hint))
    return {}


def _read(
    root: Mapping[str, object], readers: Mapping[str, Callable[[object], object]], drafts: list[_Unplaced]
) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in root.items():
        if key not in readers:
            hint = did_you_mean(key, readers) or f"known keys: {', '.join(readers)}"
            drafts.append(_Unplaced((key,), "error", "unknown-key", f"unknown key {escape(key)}", hint, at_key=True))
        elif value is not None:
            try:
                values[key] = readers[key](value)
            except InvalidValueError as misfit:
                for one in misfit.below(key):
                    text = f"{fields.where(one.path)} {one.message}"
                    at_key = one.code == "unknown-key"
                    drafts.append(_Unplaced(one.path, "error", one.code, text, one.hint, at_key=at_key))
    return values


def _known_to_metagit(
    root: Mapping[str, object], factors: tuple[str, ...], drafts: list[_Unplaced]
) -> dict[str, object]:
    """Drop keys that metagit does not know, each with a warning."""
    ours = {*own_readers(factors), *factors}

    def keep(table: object, known: tuple[str, ...], path: Path) -> object:
        if not isinstance(table, dict):
            return table
        for key in table:
            if key not in known:
                own = " (git-sched's own keys need version: 1)" if key in ours else ""
                hint = (did_you_mean(key, known) or "metagit passes it over, and so does git-sched") + own
                text = f"unknown key {escape(key)}"
                drafts.append(_Unplaced((*path, key), "warning", "unknown-key", text, hint, at_key=True))
        return {key: value for key, value in table.items() if key in known}

    found = keep(root, tuple(metagit_readers(factors)), ())
    kept: dict[str, object] = dict(found) if isinstance(found, dict) else {}
    if "weights" in kept:
        kept["weights"] = keep(kept["weights"], METAGIT_FACTORS, ("weights",))
    overrides = kept.get("graph_overrides")
    if isinstance(overrides, dict):
        kept["graph_overrides"] = {
            graph_id: keep(table, METAGIT_FACTORS, ("graph_overrides", graph_id))
            for graph_id, table in overrides.items()
        }
    return kept
