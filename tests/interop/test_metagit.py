"""The real metagit, from the package index: it takes our plans, and decides as we do where no departure says otherwise.

Needs a Python 3.12 or newer and the index; skipped, with the reason, where either is missing.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

import repos
from git_sched.render.data.dispatch_plan import VENDORS
from interop.real_metagit import in_metagit
from interop.test_metagit_oracle import CASES, DEPARTURES, HERE, IGNORED, POLICY, Departure, compare
from render.test_golden import prepare
from sandbox import ask, commit

pytestmark = pytest.mark.heavy

VALIDATE: Final = """
from metagit.core.agent.models import AgentDispatchPlan
print(json.dumps([AgentDispatchPlan.model_validate(plan).model_dump(mode="json") for plan in given]))
"""


def test_metagit_takes_our_plans_whole(metagit: str, tmp_path: Path) -> None:
    folder = prepare("example", tmp_path / "example")
    plans = json.loads(ask(folder, "next", "--limit", "9", "--format", "dispatch-plan").out)
    odd = repos.work(
        repos.task("a"),
        repos.task("b", project="p"),
        repos.task("c", repository="p/r", acl={"acl_commands": ["allow src"]}),
        repos.task("d", project="p", repository="r", title='```\n"quoted"'),
    )
    for number, vendor in enumerate([*VENDORS, "somebody-else"]):
        policy = f"version: 1\ndispatch: {{vendor: {vendor}, scope: user}}\n"
        other = repos.repository(tmp_path / str(number), {**odd, repos.POLICY: policy})
        said = ask(other, "next", "--agent", "x", "--limit", "4", "--format", "dispatch-plan")
        plans += json.loads(said.out)
    assert len(plans) > 4 * len(VENDORS)
    assert in_metagit(metagit, VALIDATE, plans, cwd=tmp_path) == plans


PLAN: Final = """
from pathlib import Path
from metagit.core.agent.dispatch import AgentDispatchService
from metagit.core.agent.registry import AgentTemplateRegistry
registry = AgentTemplateRegistry()
service = AgentDispatchService(registry=registry, manifest_root=Path.cwd())
plans = [service.build_plan("repo-implementer", **asked) for asked in given]
print(json.dumps([plan.model_dump(mode="json") for plan in plans]))
"""

OURS_ALONE: Final = {"out_of_scope", "delegates_to", "mcp_tools", "recommended_skills"}
"""What metagit fills from its template, which git-sched does not read."""


def test_our_plan_is_metagits_own_where_both_know(metagit: str, tmp_path: Path) -> None:
    """The template's lists apart: metagit looks whether the definition is there, and knows no agent yet."""
    mine = []
    for vendor in VENDORS:
        policy = f"version: 1\ndispatch: {{vendor: {vendor}}}\n"
        files = {**repos.work(repos.task("a", repository="shop/web")), repos.POLICY: policy}
        said = ask(repos.repository(tmp_path / vendor, files), "next", "--agent", "x", "--format", "dispatch-plan")
        mine += json.loads(said.out)
    asked = [{"vendor": vendor, "project": "shop", "repo": "web", "task": "work/a"} for vendor in VENDORS]
    folder = tmp_path / "there"
    folder.mkdir()
    for ours, theirs in zip(mine, in_metagit(metagit, PLAN, asked, cwd=folder), strict=True):
        vendor = ours["vendor"]
        theirs["launch"] = {vendor: theirs["launch"][vendor]}
        theirs["install"]["path"] = str(Path(theirs["install"]["path"]).relative_to(folder.resolve()))
        theirs["install"]["command"] = theirs["install"]["command"].removesuffix(" --install-skills")
        handoff = theirs["handoff"]
        handoff["acl_commands"] = [
            text.replace("<agent-id>", "x").replace("<task-id>", "a") for text in handoff["acl_commands"]
        ]
        ours["handoff"]["effective_instructions"] = handoff["effective_instructions"]
        for key in OURS_ALONE:
            ours[key] = theirs[key]
        assert ours == theirs


ANSWERS: Final = """
import os
from click.testing import CliRunner
from metagit.cli.main import cli


def settled(pairs):  # ids are random and times the clock's: as in the recorded cases
    return {key: f"<{key}>" if key in ("decision_id", "at") else value for key, value in pairs}


found = {}
for case, folder in given.items():
    os.chdir(folder)
    found[case] = {}
    with open(folder + ".json", "rb") as stream:
        argv = json.load(stream)["argv"]
    for command in ("policy", "status-before", "next", "next-again"):
        said = CliRunner().invoke(cli, argv[command])
        out = said.stdout
        try:
            out = json.loads(out, object_pairs_hook=settled)
        except ValueError:
            pass
        found[case][command] = {"rc": said.exit_code, "stdout": out}
print(json.dumps(found))
"""


@pytest.fixture(scope="session")
def live(metagit: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Ask metagit everything that the recorded cases ask, in copies of their workspaces."""
    base = tmp_path_factory.mktemp("live")
    for case in CASES:
        shutil.copytree(case / "input", base / case.name)
        shutil.copy(case / "case.json", base / f"{case.name}.json")
    folders = {case.name: str(base / case.name) for case in CASES}
    found: dict[str, dict[str, Any]] = in_metagit(metagit, ANSWERS, folders, cwd=base)
    return found


@HERE
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_metagit_of_today_and_we_agree_but_for_the_departures(
    case: Path, live: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    recorded = tmp_path / "case"
    shutil.copytree(case, recorded)
    for command, said in live[case.name].items():
        (recorded / f"expected-{command}.json").write_text(json.dumps(said), encoding="utf-8")
    folder = tmp_path / "workspace"
    shutil.copytree(case / "input", folder)
    commit(folder, {".gitignore": IGNORED} if (folder / POLICY).exists() else {".gitignore": IGNORED, POLICY: "{}"})
    assert compare(recorded, folder) == DEPARTURES.get(case.name, Departure("", {})).ours
