"""Laws 2 to 4: a score is the sum of its rows, more weight never hurts whom it favours, nor does more priority."""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations
from typing import TYPE_CHECKING

from hypothesis import assume, given
from hypothesis import strategies as st

from git_sched.decide.factors import FACTOR_NAMES
from git_sched.report.next import build_next
from properties.strategies import scenes
from scenes import answer_to

if TYPE_CHECKING:
    from scenes import Scene

MILLION = 1_000_000


@given(scenes())
def test_a_score_is_the_sum_of_its_rows(scene: Scene) -> None:
    """In the ranking and for each pick; and points are weight times rating, to a millionth."""
    answer = answer_to(scene)
    record = build_next(answer)
    for found in (*record["ranking"], *record["decisions"], *record["skipped"]):
        points = [round(row["points"] * MILLION) for row in found["factors"]]
        assert sum(points) == round(found["score"] * MILLION)
        for row in found["factors"]:
            assert abs(row["weight"] * row["rating"] - row["points"]) <= 0.6 / MILLION
            assert row["known"] or row["rating"] == 0
            assert row["factor"] in {"priority", "merge_pressure"} or 0 <= row["rating"] <= 1


@given(scenes(), st.sampled_from(FACTOR_NAMES), st.sampled_from([0.25, 1, 40]))
def test_more_weight_never_moves_a_favourite_down(scene: Scene, factor: str, more: float) -> None:
    """Law 3: of the nodes that a factor rates highest none falls behind one that was clearly below it."""
    assume(not any(factor in table for table in scene["policy"]["graph_overrides"].values()))
    answer = answer_to(scene)
    base = answer.metrics.policy.base_weights().get(factor, 0)
    raised = deepcopy(scene)
    raised["policy"]["weights"][factor] = base + more
    after = answer_to(raised)
    assume(after.choice.ranking)

    [weighed] = [weighed for weighed in after.scoring.base if weighed.factor.name == factor]
    rating = {
        ranked.node: weighed.prepared.rate(ranked.node, ranked.context)
        for ranked in after.choice.ranking
        if weighed.prepared.known(ranked.node, ranked.context)
    }
    assume(rating)
    favourites = {node for node, value in rating.items() if value == max(rating.values())}
    place = {ranked.node: number for number, ranked in enumerate(after.choice.ranking)}
    for above, below in combinations(answer.choice.ranking, 2):
        if above.node in favourites and above.score - below.score > 2:
            assert place[above.node] < place[below.node]


def with_a_twin(scene: Scene, name: str, priority: int) -> str:
    """Give a node a twin that differs in id and own priority alone: whatever waits for one waits for both."""
    graph_id, _, node_id = name.partition("/")
    [home] = [graph for graph in scene["graphs"] if graph["graph_id"] == graph_id]
    [original] = [row for row in home["nodes"] if row["node_id"] == node_id]
    home["nodes"].append({**original, "node_id": f"{node_id}-twin", "priority": priority})
    for graph in scene["graphs"]:
        for row in graph["nodes"]:
            waits = row.get("depends_on", [])
            names = {name, node_id} if graph is home else {name}
            row["depends_on"] = [*waits, *(f"{text}-twin" for text in waits if text in names)]
    return f"{name}-twin"


@given(scenes(), st.data())
def test_the_higher_priority_comes_first(scene: Scene, data: st.DataObject) -> None:
    """Law 4: of two ready nodes of one graph that differ only in id and own priority, in ranking and picks."""
    scene["policy"] |= {"preset": "balanced", "redispatch_after": False}
    before = answer_to(scene)
    network = before.metrics.network
    ready = [ranked.node for ranked in before.choice.ranking if not network.is_container(ranked.node)]
    assume(ready)
    node = network.nodes[data.draw(st.sampled_from(ready))]
    priority = data.draw(st.integers(-2, 9).filter(lambda value: value != node.priority))
    twin = with_a_twin(scene, node.name, priority)
    first, second = (twin, node.name) if priority > node.priority else (node.name, twin)

    answer = answer_to(scene)
    order = [answer.metrics.node(ranked.node).name for ranked in answer.choice.ranking]
    assert order.index(first) < order.index(second)
    picks = [answer.metrics.node(pick.node).name for pick in answer.choice.picks]
    if second in picks:
        assert first in picks[: picks.index(second)]
