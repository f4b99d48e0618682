"""The policy: what each factor weighs, and which limits and gates hold."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

PresetName = Literal["balanced", "rfc-0012"]

PRESETS: Final[dict[PresetName, dict[str, float]]] = {
    "balanced": {"urgency": 2.0, "criticality": 1.0, "affinity": 1.5, "payoff": 0.5},
    "rfc-0012": {"priority": 1.0, "affinity": 0.5, "cost": 0.25},
}
"""The weights of each preset; a factor that is not named weighs 0 (rule D3)."""

METAGIT_FACTORS: Final = ("priority", "affinity", "cost", "fairness")
"""The factors that metagit's own policy knows."""

PLAN_LIMIT: Final = 10_000
"""Plans that looking ahead plays through at most."""

WEIGHT_LIMIT: Final = 1_000_000


class Limits(NamedTuple):
    """How many nodes may be running or picked at once; ``None`` is no limit. ``tokens`` bounds their sum."""

    total: int | None = None
    per_graph: int | None = None
    per_repository: int | None = None
    per_agent: int | None = None
    tokens: int | None = None


class SourceEntry(NamedTuple):
    """A task file the policy names; without a format it is found out from its name and content."""

    path: str
    format: str | None = None


class Publish(NamedTuple):
    """What may leave a private repository in summaries and comments; ids always may."""

    titles: bool = True
    repositories: Literal["all", "own"] = "all"


class Policy(NamedTuple):
    """All a decision takes from the policy file; without one, these defaults.

    ``weights`` and ``graph_overrides`` hold only what the file says; ask :meth:`weight` for what is in force.
    Durations are seconds. ``version`` is ``None`` for a metagit policy.
    """

    version: int | None = 1
    preset: PresetName = "balanced"
    weights: tuple[tuple[str, float], ...] = ()
    graph_overrides: tuple[tuple[str, tuple[tuple[str, float], ...]], ...] = ()
    agent_pool: tuple[str, ...] = ()
    limits: Limits = Limits()
    merge_queue_threshold: int = 3
    merge_pressure_penalty: float = 2.0
    skip_on_merge_pressure: bool = False
    on_cancelled: Literal["block", "satisfy"] = "block"
    redispatch_after: int | None = None
    fairness_window: int = 50
    tokens_per_minute: float = 500.0
    lookahead: int = 0
    lookahead_agents: int | None = None
    cold_start_minutes: float | None = None
    repository: str | None = None
    sources: tuple[SourceEntry, ...] = ()
    exclude: tuple[str, ...] = ()
    dispatch: tuple[tuple[str, str], ...] = ()
    publish: Publish = Publish()
    path: str = ""

    @property
    def exact_rfc(self) -> bool:
        """Whether ranking follows RFC-0012 to the letter."""
        return self.preset == "rfc-0012"

    def base_weights(self) -> dict[str, float]:
        """Give the weights in force where no graph overrides them; a factor not in it weighs 0."""
        return {**PRESETS[self.preset], **dict(self.weights)}

    def overrides(self) -> dict[str, dict[str, float]]:
        """Give the weights each graph overrides, by graph id."""
        return {graph_id: dict(weights) for graph_id, weights in self.graph_overrides}

    def weighs(self, factor: str) -> bool:
        """Whether a factor weighs anything, in general or for the nodes of any graph."""
        return any(table.get(factor) for table in (self.base_weights(), *self.overrides().values()))

    def weight(self, factor: str, graph_id: str | None = None) -> float:
        """Give what a factor weighs for the nodes of a graph, or for all others."""
        base = self.base_weights().get(factor, 0.0)
        return self.overrides().get(graph_id, {}).get(factor, base) if graph_id is not None else base
