"""One change a file: what ``diff`` says of two scenes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

from git_sched.render import diff_sentences
from git_sched.render.markdown import comment
from git_sched.render.text import diff, hook
from git_sched.report import next as answers
from git_sched.report.diff import build_comparison
from scenes import answer_to, inputs_of

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer

CASES: Final = sorted((Path(__file__).parents[1] / "comparisons").glob("*.yaml"))
COMPARED: Final[record.ComparedRecord] = {
    "base": "1" * 40,
    "revision": "2" * 40,
    "head": "2" * 40,
    "asked": "HEAD^",
    "workspace": "",
    "now": None,
    "now_source": "unknown",
}


def places(side: record.SideRecord | None) -> list[str]:
    """Give what comes next on one side, each with its agent where one is named."""
    if side is None:
        return []
    rows = zip(diff_sentences.names(side), side["order"], strict=True)
    return [f"{name} {place['agent_id']}" if place["agent_id"] else name for name, place in rows]


def by_base_policy(before: dict[str, Any], after: dict[str, Any]) -> Answer | None:
    """Answer for the tasks after a change by the policy before it, where the two differ."""
    policies = [scene.get("policy", {"version": 1}) for scene in (before, after)]
    if policies[0] == policies[1]:
        return None
    assert inputs_of(before).policy is not None
    return answer_to({**after, "policy": policies[0]})


def told(found: record.ComparisonRecord, answer: Answer) -> dict[str, Any]:
    """Give what a case may speak of."""
    changes = found["changes"]
    listed = diff_sentences.lists(changes) if changes else {}
    return {
        "headline": diff_sentences.headline(found),
        "changed": found["changed"],
        "changes": {key: rows["names"] for key, rows in listed.items() if rows["names"]},
        "before": places(found["before"]),
        "after": places(found["after"]),
        "by_base_policy": places(found["after_by_base_policy"]) if found["after_by_base_policy"] else None,
        "outcome": found["after"]["outcome"],
        "policy": {row["key"]: [row["old"], row["new"]] for row in found["policy_changes"]},
        "new_problems": found["new_problems"],
        "mended_problems": found["mended_problems"],
        "first_problem": found["problems"][0]["message"] if found["problems"] else None,
        "comment": comment.body(found),
        "diff": diff.render(found),
        "hook": hook.render(answers.build_next(answer), hook.MoveSummary("merge", changes, found["new_problems"])),
    }


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_comparison(path: Path) -> None:
    """A case without ``before`` says in ``missing`` why there is nothing to compare with."""
    case = yaml.safe_load(path.read_bytes())
    asked = {"request": {"limit": 3}}
    after = {**asked, **case["after"]}
    before = {**asked, **case["before"]} if "before" in case else None
    own = by_base_policy(before, after) if before else None
    old = answer_to(before) if before else None
    found = build_comparison(
        old, answer_to(after), by_base_policy=own, compared=COMPARED, missing=case.get("missing", "")
    )
    said = told(found, answer_to(after))
    assert {key: said[key] for key in case["expect"]} == case["expect"], case["why"]
