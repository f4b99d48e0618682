"""What a pick must be, and that asking for more picks only adds to the earlier ones."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from hypothesis import event, given
from pathspec import GitIgnoreSpec

from properties.strategies import TRACKED, scenes
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.decide.pipeline import Answer
    from git_sched.model.graph import Node
    from scenes import Scene

Taken = tuple["Node", str | None]
"""A node at work or picked, with its agent."""


def picked(answer: Answer) -> list[Taken]:
    """Give the picked nodes with their agents."""
    return [(answer.metrics.node(pick.node), pick.context.agent_id) for pick in answer.choice.picks]


def at_work(answer: Answer) -> list[Taken]:
    """Give the running nodes of active graphs, containers only where no part of theirs is open."""
    network = answer.metrics.network
    return [
        (node, node.agent_id)
        for i, node in enumerate(network.nodes)
        if node.status == "running"
        and network.graph_of[node.graph_id].active
        and not any(network.is_open[part] for part in network.children.get(i, ()))
    ]


@given(scenes())
def test_a_pick_is_ready_distinct_and_of_a_graph_that_was_asked_for(scene: Scene) -> None:
    answer = answer_to(scene)
    event(f"{len(answer.choice.picks)} picks of {len(answer.metrics.ready)} ready")
    nodes = [pick.node for pick in answer.choice.picks]
    assert len(set(nodes)) == len(nodes) <= scene["request"]["limit"]
    for i in nodes:
        node = answer.metrics.node(i)
        assert node.status in {"pending", "ready"}
        assert not answer.metrics.network.faults.get(i)
        assert answer.metrics.network.graph_of[node.graph_id].active
        assert node.graph_id in (scene["request"]["graph_ids"] or [node.graph_id])


@given(scenes())
def test_what_a_pick_needs_is_finished(scene: Scene) -> None:
    """Worked out from the texts of the files alone."""
    answer = answer_to(scene)
    status = {node.name: node.status for node in answer.metrics.network.nodes}
    enough = {"completed", "cancelled"} if scene["policy"]["on_cancelled"] == "satisfy" else {"completed"}
    for node, _ in picked(answer):
        for text in node.depends_on:
            assert status[text if "/" in text else f"{node.graph_id}/{text}"] in enough


@given(scenes())
def test_no_limit_is_exceeded(scene: Scene) -> None:
    """Only picks can be one too many: what is at work already may be over a limit."""
    answer = answer_to(scene)
    limits = scene["policy"]["limits"]
    before = at_work(answer)
    for n, (node, agent) in enumerate(picked(answer), 1):
        taken = [*before, *picked(answer)[:n]]
        counts = {
            "total": len(taken),
            "per_graph": sum(other.graph_id == node.graph_id for other, _ in taken),
            "per_repository": sum(other.repository == node.repository for other, _ in taken) * bool(node.repository),
            "per_agent": sum(whose == agent for _, whose in taken) * bool(agent),
            "tokens": sum(other.tokens for other, _ in taken),
        }
        assert all(counts[name] <= limit for name, limit in limits.items()), counts


@given(scenes())
def test_a_pick_is_assigned_to_nobody_else(scene: Scene) -> None:
    for node, agent in picked(answer_to(scene)):
        assert node.agent_id in {None, agent}
        assert agent is None or agent in (scene["request"]["agents"] or [node.agent_id])


@given(scenes())
def test_nothing_under_pressure_is_picked_where_it_is_to_be_skipped(scene: Scene) -> None:
    answer = answer_to(scene)
    depths, threshold = scene["signals"].get("merge_queue", {}), scene["policy"]["merge_queue_threshold"]
    skipped = [answer.metrics.node(one.node) for one in answer.choice.skipped]
    assert all(depths[node.repository] >= threshold for node in skipped)
    if scene["policy"]["skip_on_merge_pressure"]:
        assert all(depths.get(node.repository, 0) < threshold for node, _ in picked(answer))
    else:
        assert not skipped


@given(scenes())
def test_nobody_gets_what_was_handed_to_another(scene: Scene) -> None:
    """Rows of the last four hours hold; where an agent took a task and gave it back, the later row of it counts."""
    if not scene["policy"]["redispatch_after"]:
        return
    last = {
        (row["node"], row["agent_id"]): row
        for row in sorted(scene["signals"].get("history", []), key=lambda row: row["at"])
        if (row["released"] or (row["dispatched"] and not row["skipped"])) and row["at"] > "2026-11-03T08:00:00Z"
    }
    for node, agent in picked(answer_to(scene)):
        for (name, whose), row in last.items():
            if name == node.name and row["dispatched"]:
                assert whose == agent, "who has a task is the only one who may get it"
                assert row["basis"] == "this" or (agent is not None and node.agent_id == agent)


def share_a_tracked_file(one: Node, other: Node) -> bool:
    """Say whether a tracked file matches the patterns of both."""
    files = [set(GitIgnoreSpec.from_lines(node.paths).match_files(TRACKED)) for node in (one, other)]
    return bool(files[0] & files[1])


def name_the_same_file(one: Node, other: Node) -> bool:
    """Say whether a path without wildcards of one matches the patterns of the other."""
    literal = [path for path in one.paths if not set(path) & set("*?[!")]
    return any(GitIgnoreSpec.from_lines(other.paths).match_file(path.strip("/")) for path in literal)


@given(scenes())
def test_no_two_at_once_touch_the_same_file(scene: Scene) -> None:
    answer = answer_to(scene)
    picks: Sequence[Taken] = picked(answer)
    pairs = [*combinations(picks, 2), *((old, new) for old in at_work(answer) for new in picks)]
    for (one, _), (other, _) in pairs:
        if one.repository != other.repository or not one.paths or not other.paths:
            continue
        assert not name_the_same_file(one, other)
        assert not name_the_same_file(other, one)
        if one.repository == scene["request"]["own_repository"]:
            assert not share_a_tracked_file(one, other)


@given(scenes())
def test_more_picks_begin_with_the_fewer(scene: Scene) -> None:
    """Rule E4: the decisions for k are a prefix of those for k + 1."""
    asked = [answer_to(scene, limit=k).choice.picks for k in range(1, 7)]
    event(f"{len(asked[-1])} picks, {len(scene['request']['agents'])} named agents")
    for fewer, more in pairwise(asked):
        assert more[: len(fewer)] == fewer


@given(scenes())
def test_every_ready_node_has_one_fate(scene: Scene) -> None:
    """Picked, skipped, held or lower-ranked: nothing is left out, and nothing is two of these."""
    choice = answer_to(scene).choice
    fates = [*(pick.node for pick in choice.picks), *(one.node for one in choice.skipped), *choice.held]
    assert len(set(fates)) == len(fates)
    lower = {ranked.node for ranked in choice.ranking}.difference(fates)
    assert not lower or len(choice.picks) == scene["request"]["limit"]
