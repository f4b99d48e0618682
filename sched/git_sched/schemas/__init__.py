"""JSON Schemas of everything that git-sched reads and prints, made from the types.

Within ``schema_version`` 1 a schema can gain keys and values and nothing else; ``docs/schema.md`` has the rule.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from git_sched.record.task import TaskRecord

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
URN: Final = "urn:git-sched:schema:v1:"
"""The beginning of every ``$id``: a name that stays the same, not an address."""


class Schema(NamedTuple):
    """The source of a schema, as ``module:name`` of a type or of the schema itself, and what it describes."""

    source: str
    summary: str


SCHEMAS: Final[dict[str, Schema]] = {
    "graph": Schema("schemas.files:GRAPH", "A native task graph, .metagit/tasks/graphs/*.{json,yml,yaml}."),
    "policy": Schema("schemas.files:POLICY", "The policy, .metagit/schedule/policy.{yml,yaml,json}."),
    "record": Schema("schemas.any_record:ANY", "Whatever a command prints with --json."),
    "decision": Schema("record:DecisionsRecord", "What git sched next --json prints."),
    "status": Schema("record:StatusRecord", "What git sched status --json prints."),
    "forecast": Schema("record:ForecastRecord", "What git sched plan --json prints."),
    "explanation": Schema("record:ExplanationRecord", "What git sched explain --json prints."),
    "check": Schema("record:CheckRecord", "What git sched check --json prints."),
    "policy-record": Schema("record:PolicyRecord", "What git sched policy show --json prints."),
    "comparison": Schema("record:ComparisonRecord", "What git sched diff --json prints."),
    "verification": Schema("record:VerificationRecord", "What git sched verify --json prints."),
    "release": Schema("record:ReleaseRecord", "What git sched release --json prints."),
    "event": Schema("record.metagit:EventRecord", "A line of .metagit/events/scheduler.jsonl."),
    "dispatch-plan": Schema("schemas.any_record:PLANS", "What git sched next --format dispatch-plan prints."),
}
"""The schemas by the name that ``git sched schema`` takes."""


class _Generator(GenerateJsonSchema):
    """Makes schemas without titles, which would only repeat keys."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - pydantic's signature
        """Return that no field gets a title."""
        return False


def schema(name: str) -> dict[str, Any]:
    """Build a schema as a document of its own: dialect, ``$id``, title, descriptions and an example.

    Raises:
        KeyError: no schema has this name.
    """
    source, summary = SCHEMAS[name]
    head = {"$schema": DIALECT, "$id": URN + name, "title": f"git-sched {name}", "description": summary}
    made = _load(source)
    found = made if isinstance(made, dict) else of_type(made)
    examples = import_module("git_sched.schemas.examples").examples(name)
    body = {key: value for key, value in found.items() if key not in head}
    return {**head, **body, "examples": examples}


def of_type(source: Any) -> dict[str, Any]:
    """Build the schema of a type; that of the policy in a record is made from the policy's keys."""
    found = TypeAdapter(source).json_schema(schema_generator=_Generator)
    _describe_inherited(found)
    if own := found.get("$defs", {}).get("OwnPolicyRecord"):
        own.update(_load("schemas.files:RECORDED_POLICY"))
    return found


def _describe_inherited(found: dict[str, Any]) -> None:
    """Add descriptions that pydantic leaves out: of inherited keys, and of keys that are described by their type."""
    shared = _shared()
    types = found.get("$defs", {})
    for shape in (found, *types.values()):
        keys = shape.get("properties", {})
        inherited = shared if shared.keys() <= keys.keys() else {}
        for key, value in keys.items():
            if key in inherited:
                value.setdefault("description", inherited[key]["description"])
            elif "$ref" in value:
                value.setdefault("description", types[value["$ref"].rpartition("/")[2]]["description"])


@cache
def _shared() -> dict[str, Any]:
    """Return the properties that the records of tasks inherit."""
    found: dict[str, Any] = TypeAdapter(TaskRecord).json_schema()["properties"]
    return found


def _load(source: str) -> Any:
    module, _, name = source.partition(":")
    return getattr(import_module(f"git_sched.{module}"), name)
