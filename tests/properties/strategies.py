"""Scenes as people might have them: several graphs, agents, limits, paths, queues and a past, all at random."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from git_sched.decide.factors import FACTOR_NAMES

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from scenes import Scene

AGENTS: Final = ("ann", "bob", "cy")
REPOSITORIES: Final = ("shop/web", "shop/api", "shop/pay")
GRAPHS: Final = ("alpha", "beta", "gamma")
TRACKED: Final = ["README.md", "docs/a.md", "docs/b.md", "src/cart/page.py", "src/pay/client.py", "src/pay/time.py"]
PATTERNS: Final = (
    "*.md", "docs/**", "src/**/*.py", "src/pay/", "src/pay/time.py", "/README.md", "src/new.py", "!docs/a.md",
)  # fmt: skip
NOW: Final = "2026-11-03T12:00:00Z"
DAYS: Final = tuple(f"2026-11-{day:02}T{hour:02}:00:00Z" for day in range(1, 10) for hour in (0, 9, 11, 18))
PAST: Final = tuple(day for day in DAYS if day <= NOW)


@cache
def maybe(values: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Draw a value, or nothing; a strategy is built once, as that costs more than a draw."""
    return st.none() | values


WORDS: Final = ("pending", "pending", "pending", "ready", "running", "completed", "completed", "cancelled", "blocked")
FIELDS: Final[dict[str, SearchStrategy[Any]]] = {
    "priority": st.integers(-2, 9),
    "estimated_minutes": maybe(st.integers(1, 90)),
    "estimated_tokens": maybe(st.sampled_from((0, 500, 1000, 4000))),
    "repository": maybe(st.sampled_from(REPOSITORIES)),
    "agent_id": maybe(st.sampled_from(AGENTS)),
    "created_at": maybe(st.sampled_from(DAYS)),
    "due": maybe(st.sampled_from(DAYS)),
    "paths": maybe(st.lists(st.sampled_from(PATTERNS), max_size=2)),
}


@st.composite
def node(draw: DrawFn, name: str, others: tuple[str, ...], *, busy: bool) -> dict[str, Any]:
    """Draw a node; it may depend on any other, on itself, and on what does not exist."""
    absent = {"agent_id"} if busy and draw(st.integers(0, 3)) else set[str]()
    found: dict[str, Any] = {"node_id": name, "status": draw(st.sampled_from(WORDS[: 5 if busy else None]))}
    found |= {key: draw(FIELDS[key]) for key in FIELDS if key not in absent}
    found["depends_on"] = draw(needs(others, 1 if busy else 2))
    return {key: value for key, value in found.items() if value is not None}


@cache
def needs(others: tuple[str, ...], most: int) -> SearchStrategy[Any]:
    """Draw some of the other nodes, or nothing."""
    return maybe(st.lists(st.sampled_from(others), max_size=most, unique=True))


@st.composite
def graphs(draw: DrawFn, *, busy: bool) -> list[dict[str, Any]]:
    """Draw graphs whose nodes depend mostly on earlier ones, sometimes on any; some nodes are parts of others."""
    found = []
    known = ["ghost"]
    for graph_id in GRAPHS[: draw(st.integers(1, 3))]:
        names = tuple(f"n{number}" for number in range(draw(st.integers(4 if busy else 0, 7 if busy else 6))))
        tangled = not busy and draw(st.integers(0, 4)) == 0
        rows = []
        for number, name in enumerate(names):
            others = (*known, *(names if tangled else names[:number]))
            row = draw(node(name, others[1:] if len(others) > 1 and draw(st.integers(0, 9)) else others, busy=busy))
            foreign = {
                "parent": draw(st.sampled_from(names[:number])) if number and draw(st.integers(0, 5)) == 0 else None,
                "deferred_until": draw(st.sampled_from(DAYS)) if draw(st.integers(0, 9)) == 0 else None,
            }
            rows.append(row | {"foreign": {key: value for key, value in foreign.items() if value is not None}})
        known += [f"{graph_id}/{name}" for name in names]
        status = draw(st.sampled_from(("active", "active", "active", *(() if busy else ("completed",)))))
        found.append({"graph_id": graph_id, "status": status, "nodes": rows})
    return found


WEIGHTS: Final = st.dictionaries(st.sampled_from(FACTOR_NAMES), st.sampled_from((0, 0.25, 0.5, 1, 1.5, 3)), max_size=5)
OVERRIDES: Final = st.dictionaries(st.sampled_from(GRAPHS), WEIGHTS, max_size=1)
POOL: Final = st.lists(st.sampled_from(AGENTS), max_size=2, unique=True)
LISTED_AGENTS: Final = st.lists(st.sampled_from(AGENTS), max_size=3, unique=True)


@st.composite
def policies(draw: DrawFn, *, busy: bool) -> dict[str, Any]:
    """Draw a policy with ``version: 1``."""
    limit = maybe(st.integers(2 if busy else 0, 4))
    limits = {key: draw(limit) for key in ("total", "per_graph", "per_repository", "per_agent")}
    limits["tokens"] = draw(maybe(st.sampled_from((0, 2000, 6000))))
    loose = draw(st.booleans())
    return {
        "version": 1,
        "preset": draw(st.sampled_from(("balanced", "balanced", "balanced", "rfc-0012"))),
        "weights": draw(WEIGHTS),
        "graph_overrides": draw(OVERRIDES),
        "agent_pool": draw(POOL),
        "limits": {} if loose else {key: value for key, value in limits.items() if value is not None},
        "merge_queue_threshold": draw(st.integers(1, 3)),
        "skip_on_merge_pressure": draw(st.booleans()),
        "on_cancelled": draw(st.sampled_from(("block", "satisfy"))),
        "redispatch_after": draw(st.sampled_from((False, "4h"))),
        "fairness_window": draw(st.integers(1, 5)),
    }


@st.composite
def rows_of_history(draw: DrawFn) -> dict[str, Any]:
    """Draw one recorded decision."""
    graph_id, number = draw(st.sampled_from(GRAPHS)), draw(st.integers(0, 5))
    released = draw(st.integers(0, 5)) == 0
    return {
        "node": f"{graph_id}/n{number}",
        "at": draw(st.sampled_from(PAST)),
        "repository": draw(maybe(st.sampled_from(REPOSITORIES))),
        "agent_id": draw(maybe(st.sampled_from(AGENTS))),
        "dispatched": not released and draw(st.booleans()),
        "skipped": released or draw(st.integers(0, 5)) == 0,
        "released": released,
        "basis": draw(st.sampled_from(("", "", "this"))),
    }


def oldest_first(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sort rows of history as the log has them."""
    return sorted(rows, key=lambda row: str(row["at"]))


SIGNALS: Final[dict[str, SearchStrategy[Any]]] = {
    "worktrees": maybe(st.lists(st.tuples(st.sampled_from(REPOSITORIES), maybe(st.sampled_from(AGENTS))), max_size=4)),
    "speaks_of": maybe(st.just(["shop/web"])),
    "merge_queue": maybe(st.dictionaries(st.sampled_from(REPOSITORIES), st.integers(0, 4), max_size=2)),
    "history": maybe(st.lists(rows_of_history(), min_size=1, max_size=5).map(oldest_first)),
}


@st.composite
def signals(draw: DrawFn) -> dict[str, Any]:
    """Draw what was observed; each signal may be unknown."""
    found = {key: draw(values) for key, values in SIGNALS.items()}
    return {key: value for key, value in found.items() if value is not None}


@st.composite
def scenes(draw: DrawFn) -> Scene:
    """Draw a whole scene: one in which nearly everything is in the way of a pick, or a busy one with many of them."""
    busy = draw(st.sampled_from([False, True, True]))
    agents = draw(LISTED_AGENTS)
    return {
        "graphs": draw(graphs(busy=busy)),
        "policy": draw(policies(busy=busy)),
        "signals": draw(signals()),
        "now": NOW,
        "request": {
            "limit": draw(st.integers(3 if busy else 1, 5)),
            "agents": agents,
            "graph_ids": [] if busy else draw(st.lists(st.sampled_from(GRAPHS), max_size=1)),
            "tracked": TRACKED,
            "own_repository": draw(maybe(st.sampled_from(REPOSITORIES))),
        },
    }
