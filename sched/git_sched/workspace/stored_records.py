"""Stored records: read back from a file that anybody may have written, and checked against the types of records."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from git_sched.formats.reading.fields import InvalidValueError
from git_sched.formats.reading.kinds import readers_of
from git_sched.model.ids import escape, is_id
from git_sched.model.keys import recorded
from git_sched.model.policy import KEYS
from git_sched.model.problems import RequestError
from git_sched.workspace import files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import TypeAdapter

SIZE: Final = 1 << 20
"""Size limit in bytes of a stored record that anybody may have written."""

LARGE: Final = 1 << 28
"""Size limit in bytes of a stored record of one's own."""

HINT: Final = "a record is what --json prints"

IDS: Final = frozenset({
    "graph_id", "node_id", "agent_id", "graph_ids", "agents", "warm_agent", "assigned_to", "template_id", "vendor",
    "prompt_kind",
})  # fmt: skip
"""Keys whose values are ids."""

NAMES: Final = frozenset({
    "repository", "own", "node", "nodes", "freed", "frees", "assumed_done", "longest_path", "longest_path_nodes",
    "behind", "name", "project", "running", "instead_of",
})  # fmt: skip
"""Keys whose values are ids, or ids joined by a slash. They are printed as they are, so nothing else is allowed."""

WORDS: Final = frozenset({
    "decision_id", "factor", "gate", "code", "preset", "revision", "head", "object_id", "in_force", "state",
    "now_source",
})  # fmt: skip
"""Keys whose values are fixed words, digests or object ids: they look like ids and are printed as they are."""

TIMES: Final = frozenset({"at", "now", "until", "free_at", "taken_at"})
"""Keys whose values are points in time as git-sched writes them."""

TABLES: Final = frozenset({"blocked", "weights", "graph_overrides"})
"""Keys of mappings whose own keys are words or ids."""

FREE: Final = frozenset({"signals", "merge_pressure", "recent_decisions"})
"""Keys of values from other files and logs: no text in them is printed as it is."""

LARGEST: Final = 1e15
"""The largest score, number of minutes or count: a larger one could not be written out."""

_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_NAME: Final = r"[A-Za-z0-9_][A-Za-z0-9_./-]*"
_COMPILE: Final = re.compile(rf"metagit context compile --project {_NAME} --repo {_NAME} --task-id {_NAME}")


def load(path: str, *, limit: int = SIZE) -> Mapping[str, Any]:
    """Read a record from a regular file of at most ``limit`` bytes, never through a link.

    Raises:
        RequestError: the file cannot be read, or is not a record.
    """
    full = os.path.abspath(path)
    data = files.read(os.path.realpath(os.path.dirname(full)), os.path.basename(full), limit=limit)
    if isinstance(data, files.Refusal):
        raise RequestError(data.message, hint=data.hint)
    return parse(data, name=os.path.basename(full))


def parse(data: bytes, *, name: str) -> Mapping[str, Any]:
    """Read a record and check it strictly against the types of its kind; ``name`` is the file's name for messages.

    Raises:
        RequestError: it is not a record of a known kind, or has unknown keys or invalid values.
    """
    from pydantic import ValidationError
    from pydantic_core import from_json

    try:
        found = from_json(data, allow_inf_nan=False)
    except ValueError:
        raise RequestError(f"{name} is not JSON", hint=HINT) from None
    kind = found.get("kind") if isinstance(found, dict) else None
    adapters = types()
    if not isinstance(kind, str) or kind not in adapters:
        raise RequestError(f"{name} is no record of a known kind", hint=f"kinds: {', '.join(adapters)}")
    try:
        checked: Mapping[str, Any] = adapter(kind).validate_json(data, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = escape(re.sub(r"[^\w.\[\]-]", "?", ".".join(map(str, first["loc"]))))
        raise RequestError(f"{name} is no {kind}: {place}: {first['msg'].lower()}", hint=HINT) from None
    if (key := _misfit(checked) or _policy_misfit(checked.get("policy") or {})) is not None:
        raise RequestError(f"{name} is no {kind}: {key} holds what cannot be there", hint=HINT)
    return checked


def _misfit(value: object, key: str = "", *, free: bool = False) -> str | None:
    """Return the key of the first invalid id, word, time or number; values below a ``free`` key are not checked."""
    match value:
        case dict():
            if key in TABLES and not free and not all(map(is_id, value)):
                return key
            inner = [(item, k, free or k in FREE) for k, item in value.items()]
        case list():
            inner = [(item, key, free) for item in value]
        case str():
            return None if free or not value or _fits(value, key) else key
        case int() | float() if not -LARGEST <= value <= LARGEST:
            return key
        case _:
            return None
    return next((bad for item, k, any_ in inner if (bad := _misfit(item, k, free=any_)) is not None), None)


def _policy_misfit(policy: Mapping[str, Any]) -> str | None:
    """Give the first key of git-sched's own policy that cannot hold its value; types check all other policies."""
    if "version" not in policy:
        return None
    keys = {written: key for _, written, key in recorded(KEYS)}
    if policy.keys() != keys.keys():
        return "policy"
    weights = policy["weights"]
    readers = readers_of(keys, factors=tuple(weights) if isinstance(weights, dict) else ())
    for name, key in keys.items():
        if policy[name] is not None or key.default is not None:
            try:
                readers[name](policy[name])
            except InvalidValueError:
                return name
    return None


def _fits(text: str, key: str) -> bool:
    if key in IDS or key in WORDS:
        return is_id(text)
    if key in NAMES:
        return all(is_id(part) for part in text.split("/"))
    if key in TIMES:
        return _MOMENT.fullmatch(text) is not None
    return key != "compile_command" or _COMPILE.fullmatch(text) is not None


def types() -> Mapping[str, Any]:
    """Return the type of each kind of record."""
    from git_sched import record

    return {
        "decision": record.DecisionsRecord,
        "comparison": record.ComparisonRecord,
        "status": record.StatusRecord,
        "forecast": record.ForecastRecord,
        "explanation": record.ExplanationRecord,
        "release": record.ReleaseRecord,
        "check": record.CheckRecord,
        "verification": record.VerificationRecord,
        "policy": record.PolicyRecord,
    }


@cache
def adapter(kind: str) -> TypeAdapter[Mapping[str, Any]]:
    """Return the validator for a kind of record."""
    from pydantic import TypeAdapter

    return TypeAdapter(types()[kind])
