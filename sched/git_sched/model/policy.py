"""The policy: every key of its file with type, range, default and meaning, each in one place.

Reader, schemas, ``policy show``, the starter policy and the reference page are made from these fields. Their
annotations are read at run time, so this module does not postpone them.
"""

from typing import Annotated, Final, Literal, NamedTuple, get_args

from git_sched.model.keys import ByFactor, ByGraph, Choice, Items, Key, Kind, Number, Table, Whole, keys_of

PresetName = Literal["balanced", "rfc-0012"]
OnCancelled = Literal["block", "satisfy"]
Published = Literal["all", "own"]
Weights = tuple[tuple[str, float], ...]
Texts = tuple[str, ...]

PRESETS: Final[dict[PresetName, dict[str, float]]] = {
    "balanced": {"urgency": 2.0, "criticality": 1.0, "affinity": 1.5, "payoff": 0.5},
    "rfc-0012": {"priority": 1.0, "affinity": 0.5, "cost": 0.25},
}
"""The weights of each preset; a factor that is not named weighs 0."""

METAGIT_FACTORS: Final = ("priority", "affinity", "cost", "fairness")
"""The factors that metagit's own policy knows."""

PLAN_LIMIT: Final = 10_000
"""The largest number of alternative plans that a look-ahead tries."""

WEIGHT_LIMIT: Final = 1_000_000

_COUNT: Final = Whole(1, 1_000_000_000)
_LIMIT: Final = Whole(0, 1_000_000_000)
_POINTS: Final = Number(0, WEIGHT_LIMIT)
_ANY_POINTS: Final = Number(-WEIGHT_LIMIT, WEIGHT_LIMIT)


class Limits(NamedTuple):
    """How many nodes may be running or picked at once; ``None`` means no limit. ``tokens`` bounds their sum."""

    total: Annotated[int | None, Key(_LIMIT, "Tasks in all.", "8", "no limit")] = None
    per_graph: Annotated[int | None, Key(_LIMIT, "Tasks of one graph.", "4", "no limit")] = None
    per_repository: Annotated[int | None, Key(_LIMIT, "Tasks in one repository.", "2", "no limit")] = None
    per_agent: Annotated[int | None, Key(_LIMIT, "Tasks of one agent.", "1", "no limit")] = None
    tokens: Annotated[int | None, Key(_LIMIT, "Sum of the tasks' tokens.", "500000", "no limit")] = None


class SourceEntry(NamedTuple):
    """A task file that the policy names; without a format, its name and content decide which one it has."""

    path: Annotated[str, Key("text", "A task file, or a folder of them.", "plan/tasks.yml", required=True)]
    format: Annotated[str | None, Key("text", "The tracker's format.", absent="recognized by name and content")] = None


_SOURCE: Final = Table(keys_of(SourceEntry), SourceEntry, short="path")


class Publish(NamedTuple):
    """What may leave a private repository in summaries and comments; ids always may."""

    titles: Annotated[bool, Key("true or false", "Whether titles are shown.")] = True
    repositories: Annotated[
        Published, Key(Choice(get_args(Published)), "Whether all repositories are named, or only the workspace's own.")
    ] = "all"


TEMPLATE: Final = "repo-implementer"
VENDOR: Final = "claude_code"
SCOPE: Final = "project"

DISPATCH: Final[dict[str, Key]] = {
    "template_id": Key("id", "The agent's definition.", default=TEMPLATE),
    "vendor": Key("id", "The vendor whose agent is started.", default=VENDOR),
    "scope": Key(Choice((SCOPE, "user")), "Where the agent's definition is installed.", default=SCOPE),
    "prompt_kind": Key("id", "metagit's prompt.", "subagent-handoff", "chosen by what is known of the task"),
}
"""The keys of ``dispatch``."""


class Policy(NamedTuple):
    """The policy file's keys; without a file, these defaults.

    ``weights`` and ``graph_overrides`` hold only what the file has; :meth:`weight` gives the weight in force.
    Durations are seconds. ``version`` is ``None`` for a metagit policy.
    """

    version: Annotated[int | None, Key(Whole(1, 1), "The version of the policy's format.", required=True)] = 1
    preset: Annotated[
        PresetName, Key(Choice(tuple(PRESETS)), "The weights to start from; rfc-0012 also ranks as that document says.")
    ] = "balanced"
    weights: Annotated[
        Weights,
        Key(ByFactor(_POINTS), "What each factor weighs; one that the file leaves out has the preset's weight."),
    ] = ()
    graph_overrides: Annotated[
        tuple[tuple[str, Weights], ...],
        Key(ByGraph(ByFactor(_POINTS)), "Other weights for the tasks of one graph.", "{tasks: {urgency: 4.0}}", "none"),
    ] = ()
    agent_pool: Annotated[
        Texts,
        Key(
            Items("id"),
            "Agents whose worktrees count, beside those of named agents, and whom a plan is for.",
            "[agent-1]",
            "any agent",
        ),
    ] = ()
    limits: Annotated[
        Limits, Key(Table(keys_of(Limits), Limits), "How many tasks may be running or picked at once.")
    ] = Limits()
    merge_queue_threshold: Annotated[
        int, Key(_COUNT, "How many merges queued for a repository put its tasks under merge pressure.")
    ] = 3
    merge_pressure_penalty: Annotated[float, Key(_POINTS, "Points that a task under merge pressure loses.")] = 2.0
    skip_on_merge_pressure: Annotated[
        bool, Key("true or false", "Whether tasks under merge pressure are skipped, not just ranked lower.")
    ] = False
    on_cancelled: Annotated[
        OnCancelled,
        Key(Choice(get_args(OnCancelled)), "Whether a cancelled task blocks its dependents or counts as done."),
    ] = "block"
    redispatch_after: Annotated[
        int | None, Key("duration or off", "How long a task that was taken is held back from everybody else.")
    ] = 4 * 3_600
    fairness_window: Annotated[int, Key(_COUNT, "How many past decisions the factor fairness looks at.")] = 50
    tokens_per_minute: Annotated[
        float, Key(Number(0, 1e9, above=True), "Tokens per minute, where fewer than three tasks give both.")
    ] = 500.0
    lookahead: Annotated[
        int, Key(Whole(0, PLAN_LIMIT), "How many alternative plans are tried before tasks are picked; 0 tries none.")
    ] = 0
    lookahead_agents: Annotated[
        int | None, Key(_COUNT, "How many agents these plans are for.", "2", "those working now and those requested")
    ] = None
    cold_start_minutes: Annotated[
        float | None,
        Key(Number(0, 1e6), "Minutes to start where an agent has no worktree.", "15", "half the median of open tasks"),
    ] = None
    repository: Annotated[
        str | None,
        Key(
            "name",
            "The workspace's own repository.",
            "owner/name",
            "that of the remote origin, or the main worktree's folder",
        ),
    ] = None
    sources: Annotated[
        tuple[SourceEntry, ...],
        Key(
            Items(_SOURCE),
            "The task files to read, in place of those that are found.",
            "[plan/tasks.yml]",
            "those found",
        ),
    ] = ()
    exclude: Annotated[
        Texts, Key(Items("text"), "Task files and folders that are not read, though found.", "[examples]", "none")
    ] = ()
    dispatch: Annotated[
        tuple[tuple[str, str], ...], Key(Table(DISPATCH), "What dispatch plans say of every agent.")
    ] = ()
    publish: Annotated[
        Publish, Key(Table(keys_of(Publish), Publish), "What summaries, comments and pages show besides ids.")
    ] = Publish()
    path: str = ""

    @property
    def exact_rfc(self) -> bool:
        """Whether ranking follows RFC-0012 to the letter."""
        return self.preset == "rfc-0012"

    def counts_worktrees_of(self, agent_id: str | None, named: tuple[str, ...] = ()) -> bool:
        """Whether an agent's worktrees count: without a pool anybody's, else its members' and those of named agents.

        RFC-0012 has no named agents.
        """
        if not self.agent_pool or agent_id in self.agent_pool:
            return True
        return agent_id in named and not self.exact_rfc

    def base_weights(self) -> dict[str, float]:
        """Return the weights in force where no graph overrides them; a factor that is not among them weighs 0."""
        return {**PRESETS[self.preset], **dict(self.weights)}

    def overrides(self) -> dict[str, dict[str, float]]:
        """Return the weights that graphs override, by graph id."""
        return {graph_id: dict(weights) for graph_id, weights in self.graph_overrides}

    def weighs(self, factor: str) -> bool:
        """Whether a factor has a weight other than 0, in general or for the nodes of any graph."""
        return any(table.get(factor) for table in (self.base_weights(), *self.overrides().values()))

    def weight(self, factor: str, graph_id: str | None = None) -> float:
        """Return what a factor weighs for the nodes of a graph; without a graph, for those of all others."""
        base = self.base_weights().get(factor, 0.0)
        return self.overrides().get(graph_id, {}).get(factor, base) if graph_id is not None else base


KEYS: Final = keys_of(Policy)
"""The keys of a policy file, in the order in which they are shown."""

_METAGIT: Final[dict[str, Kind]] = {
    "weights": ByFactor(_ANY_POINTS),
    "graph_overrides": ByGraph(ByFactor(_ANY_POINTS)),
    "merge_queue_threshold": _COUNT,
    "merge_pressure_penalty": _ANY_POINTS,
    "skip_on_merge_pressure": "true or false",
}
METAGIT_KEYS: Final = {name: KEYS[name]._replace(kind=kind) for name, kind in _METAGIT.items()}
"""The keys that metagit's ``policy.json`` has, with their ranges there."""
