"""The real metagit, from the package index: it takes our plans, and decides as we do where no departure says otherwise.

Needs a Python 3.12 or newer and the index; skipped, with the reason, where either is missing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import repos
from git_sched.render.data.dispatch_plan import VENDORS
from interop.test_metagit_oracle import CASES, DEPARTURES, HERE, IGNORED, POLICY, Departure, compare
from render.test_golden import prepare
from sandbox import ask, commit

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.heavy

METAGIT: Final = "metagit-cli==0.36.0"
NEWEST: Final = [f"python3.{minor}" for minor in (14, 13, 12)]


def pythons() -> Iterator[str]:
    """Give the interpreters that may be new enough: this one, those on PATH, those that pyenv keeps."""
    if sys.version_info >= (3, 12):
        yield sys.executable
    yield from (found for name in NEWEST if (found := shutil.which(name)))
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from (str(path) for path in sorted(kept.glob("3.1[2-9].*/bin/python")))


def works(python: str) -> bool:
    """Say whether an interpreter runs, is new enough, and can make an environment."""
    code = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 12))"
    return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="session")
def metagit() -> str:
    """Install metagit once, beside what the tests use themselves; give the Python that has it."""
    fcntl = pytest.importorskip("fcntl", reason="workers wait for each other by a lock on a file")
    python = next((found for found in pythons() if works(found)), None)
    if python is None:
        pytest.skip("metagit needs Python 3.12 or newer, and there is none")
    home = Path(sys.prefix) / METAGIT
    with home.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / "installed").exists():
            subprocess.run([python, "-m", "venv", "--clear", home], check=True)
            pip = [str(home / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check", METAGIT]
            done = subprocess.run(pip, capture_output=True, encoding="utf-8", check=False)
            if done.returncode:
                pytest.skip(f"{METAGIT} cannot be installed: {done.stderr[-500:]}")
            (home / "installed").touch()
    return str(home / "bin" / "python")


def in_metagit(python: str, code: str, given: object, *, cwd: Path) -> Any:  # noqa: ANN401 - JSON of any shape
    """Run code beside metagit: it gets JSON as ``given`` and prints JSON."""
    code = f"import json, sys\ngiven = json.load(sys.stdin)\n{code}"
    environment = {**os.environ, "NO_COLOR": "1", "METAGIT_DISABLE_UPDATE_CHECK": "1"}
    done = subprocess.run(
        [python, "-I", "-c", code], input=json.dumps(given), cwd=cwd, env=environment, capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


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
