"""What real task files hold, each a folder of ``../shared/realcases`` with one workspace, and what is right."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

from sandbox import SHARED, ask, commit, git, names

if TYPE_CHECKING:
    from pathlib import Path

CASES: Final = {path.name: path for path in (SHARED / "realcases").glob("f*") if path.is_dir()}


class Expectation(NamedTuple):
    """What is right: the first pick, how many tasks are ready, words that are printed or never are, the exit code."""

    pick: str | None = None
    ready: int | None = None
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    code: int = 0


EXPECTED: Final = {
    "f1-part-depends-on-its-whole": Expectation("backlog/TASK-1.1", ready=1, says=("1 warning",)),
    "f2-renamed-prefix": Expectation(says=("TASK-6 is WEB-6",), never=("WEB-2", "WEB-3"), code=1),
    "f3-speckit-current-feature": Expectation("002-search/T002", says=("001-old-shell",)),
    "f4-taskmaster-current-tag": Expectation("checkout/1"),
    "f5-no-estimates": Expectation("beads/ap-1", ready=12, never=(" min",)),
    "f6-kiro-without-numbers": Expectation(ready=1, says=("Write the CSV file",), never=("warning",)),
    "f7-fence-at-the-end": Expectation("001-a/T001", never=("warning",)),
    "f8-archived-dependency": Expectation(says=("backlog/archive/tasks",), never=("did you mean", "TASK-13"), code=1),
    "f10-two-finished-with-one-id": Expectation("backlog/TASK-6", ready=1, never=("TASK-5",)),
    "f11-fixtures-and-disabled": Expectation("beads/ap-1", ready=1, never=("old-1",)),
    "f12-team-status": Expectation(says=("statuses: {done: completed}",)),
    "f13-container-of-parts-in-error": Expectation(ready=0, code=1),
    "f16-one-part-in-error": Expectation(ready=0, code=1),
    "f19-skipped-task": Expectation("001-a/T003", ready=1),
    "f21-draft-status": Expectation("backlog/TASK-3", ready=1, never=("running",)),
    "f22-terminal-not-last": Expectation(says=("Done is not the last status",)),
}

NOT_YET: Final = {
    "f1-part-depends-on-its-whole": "a part that depends on its own whole is a cycle",
    "f2-renamed-prefix": "dependencies under an old prefix are warned of one by one",
    "f3-speckit-current-feature": "the feature that is checked out has no precedence",
    "f4-taskmaster-current-tag": "the current tag has no precedence",
    "f5-no-estimates": "minutes are printed where no task gives any",
    "f6-kiro-without-numbers": "lines without a number are not read",
    "f7-fence-at-the-end": "a code block that begins on the last line is warned of",
    "f8-archived-dependency": "an archived task is unknown, and another number is proposed for it",
    "f10-two-finished-with-one-id": "one id for two finished tasks is an error",
    "f11-fixtures-and-disabled": "hidden folders and fixtures are read",
    "f12-team-status": "the line for the policy is not proposed",
    "f13-container-of-parts-in-error": "a task is offered while its parts are in error",
    "f16-one-part-in-error": "a task is offered while a part of it is in error",
    "f19-skipped-task": "a line that says it is skipped is offered",
    "f21-draft-status": "statuses before the default one are ready",
    "f22-terminal-not-last": "a Done that is not the last status finishes nothing, without a word",
}
"""Cases that fail so far, and what git-sched does instead; one that passes must be taken off this table."""


def prepare(case: str, folder: Path) -> Path:
    """Commit a case, with the branch checked out that it speaks of."""
    shutil.copytree(CASES[case], folder)
    commit(folder)
    if case == "f3-speckit-current-feature":
        git(folder, "checkout", "-q", "-b", "002-search")
    return folder


def parameters() -> list[Any]:
    """Give the cases for a test; those that are not met yet must fail."""
    return [
        pytest.param(case, marks=pytest.mark.xfail(reason=NOT_YET[case], raises=AssertionError))
        if case in NOT_YET
        else case
        for case in EXPECTED
    ]


@pytest.mark.skipif(not CASES, reason="../shared/realcases is not here")
@pytest.mark.parametrize("case", parameters())
def test_what_real_files_hold(case: str, tmp_path: Path) -> None:
    folder, expected = prepare(case, tmp_path / case), EXPECTED[case]
    asked = ask(folder, "next", "--limit", "50", "--json")
    record = json.loads(asked.out)
    assert asked.code == expected.code
    if expected.pick is not None:
        assert names(record["decisions"])[:1] == [expected.pick]
    if expected.ready is not None:
        assert record["counts"]["ready"] == expected.ready
    printed = ask(folder, "check").text + ask(folder, "next").text
    assert not [word for word in expected.says if word not in printed], printed
    assert not [word for word in expected.never if word in printed], printed


@pytest.mark.skipif(not CASES, reason="../shared/realcases is not here")
def test_every_case_is_expected() -> None:
    assert CASES.keys() == EXPECTED.keys()
