"""Every claim in a record is put to the test: what it says of a change is compared with the answer after that change.

The records alone are read, never the text. Scenes are those of all properties; a change is made in the scene's own
words, and the question is asked again.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from hypothesis import assume, event, given
from hypothesis import strategies as st

from git_sched.report.diff import build_comparison
from git_sched.report.explain import build_explanation
from git_sched.report.next import build_next
from git_sched.report.plan import build_forecast
from properties.strategies import scenes
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from scenes import Scene

MAY_START: Final = {"ready", "held", "skipped"}
"""States of a node that waits for no other one."""

WAITING: Final = ({"waits_for"}, {"container"}, {"waits_for", "container"})
"""The reasons that end with the end of other nodes, alone or together."""

COMPARED: Final[record.ComparedRecord] = {
    "base": "1" * 40, "revision": "2" * 40, "head": "2" * 40, "requested": "HEAD", "workspace": "", "now": None,
    "now_source": "commit",
}  # fmt: skip


def names(answer: Answer) -> list[str]:
    """Give the names of all nodes that are not in error."""
    return [node.name for node in answer.metrics.network.nodes]


def explain_all(answer: Answer) -> dict[str, record.ExplanationRecord]:
    """Explain every node."""
    return {name: build_explanation(answer, name) for name in names(answer)}


def states(answer: Answer) -> dict[str, str]:
    """Give the state of every node as ``explain`` gives it."""
    return {name: found["state"] for name, found in explain_all(answer).items()}


def changed(scene: Scene, chosen: Iterable[str], **values: object) -> Scene:
    """Give a scene with other values in some nodes."""
    found = deepcopy(scene)
    wanted = set(chosen)
    for graph in found["graphs"]:
        for row in graph["nodes"]:
            if f"{graph['graph_id']}/{row['node_id']}" in wanted:
                row.update(values)
    return found


def with_open_parts(scene: Scene) -> set[str]:
    """Give the names of the nodes that others are part of."""
    return {
        f"{graph['graph_id']}/{row['foreign']['parent']}"
        for graph in scene["graphs"]
        for row in graph["nodes"]
        if "parent" in row["foreign"]
    }


def shelved(scene: Scene) -> set[str]:
    """Give the ids of the graphs that are not active."""
    return {graph["graph_id"] for graph in scene["graphs"] if graph["status"] != "active"}


def one_of(
    data: st.DataObject, answer: Answer, wanted: Callable[[record.ExplanationRecord], bool]
) -> Iterable[record.ExplanationRecord]:
    """Draw one of the nodes whose explanation makes a claim, if there is any."""
    claims = [found for found in explain_all(answer).values() if wanted(found)]
    return [data.draw(st.sampled_from(claims))] if claims else []


@given(scenes(), st.data())
def test_what_a_node_frees_may_start_once_it_is_finished_and_nothing_else_may(
    scene: Scene, data: st.DataObject
) -> None:
    answer, wholes = answer_to(scene), with_open_parts(scene)
    inactive = {node.name for node in answer.metrics.network.nodes if node.graph_id in shelved(scene)}
    before = states(answer)
    for found in one_of(
        data, answer, lambda e: e["state"] in {*MAY_START, "running"} and e["node"] not in wholes | inactive
    ):
        event("frees something" if found["frees"] else "frees nothing")
        after = states(answer_to(changed(scene, [found["node"]], status="completed")))
        freed = {name for name in after if after[name] in MAY_START and before[name] not in {*MAY_START, "running"}}
        assert freed == set(found["frees"])


@given(scenes(), st.data())
def test_a_node_may_start_once_all_it_waits_for_is_finished_and_not_before(scene: Scene, data: st.DataObject) -> None:
    answer = answer_to(scene)
    for found in one_of(data, answer, lambda e: {r["kind"] for r in e["also"]} in WAITING):
        awaited = [step["name"] for step in found["waits_for"]]
        assert states(answer_to(changed(scene, awaited, status="completed")))[found["node"]] in MAY_START
        last = data.draw(st.sampled_from(awaited))
        others = [name for name in awaited if name != last]
        assert states(answer_to(changed(scene, others, status="completed")))[found["node"]] not in MAY_START


@given(scenes(), st.data())
def test_what_would_bring_a_node_first_does(scene: Scene, data: st.DataObject) -> None:
    scene["policy"]["agent_pool"] = []
    for found in one_of(data, answer_to(scene), lambda e: e["would_come_first_if"] is not None):
        change = found["would_come_first_if"]
        assert change is not None
        event(change["change"])
        after = with_change(scene, change, found["assigned_to"])
        assert build_explanation(answer_to(after), found["node"])["rank"] == 1


def with_change(scene: Scene, change: record.ChangeRecord, assigned_to: str | None) -> Scene:
    """Give a scene in which a repository is checked out by whoever would get its nodes, or its queue is empty."""
    found = deepcopy(scene)
    agents = found["request"]["agents"] or [None]
    if assigned_to is not None and agents in ([None], [assigned_to]):
        agents = [assigned_to]
    if change["change"] == "checked_out":
        rows = [(change["repository"], agent) for agent in agents]
        found["signals"]["worktrees"] = [*found["signals"].get("worktrees", []), *rows]
    else:
        found["signals"]["merge_queue"][change["repository"]] = 0
    return found


@given(scenes(), st.data())
def test_a_held_node_is_free_again_when_it_says_so(scene: Scene, data: st.DataObject) -> None:
    """Unless another task, picked meanwhile, takes its place."""
    for found in one_of(data, answer_to(scene), lambda e: bool(e["free_again_when"])):
        event("free again when others are finished")
        after = answer_to(changed(scene, found["free_again_when"], status="completed"))
        held = build_explanation(after, found["node"])["held"]
        picked = {f"{row['graph_id']}/{row['node_id']}" for row in build_next(after)["decisions"]}
        assert held is None or picked.intersection(held["by"])


@given(scenes(), st.data())
def test_a_hold_ends_when_it_says_so(scene: Scene, data: st.DataObject) -> None:
    scene["policy"]["redispatch_after"] = "4h"
    row = {"at": "2026-11-03T11:00:00Z", "agent_id": "bob", "dispatched": True}
    rows = [{**row, "node": name} for name, state in states(answer_to(scene)).items() if state in MAY_START]
    scene["signals"]["history"] = [*scene["signals"].get("history", []), *rows[:2]]
    scene["request"]["agents"] = ["ann"]
    for found in one_of(data, answer_to(scene), lambda e: e["held"] is not None and e["held"]["until"] is not None):
        assert found["held"] is not None
        until = found["held"]["until"]
        later = {**scene, "now": until, "clock": until}
        held = build_explanation(answer_to(later), found["node"])["held"]
        assert held is None or held["until"] != until


@given(scenes(), st.integers(1, 5))
def test_no_number_of_agents_ends_before_the_least_there_is(scene: Scene, limit: int) -> None:
    forecast = build_forecast(answer_to(scene), limit=limit)
    end, least = forecast["makespan_minutes"], forecast["longest_chain"]["minutes"]
    if end is not None and least is not None:
        assert least <= end + 1e-6


@given(scenes())
def test_what_would_free_the_most_frees_that(scene: Scene) -> None:
    answer = answer_to(scene)
    for root in build_next(answer)["roots"]:
        name = f"{root['graph_id']}/{root['node_id']}"
        event(f"a root that is {root['state']}")
        assert len(root["freed"]) <= root["frees"]
        after = states(answer_to(changed(scene, [name], status="completed")))
        assert {after[other] for other in root["freed"]} <= MAY_START


STATUSES: Final = ("pending", "running", "completed", "cancelled", "blocked")


def names_in(listed: dict[str, Any]) -> list[str]:
    """Give the names in a list of a comparison."""
    return [task["name"] for task in listed["tasks"]]


@given(scenes(), st.data())
def test_what_a_comparison_says_of_a_node_is_so_on_both_sides(scene: Scene, data: st.DataObject) -> None:
    before = answer_to(scene)
    assume(names(before))
    chosen = data.draw(st.lists(st.sampled_from(names(before)), min_size=1, max_size=4, unique=True))
    after = answer_to(changed(scene, chosen, status=data.draw(st.sampled_from(STATUSES))))
    found = build_comparison(before, after, by_base_policy=None, compared=COMPARED, missing="")
    assert found["changes"] is not None
    changes: dict[str, Any] = {**found["changes"]}
    old, new = states(before), states(after)
    for kind, (was, became) in MOVES.items():
        for name in names_in(changes[kind]):
            event(kind)
            assert was is None or (old[name] in was) == (was is not BLOCKED)
            assert (new[name] in became) == (became is not BLOCKED)
    listed = [name for rows in changes.values() if isinstance(rows, dict) for name in names_in(rows)]
    assert len(set(listed)) == len(listed)
    moved = {name for name in old if old[name] != new[name] and old[name] not in MAY_START and new[name] in MAY_START}
    assert moved <= set(listed)


BLOCKED: Final = MAY_START | {"running", "completed", "cancelled"}
"""What a blocked node is not."""

MOVES: Final[dict[str, tuple[set[str] | None, set[str]]]] = {
    "finished": (None, {"completed"}),
    "begun": (None, {"running"}),
    "returned": ({"running"}, MAY_START),
    "freed": (BLOCKED, MAY_START),
    "newly_blocked": (MAY_START | {"running"}, BLOCKED),
}
"""The states of a node before and after, for each list of a comparison."""
