"""Parts and wholes: an edge between them adds nothing, and while a part is in error no whole above it begins."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from hypothesis import assume, given
from hypothesis import strategies as st

from properties.strategies import scenes
from properties.test_invariance import all_that_is_said
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scenes import Scene

Row = dict[str, Any]


def wholes(graph: dict[str, Any], row: Row) -> Iterator[Row]:
    """Give the rows that a row is part of, the nearest first."""
    rows = {other["node_id"]: other for other in graph["nodes"]}
    seen = {row["node_id"]}
    while (above := row.get("foreign", {}).get("parent")) in rows and above not in seen:
        seen.add(above)
        row = rows[above]
        yield row


def parts(scene: Scene) -> list[tuple[dict[str, Any], Row, Row]]:
    """Give each pair of a part and one of its wholes, with their graph."""
    return [(graph, row, whole) for graph in scene["graphs"] for row in graph["nodes"] for whole in wholes(graph, row)]


@given(scenes(), st.data())
def test_an_edge_between_a_part_and_its_whole_adds_nothing(scene: Scene, data: st.DataObject) -> None:
    pairs = range(len(parts(scene)))
    assume(pairs)
    before = all_that_is_said(answer_to(scene))
    _, part, whole = parts(scene)[data.draw(st.sampled_from(pairs))]
    holder, other = data.draw(st.sampled_from([(part, whole), (whole, part)]))
    holder["depends_on"] = [*holder.get("depends_on", []), other["node_id"]]
    after = all_that_is_said(answer_to(scene))
    for said in (before, after):
        said["problems"] = [row for row in said["problems"] if row[1] != "redundant-dependency"]
    assert after == before


@given(scenes(), st.data())
def test_nothing_begins_that_waits_for_a_node_in_error(scene: Scene, data: st.DataObject) -> None:
    rows = [(n, i) for n, graph in enumerate(scene["graphs"]) for i in range(len(graph["nodes"]))]
    assume(rows)
    n, i = data.draw(st.sampled_from(rows))
    twice = deepcopy(scene)
    graph = twice["graphs"][n]
    row = graph["nodes"][i]
    status = "running" if row["status"] != "running" else "pending"
    graph["nodes"].append({**row, "status": status, "priority": 900, "depends_on": []})
    answer = answer_to(twice)
    metrics = answer.metrics
    ready = {metrics.node(node).name for node in metrics.ready}
    graph_id, node_id = graph["graph_id"], row["node_id"]
    assert f"{graph_id}/{node_id}" not in {node.name for node in metrics.network.nodes}
    assert ready.isdisjoint(f"{graph_id}/{whole['node_id']}" for whole in wholes(graph, row))
    for other in graph["nodes"]:
        if node_id in other.get("depends_on", []) or row in list(wholes(graph, other)):
            kin = other in list(wholes(graph, row))
            assert kin or f"{graph_id}/{other['node_id']}" not in ready
    assert metrics.passes.inherited[: len(metrics.network.nodes)].count(900) == 0
