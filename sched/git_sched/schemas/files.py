"""The shape of a policy file, for editors and validators. What is read, and how, is for ``formats.policy_file``."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, get_args

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, WithJsonSchema, create_model
from pydantic_core import CoreSchema, core_schema

from git_sched.decide.factors import FACTORS
from git_sched.model.policy import METAGIT_FACTORS, WEIGHT_LIMIT, PresetName
from git_sched.record.base import Record
from git_sched.schemas.graph_file import Id, Name


def _weights(name: str, low: float, *, only: tuple[str, ...] | None = None) -> type[BaseModel]:
    """Make the table of weights from the registry of factors; with ``only`` other keys are passed over."""
    fields: dict[str, Any] = {
        factor.name: (
            Annotated[float, Field(ge=low, le=WEIGHT_LIMIT)] | None,
            Field(default=None, description=f"How much {factor.summary}"),
        )
        for factor in FACTORS
        if only is None or factor.name in only
    }
    return create_model(
        name,
        __config__=ConfigDict(extra="forbid" if only is None else "allow"),
        __doc__="What each factor weighs; one that is not named keeps the preset's weight.",
        **fields,
    )


WeightsFile = _weights("WeightsFile", 0)
MetagitWeightsFile = _weights("MetagitWeightsFile", -WEIGHT_LIMIT, only=METAGIT_FACTORS)
Whole = Annotated[int, Field(ge=1, le=1_000_000_000)]
Ceiling = Annotated[int, Field(ge=0, le=1_000_000_000)]


class LimitsFile(Record, total=False):
    """How many tasks may be running or picked at once."""

    total: Ceiling | None
    per_graph: Ceiling | None
    per_repository: Ceiling | None
    per_agent: Ceiling | None
    tokens: Ceiling | None
    """Bounds the sum of the effective tokens."""


class SourceFile(Record, total=False):
    """A task file to read besides those that are found."""

    path: Required[str]
    format: str | None
    """Found out from name and content where it is absent."""


class DispatchFile(Record, total=False):
    """What dispatch plans say of every agent."""

    template_id: Id | None
    vendor: Id | None
    scope: Literal["project", "user"] | None
    prompt_kind: Id | None


class PublishFile(Record, total=False):
    """What may leave a private repository in summaries and comments; ids always may."""

    titles: bool | None
    repositories: Literal["all", "own"] | None


class PolicyFile(Record, total=False):
    """git-sched's own policy."""

    version: Required[Literal[1]]
    preset: Annotated[str, WithJsonSchema({"enum": list(get_args(PresetName)), "type": "string"})] | None
    weights: WeightsFile | None  # type: ignore[valid-type]  # made from the registry above
    graph_overrides: dict[str, WeightsFile] | None  # type: ignore[valid-type]  # as above
    """Weights for the tasks of one graph, by its id."""
    agent_pool: list[Id] | None
    """Whose worktrees count as warm; empty means any agent's."""
    limits: LimitsFile | None
    merge_queue_threshold: Whole | None
    """So many queued merges of a repository are pressure."""
    merge_pressure_penalty: Annotated[float, Field(ge=0, le=WEIGHT_LIMIT)] | None
    """Points that pressure costs."""
    skip_on_merge_pressure: bool | None
    """Pass over tasks under pressure rather than rank them lower."""
    on_cancelled: Literal["block", "satisfy"] | None
    """What a cancelled dependency means."""
    redispatch_after: Annotated[str, Field(json_schema_extra={"pattern": r"^\d{1,6}[smhd]$"})] | None
    """Hold a task that was handed out less than this ago: 90m, 4h or 2d."""
    fairness_window: Whole | None
    tokens_per_minute: Annotated[float, Field(gt=0, le=1e9)] | None
    lookahead: Annotated[int, Field(ge=0, le=10_000)] | None
    lookahead_agents: Whole | None
    cold_start_minutes: Annotated[float, Field(ge=0, le=1e6)] | None
    repository: Name | None
    """The name of the workspace's own repository."""
    sources: list[str | SourceFile] | None
    exclude: list[str] | None
    dispatch: DispatchFile | None
    publish: PublishFile | None


class MetagitPolicyFile(Record, total=False):
    """metagit's policy.json: preset rfc-0012, keys that metagit does not know are passed over."""

    weights: MetagitWeightsFile | None  # type: ignore[valid-type]  # made from the registry above
    graph_overrides: dict[str, MetagitWeightsFile] | None  # type: ignore[valid-type]  # as above
    merge_queue_threshold: Whole | None
    merge_pressure_penalty: Annotated[float, Field(ge=-WEIGHT_LIMIT, le=WEIGHT_LIMIT)] | None
    skip_on_merge_pressure: bool | None


MetagitPolicyFile.__pydantic_config__ = {"extra": "allow", "use_attribute_docstrings": True}  # type: ignore[attr-defined]  # pydantic's own


class _ByVersion:
    """Tells the two policies apart as the reader does: by ``version``."""

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, handler: Any) -> CoreSchema:
        return core_schema.union_schema([handler(PolicyFile), handler(MetagitPolicyFile)])

    @classmethod
    def __get_pydantic_json_schema__(cls, found: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        own, metagit = handler(found)["anyOf"]
        return {"type": "object", "if": {"required": ["version"]}, "then": own, "else": metagit}


POLICY = _ByVersion
"""Either policy."""
