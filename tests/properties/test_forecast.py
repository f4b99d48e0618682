"""A forecast is a schedule that could be kept: each task once, after what it needs, under every gate, one at a time."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from hypothesis import event, given
from hypothesis import strategies as st

from git_sched.decide.pick.collisions import Footprints
from git_sched.report.plan import build_forecast
from properties.strategies import AGENTS, TRACKED, maybe, scenes
from scenes import answer_to

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.graph import Node
    from scenes import Scene

SIZES = {"estimated_minutes", "estimated_tokens"}
TIMES = {"minutes", "start", "end", "scheduled_minutes", "cold_start_minutes", "assumed"}
LIMITS = maybe(st.integers(1, 5))


def foretold(scene: Scene, limit: int | None) -> tuple[Answer, record.ForecastRecord, dict[str, Node]]:
    """Forecast for so many agents; give the answer, the record and the nodes by name."""
    answer = answer_to(scene)
    found = build_forecast(answer, limit=limit)
    event(f"{found['counts']['tasks']} tasks, {found['counts']['unstarted']} cannot start")
    return answer, found, {node.name: node for node in answer.metrics.network.nodes}


def timed(scene: Scene, limit: int | None) -> tuple[Any, dict[str, Node]]:
    """Forecast with times: where too little is estimated, all that lacks an estimate gets one."""
    if foretold(scene, limit)[1]["estimates"]["unit"] == "task":
        graphs = [{**g, "nodes": [{"estimated_minutes": 10, **n} for n in g["nodes"]]} for g in scene["graphs"]]
        scene = {**scene, "graphs": graphs}
    _, found, nodes = foretold(scene, limit)
    assert all(row["start"] is not None for row in found["tasks"])
    return found, nodes


def name(row: Any) -> str:  # noqa: ANN401 - any row that names a node
    """Give the full name of a row."""
    return f"{row['graph_id']}/{row['node_id']}"


@given(scenes(), LIMITS)
def test_every_open_task_is_forecast_once_or_has_a_reason(scene: Scene, limit: int | None) -> None:
    answer, found, nodes = foretold(scene, limit)
    tasks, unstarted = [name(row) for row in found["tasks"]], [name(row) for row in found["unstarted"]]
    assert len({*tasks, *unstarted}) == len(tasks) + len(unstarted)
    network, counts = answer.metrics.network, found["counts"]
    asked = scene["request"]["graph_ids"]
    waiting = {
        n
        for i, (n, node) in enumerate(nodes.items())
        if network.is_open[i] and node.graph_id in (asked or [node.graph_id])
    }
    begun = {n for n, node in nodes.items() if node.status == "running"}
    left = waiting - {*tasks, *unstarted}
    assert counts["containers"] == len(left)
    assert all(network.is_container(i) for i, n in enumerate(nodes) if n in left)
    assert set(tasks) <= waiting | begun
    assert counts["open"] == len(waiting)
    assert all(row["why"] for row in found["unstarted"])


@given(scenes(), LIMITS)
def test_nothing_begins_before_what_it_needs_is_done(scene: Scene, limit: int | None) -> None:
    found, nodes = timed(scene, limit)
    ends = {name(row): row["end"] for row in found["tasks"]}
    enough = {"completed", "cancelled"} if scene["policy"]["on_cancelled"] == "satisfy" else {"completed"}
    unstarted = {name(row) for row in found["unstarted"]}
    for row in found["tasks"]:
        node = nodes[name(row)]
        if row["running"]:
            assert (node.status, row["start"]) == ("running", 0)
            continue
        for text in node.depends_on:
            need = text if "/" in text else f"{node.graph_id}/{text}"
            assert need not in unstarted
            assert nodes[need].status in enough or ends.get(need, 0.0) <= row["start"]


@given(scenes(), LIMITS)
def test_everybody_does_one_task_at_a_time(scene: Scene, limit: int | None) -> None:
    found, _ = timed(scene, limit)
    for lane in found["lanes"]:
        own = [row for row in found["tasks"] if row["lane"] == lane["lane"]]
        assert all(before["end"] <= after["start"] for before, after in pairwise(own))
        assert lane["agent_id"] is None or {row["agent_id"] for row in own} <= {lane["agent_id"]}
        assert lane["tasks"] == len(own)
    fresh = [row for row in found["tasks"] if not row["running"]]
    for one, other in combinations(fresh, 2):
        if one["agent_id"] is not None and one["agent_id"] == other["agent_id"] and other["start"]:
            assert one["end"] <= other["start"] or other["end"] <= one["start"]
    assert all(row["lane"] or not row["start"] for row in fresh), "only of what begins now one has several"


@given(scenes(), LIMITS)
def test_gates_hold_to_the_end(scene: Scene, limit: int | None) -> None:
    """Whenever a task begins, all that is at work then keeps within the limits and touches other files."""
    found, nodes = timed(scene, limit)
    footprints = Footprints(TRACKED, scene["request"]["own_repository"])
    limits, named = scene["policy"]["limits"], found["request"]["agents"]
    for row in found["tasks"]:
        if row["running"]:
            continue
        node = nodes[name(row)]
        place = found["tasks"].index(row)
        others = [o for n, o in enumerate(found["tasks"]) if o["start"] <= row["start"] < o["end"] and n < place]
        beside = [nodes[name(o)] for o in others]
        assert len(beside) < limits.get("total", 100)
        assert sum(o.graph_id == node.graph_id for o in beside) < limits.get("per_graph", 100)
        if node.repository is not None:
            assert sum(o.repository == node.repository for o in beside) < limits.get("per_repository", 100)
        if "tokens" in limits:
            assert sum(o.tokens for o in beside) + node.tokens <= limits["tokens"]
        assert not any(footprints.collide(node, other) for other in beside)
        if node.agent_id is not None:
            assert row["agent_id"] == node.agent_id
            assert not named or node.agent_id in named


@given(scenes(), LIMITS)
def test_the_critical_path_leads_to_the_end_without_a_gap(scene: Scene, limit: int | None) -> None:
    found, _ = timed(scene, limit)
    rows = {name(row): row for row in found["tasks"]}
    steps = [rows[name(step)] for step in found["critical"]]
    if not rows:
        assert not steps
        return
    assert found["makespan_minutes"] == max(row["end"] for row in rows.values())
    assert [row for row in found["tasks"] if row["critical"]] == sorted(steps, key=lambda row: row["start"])
    assert steps[-1]["end"] == found["makespan_minutes"]
    assert steps[0]["start"] == 0 or found["critical"][0]["after"] == "hold"
    assert all(before["end"] == after["start"] for before, after in pairwise(steps))


@given(scenes(), LIMITS)
def test_no_number_of_agents_ends_before_the_longest_chain(scene: Scene, limit: int | None) -> None:
    found, _ = timed(scene, limit)
    for agents in (None, 40):
        least, end = found["longest_chain"]["minutes"] or 0.0, found["makespan_minutes"] or 0.0
        assert least <= end + 1e-9, agents
        found, _ = timed(scene, agents or limit)


@given(scenes(), LIMITS)
def test_an_order_without_times_keeps_what_comes_after_what(scene: Scene, limit: int | None) -> None:
    """No task stands before one it comes after, the chain is one of dependencies, and nothing has a duration."""
    bare = [
        {**g, "nodes": [{k: v for k, v in n.items() if k not in SIZES} for n in g["nodes"]]} for g in scene["graphs"]
    ]
    answer, found, _ = foretold({**scene, "graphs": bare}, limit)
    places = {name(row): n for n, row in enumerate(found["tasks"])}
    for row in found["tasks"]:
        assert all(places.get(need, -1) < places[name(row)] for need in row["after"])
        assert not any(value for key, value in row.items() if key in TIMES)
    steps = [name(step) for step in found["critical"]]
    assert [places[step] for step in steps] == sorted(places[step] for step in steps)
    assert found["longest_chain"]["tasks"] <= len(steps) <= len(places)
    assert {name(row) for row in found["tasks"] if row["critical"]} == set(steps)
    totals = (found["longest_chain"], found["work"], *found["lanes"])
    assert not any(total.get("minutes", total.get("busy_minutes")) for total in totals)
    assert found["makespan_minutes"] is None
    assert found["cold_start_minutes"] == 0
    assert found["estimates"]["unit"] == "task" or not answer.metrics.open_nodes()


def begins_as_picked(scene: Scene, *, limit: int, agents: list[str]) -> None:
    """Hold what a plan begins now, and for whom, against what ``next`` picks for the same agents."""
    answer = answer_to(scene, limit=limit, agents=agents)
    found = build_forecast(answer, limit=limit)
    fresh = [row for row in found["tasks"] if not row["running"]]
    picks, nodes = answer.choice.picks, answer.metrics.network.nodes
    event(f"{len(picks)} picks, {len(agents)} named agents")
    assert found["outcome"] == answer.outcome
    begun = [(name(row), row["agent_id"]) for row in fresh[: len(picks)]]
    assert begun == [(nodes[pick.node].name, pick.context.agent_id) for pick in picks]
    for pick, row in zip(picks, fresh, strict=False):
        cold = found["cold_start_minutes"] if row["repository"] and not pick.context.warm else 0
        assert row["cold_start_minutes"] == cold
    if found["estimates"]["unit"] == "minute":
        assert not any(row["start"] for row in fresh[: len(picks)])
        ended = any(row["end"] == 0 for row in found["tasks"])
        assert all(row["start"] or ended for row in fresh[len(picks) :]), "nothing else begins now"


@given(scenes(), st.lists(st.sampled_from(AGENTS), min_size=1, unique=True))
def test_what_begins_now_is_what_comes_next_for_named_agents(scene: Scene, agents: list[str]) -> None:
    begins_as_picked(scene, limit=len(agents), agents=agents)


@given(scenes())
def test_what_begins_now_is_what_comes_next_for_others_besides(scene: Scene) -> None:
    """When nobody is at work, who would be one of the agents without a name."""
    rows = [
        {**g, "nodes": [{**n, "status": "pending"} if n["status"] == "running" else n for n in g["nodes"]]}
        for g in scene["graphs"]
    ]
    agents = scene["request"]["agents"]
    begins_as_picked({**scene, "graphs": rows}, limit=max(len(agents), scene["request"]["limit"]), agents=agents)
