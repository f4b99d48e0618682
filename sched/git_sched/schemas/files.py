"""The schemas of task graphs and policies, made from the tables of keys that the readers use as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from git_sched.decide.factors import FACTOR_NAMES, FACTORS
from git_sched.formats.native_keys import GRAPH_KEYS
from git_sched.model.keys import ByFactor, ByGraph, Choice, Items, Key, Number, Table, Whole, find_default, recorded
from git_sched.model.policy import KEYS, METAGIT_FACTORS, METAGIT_KEYS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched.model.keys import Kind, Word

Schema = dict[str, Any]

_ID: Final = r"(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}"
_NAME: Final = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"

WORDS: Final[dict[Word, Schema]] = {
    "text": {"type": "string"},
    "id": {"type": "string", "pattern": f"^{_ID}$"},
    "name": {"type": "string", "pattern": rf"^\s*{_NAME}(/{_NAME})*\s*$"},
    "name or .": {"type": "string", "pattern": rf"^\s*(\.|{_NAME}(/{_NAME})*)\s*$"},
    "reference": {"type": "string", "pattern": rf"^{_ID}(/[A-Za-z0-9_][A-Za-z0-9_.-]{{0,199}})?$"},
    "pattern": {"type": "string"},
    "true or false": {"type": "boolean"},
    "duration": {"type": "string", "pattern": r"^\d{1,6}[smhd]$"},
    "duration or off": {"anyOf": [{"type": "string", "pattern": r"^(off|\d{1,6}[smhd])$"}, {"const": False}]},
    "date": {"type": "string"},
    "end date": {"type": "string"},
    "anything": {},
}


class Shape(NamedTuple):
    """How schemas of kinds are made.

    ``factors`` can have a weight; ``is_open`` allows further keys. A ``record`` has every key, and a null only where
    there is no default; in a file a null counts as absent.
    """

    factors: tuple[str, ...]
    is_open: bool = False
    record: bool = False

    def of_keys(self, keys: Mapping[str, Key], *, is_open: bool = False, sparse: bool = False) -> Schema:
        """Build the schema of a mapping with known keys; with ``sparse`` a record can lack some of them."""
        if self.record:
            keys = {written: key for _, written, key in recorded(keys)}
        needed = [name for name, key in keys.items() if key.required or (self.record and not sparse)]
        return {
            "type": "object",
            "properties": {name: self._of_key(key, sparse=sparse) for name, key in keys.items()},
            **({"required": needed} if needed else {}),
            "additionalProperties": is_open,
        }

    def _of_key(self, key: Key, *, sparse: bool) -> Schema:
        found = self.of_kind(key.kind)
        never_null = key.required or (self.record and (sparse or key.default is not None)) or not found
        about = key.meaning if self.record or not key.absent else f"{key.meaning} Default: {key.absent}."
        default = {} if self.record or (value := find_default(key)) is None else {"default": value}
        return {**(found if never_null else _or_null(found)), "description": about, **default}

    def of_kind(self, kind: Kind) -> Schema:
        """Build the schema of a kind."""
        match kind:
            case Whole(low, high):
                ends: Schema = {"const": low} if low == high else {"minimum": low, "maximum": high}
                return {"type": "integer", **ends}
            case Number(low, high, above):
                return {"type": "number", "exclusiveMinimum" if above else "minimum": low, "maximum": high}
            case Choice(words):
                return {"type": "string", "enum": list(words)}
            case Items(of):
                return {"type": "array", "items": self.of_kind(of)}
            case Table(keys):
                found = self.of_keys(keys, is_open=kind.is_open, sparse=kind.build is None)
                return {"anyOf": [{"type": "string"}, found]} if kind.short and not self.record else found
            case ByFactor(of):
                known = (factor for factor in FACTORS if factor.name in self.factors)
                rows = {f.name: Key(of, f"The weight of {f.name}: {f.summary}.") for f in known}
                return self.of_keys(rows, is_open=self.is_open, sparse=True)
            case ByGraph(of):
                own = self.of_kind(of)
                return {"type": "object", "additionalProperties": own if self.record else _or_null(own)}
            case _:
                return WORDS[kind]


def _or_null(found: Schema) -> Schema:
    return {"anyOf": [found, {"type": "null"}]}


GRAPH: Final = Shape(()).of_keys(GRAPH_KEYS)
"""The schema of a native graph's file."""

POLICY: Final = {
    "type": "object",
    "if": {"required": ["version"]},
    "then": Shape(FACTOR_NAMES).of_keys(KEYS),
    "else": Shape(METAGIT_FACTORS, is_open=True).of_keys(METAGIT_KEYS, is_open=True),
}
"""The schema of a policy file: git-sched's own if it has a version, else metagit's, whose unknown keys are ignored."""

RECORDED_POLICY: Final = Shape(FACTOR_NAMES, record=True).of_keys(KEYS)
"""The schema of git-sched's own policy in a record."""
