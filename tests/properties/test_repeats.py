"""The same request on the same basis gives the same bytes, whatever was recorded in between."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from git_sched.render.data import as_json
from git_sched.render.text import next as next_text
from git_sched.report.next import build_next
from properties.strategies import NOW, scenes
from scenes import answer_to

if TYPE_CHECKING:
    from scenes import Scene


def printed(scene: Scene) -> tuple[str, str]:
    """Give what ``next`` prints, as text and as JSON."""
    record = build_next(answer_to(scene))
    return next_text.render(record), as_json.render(record)


def rows_of(scene: Scene, *, dispatched: bool) -> list[dict[str, Any]]:
    """Give the rows of history that recording an answer appends."""
    record = build_next(answer_to(scene))
    return [
        {
            "node": f"{row['graph_id']}/{row['node_id']}",
            "at": NOW,
            "repository": row["repository"],
            "agent_id": row["agent_id"],
            "skipped": row["skipped"],
            "dispatched": dispatched and not row["skipped"],
            "basis": "this",
        }
        for row in (*record["decisions"], *record["skipped"])
    ]


@given(scenes())
def test_asking_twice_gives_the_same_bytes(scene: Scene) -> None:
    assert printed(scene) == printed(deepcopy(scene))


@given(scenes(), st.lists(st.booleans(), min_size=1, max_size=3))
def test_recording_and_handing_out_changes_no_answer(scene: Scene, recorded: list[bool]) -> None:
    """Not for the same caller, who asks the same again; true stands for --dispatch."""
    before = printed(scene)
    for dispatched in recorded:
        rows = rows_of(scene, dispatched=dispatched)
        if rows:
            scene["signals"]["history"] = [*scene["signals"].get("history", []), *rows]
    assert printed(scene) == before


@given(scenes())
def test_what_was_handed_out_is_held_for_everyone_else(scene: Scene) -> None:
    scene["policy"]["redispatch_after"] = "4h"
    scene["request"]["agents"] = ["ann"]
    scene["request"]["limit"] = 1
    rows = [row for row in rows_of(scene, dispatched=True) if row["dispatched"]]
    scene["signals"]["history"] = [*scene["signals"].get("history", []), *rows]
    scene["request"]["agents"] = ["bob"]
    after = answer_to(scene)
    assert not {row["node"] for row in rows} & {after.metrics.node(pick.node).name for pick in after.choice.picks}
