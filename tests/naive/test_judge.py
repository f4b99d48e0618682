"""The pipeline before a slow and literal reader of the rules: both answer thousands of random workspaces alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypothesis import event, given, settings

from git_sched.decide.ready.reasons import reasons
from naive.judge import judge
from naive.workspaces import workspaces
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.decide.pipeline import Answer
    from git_sched.model.request import Ranked
    from scenes import Scene

TRIES: Final = settings.default.max_examples if settings.default else 0
EXAMPLES: Final = 300 if TRIES < 60 else max(2_000, TRIES)


def rows(answer: Answer, found: Iterable[Ranked]) -> dict[str, dict[str, tuple[float, int]]]:
    """Give the rows of scores by node and factor: rating and points in millionths."""
    return {
        answer.metrics.node(ranked.node).name: {
            row.factor: (row.rating, row.points) for row in answer.scoring.rows(ranked.node, ranked.context)
        }
        for ranked in found
    }


def answer_by_names(answer: Answer) -> dict[str, Any]:
    """Give an answer of the pipeline as the judge gives its own."""
    metrics, choice = answer.metrics, answer.choice
    network, state = metrics.network, metrics.readiness.state
    names = [node.name for node in network.nodes]
    waiting = [i for i in range(len(names)) if network.is_open[i] and state[i] != "running"]
    why = {i: reasons(metrics.readiness, i) for i in waiting}
    return {
        "in_error": {f"{graph_id}/{broken.node_id}" for graph_id, broken in network.broken},
        "states": dict(zip(names, state, strict=True)),
        "reasons": {names[i]: list(dict.fromkeys(r.kind for r in why[i])) for i in waiting},
        "waits for": {names[i]: {names[n] for r in why[i] if r.kind == "waits_for" for n in r.nodes} for i in waiting},
        "ready": {names[i] for i in metrics.ready},
        "order": [names[r.node] for r in choice.ranking],
        "rows": rows(answer, choice.ranking),
        "picks": [(names[r.node], r.context.agent_id, r.context.warm) for r in choice.picks],
        "rows of picks": rows(answer, choice.picks),
        "skipped": [names[r.node] for r in choice.skipped],
        "outcome": answer.outcome,
    }


def differences(scene: Scene) -> dict[str, Any]:
    """Give what the pipeline and the judge answer differently: for each key the pipeline's value and the judge's."""
    answer, right = answer_to(scene), judge(scene)
    found = answer_by_names(answer)
    different = {key: (value, right[key]) for key, value in found.items() if not alike(value, right[key])}
    gates = {answer.metrics.node(i).name: held.gate for i, held in answer.choice.held.items()}
    full = len(found["picks"]) == scene["request"]["limit"]
    must = right["held_from_the_start"] if full else right["held"].keys()
    wrong = {
        name: (gate, right["held"].get(name)) for name, gate in gates.items() if gate not in right["held"].get(name, ())
    }
    missing = set(must) - {*gates, *right["skipped"], *(name for name, _, _ in right["picks"])}
    return different | ({"held": (wrong, missing)} if wrong or missing else {})


def alike(one: Any, other: Any) -> bool:  # noqa: ANN401 - values of all the shapes that an answer has
    """Say whether two values are the same; ratings may differ by a rounding error, rows without points are none."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) < 1e-9
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


@settings(max_examples=EXAMPLES)
@given(workspaces())
def test_the_pipeline_answers_as_a_literal_reader_does(scene: Scene) -> None:
    found = differences(scene)
    event(f"outcome: {judge(scene)['outcome']}")
    assert not found
