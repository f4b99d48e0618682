"""What a record promises: the change is made, and the same is asked again."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from hypothesis import given

from git_sched.report import explain
from properties.strategies import scenes
from scenes import answer_to

if TYPE_CHECKING:
    from scenes import Scene


@given(scenes())
def test_a_held_task_is_free_once_what_holds_it_is_finished(scene: Scene) -> None:
    answer = answer_to(scene)
    for node in answer.choice.held:
        name = answer.metrics.node(node).name
        record = explain.build_explanation(answer, name)
        assert record["held"] is not None
        if not record["free_again_when"]:
            continue
        assert record["free_again_when"] == record["held"]["by"]
        finished = deepcopy(scene)
        for graph in finished["graphs"]:
            for row in graph["nodes"]:
                if f"{graph['graph_id']}/{row['node_id']}" in record["free_again_when"]:
                    row["status"] = "completed"
        then = answer_to(finished)
        assert name not in {then.metrics.node(i).name for i in then.choice.held}
