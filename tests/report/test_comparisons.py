"""One change a file: what ``diff`` says of two scenes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

from git_sched.render import diff_sentences
from git_sched.render.markdown import comment, summary
from git_sched.render.text import diff, hook
from git_sched.report.diff import build_comparison
from git_sched.report.next import build_next
from scenes import answer_to, inputs_of

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer

CASES: Final = sorted((Path(__file__).parents[1] / "comparisons").glob("*.yaml"))
COMPARED: Final[record.ComparedRecord] = {
    "base": "1" * 40,
    "revision": "2" * 40,
    "head": "2" * 40,
    "requested": "HEAD^",
    "workspace": "",
    "now": None,
    "now_source": "unknown",
}


def places(side: record.SideRecord | None) -> list[str]:
    """Give what comes next on one side, each with its agent where one is named."""
    if side is None:
        return []
    rows = [(diff_sentences.name_place(place), place["agent_id"]) for place in side["order"]]
    return [f"{name} {agent}" if agent else name for name, agent in rows]


def by_base_policy(before: dict[str, Any], after: dict[str, Any]) -> Answer | None:
    """Answer for the tasks after a change by the policy before it, where the two differ."""
    policies = [scene.get("policy", {"version": 1}) for scene in (before, after)]
    if policies[0] == policies[1]:
        return None
    return answer_to({**after, "policy": policies[0]}) if inputs_of(before).policy else None


def told(found: record.ComparisonRecord, answer: Answer) -> dict[str, Any]:
    """Give what a case may speak of."""
    changes = found["changes"]
    lists = {key: [task["name"] for task in changes[key]["tasks"]] for key in diff_sentences.LISTS} if changes else {}
    return {
        "headline": diff_sentences.write_headline(found, str),
        "changed": found["changed"],
        "changes": {key: names for key, names in lists.items() if names},
        "broken": {row["path"]: row["tasks"] for row in changes["broken"]} if changes else {},
        "repaired": changes["repaired"] if changes else [],
        "unit": found["estimates"]["unit"],
        "before": places(found["before"]),
        "after": places(found["after"]),
        "by_base_policy": places(found["after_by_base_policy"]) if found["after_by_base_policy"] else None,
        "outcome": found["after"]["outcome"],
        "policy": {row["key"]: [row["old"], row["new"]] for row in found["policy_changes"]},
        "new": [found["new_errors"], found["new_warnings"]],
        "fixed": [found["fixed_errors"], found["fixed_warnings"]],
        "first_problem": found["problems"][0]["message"] if found["problems"] else None,
        "comment": comment.body(found),
        "push": [line for line in summary.render(build_next(answer), changes).splitlines() if "This push" in line],
        "diff": diff.render(found),
        "hook": hook.render(build_next(answer), hook.MoveSummary("merge", changes, found["new_errors"])),
    }


def answer_with_files(scene: dict[str, Any]) -> Answer:
    """Answer a scene whose graphs are files that were read."""
    answer = answer_to(scene)
    files = tuple(sorted((graph.path, repr(graph.nodes)) for graph in answer.metrics.network.graphs))
    inputs = answer.inputs._replace(basis=answer.inputs.basis._replace(inputs=files))
    return answer._replace(inputs=inputs)


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_comparison(path: Path) -> None:
    """A case without ``before`` says in ``missing`` why there is nothing to compare with."""
    case = yaml.safe_load(path.read_bytes())
    asked = {"request": {"limit": 3}}
    after = {**asked, **case["after"]}
    before = {**asked, **case["before"]} if "before" in case else None
    own = by_base_policy(before, after) if before else None
    old, new = answer_with_files(before) if before else None, answer_with_files(after)
    found = build_comparison(old, new, by_base_policy=own, compared=COMPARED, missing=case.get("missing", ""))
    said = told(found, new)
    assert {key: said[key] for key in case["expect"]} == case["expect"], case["why"]
