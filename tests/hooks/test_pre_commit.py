"""pre-commit runs our hooks: the manifest is valid, and ``try-repo`` of this tree does what the page says."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

import repos
from git_sched.formats.places import EVERY_PLACE
from git_sched.formats.policy_file import POLICY_PATHS
from hooks import sites
from hooks.sites import FREED, NEXT, Site
from sandbox import git, write

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.heavy

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ROOT / ".pre-commit-hooks.yaml"
HOOKS = {hook["id"]: hook for hook in yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))}


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """Commit this tree, as far as an installation needs it, to a repository of its own."""
    folder = tmp_path / "tool"
    folder.mkdir()
    for name in (".pre-commit-hooks.yaml", "LICENSE", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "sched", folder / "sched", ignore=shutil.ignore_patterns("__pycache__"))
    return repos.repository(folder, {})


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Give a clone, with what pre-commit keeps below the temporary folder and git-sched on PATH."""
    made = sites.clone(tmp_path)
    repos.install(tmp_path / "bin")
    path = f"{tmp_path / 'bin'}:{made.env['PATH']}"
    return made._replace(env={**made.env, "PATH": path, "PRE_COMMIT_HOME": str(tmp_path / "pre-commit")})


def pre_commit(site: Site, *words: str | Path, env: Mapping[str, str] | None = None) -> repos.Ran:
    """Run pre-commit; skip, visibly, where it cannot install what a hook needs."""
    ran = site.run(sys.executable, "-P", "-m", "pre_commit", *words, env={**site.env, **(env or {})})
    if re.search(r"No matching distribution|Could not find a version|ConnectionError|Connection refused", ran.text):
        pytest.skip("the package index cannot be reached, so pre-commit cannot make an environment")
    return ran


def test_the_manifest_is_valid(site: Site) -> None:
    ran = pre_commit(site, "validate-manifest", MANIFEST)
    assert ran.code == 0, ran.text


def test_each_hook_is_there_in_two_flavours() -> None:
    for name in ("git-sched-check", "git-sched-next"):
        python, system = HOOKS[name], HOOKS[f"{name}-system"]
        assert (python["language"], system["language"]) == ("python", "system")
        apart = {"id", "language", "description"}
        assert {k: v for k, v in python.items() if k not in apart} == {
            k: v for k, v in system.items() if k not in apart
        }
    assert HOOKS["git-sched-next"]["always_run"]
    assert HOOKS["git-sched-next"]["verbose"]
    assert not HOOKS["git-sched-next"]["pass_filenames"]


@pytest.mark.parametrize("place", [*EVERY_PLACE, *POLICY_PATHS])
def test_every_place_is_checked(place: str) -> None:
    pattern = HOOKS["git-sched-check"]["files"]
    assert re.search(pattern, place.replace("*", "some name.v1"))
    assert not re.search(pattern, f"{place.replace('*', 'x')}.orig")


@pytest.mark.parametrize(
    "place", ["src/main.py", "tasks/readme.json", "specs/tasks.md", "policy.yml", "a.beads/x.jsonl"]
)
def test_other_files_are_not(place: str) -> None:
    assert not re.search(HOOKS["git-sched-check"]["files"], place)


@pytest.mark.parametrize("flavour", ["", "-system"])
def test_both_hooks(site: Site, tool: Path, flavour: str) -> None:
    checked = pre_commit(site, "try-repo", tool, f"git-sched-check{flavour}", "--all-files", "--verbose")
    assert checked.code == 0, checked.text
    assert ": no problems\n" in checked.text
    git(site.folder, "merge", "-q", "--ff-only", "origin/main")
    stage = ("--hook-stage", "post-merge", "--is-squash-merge", "0")
    ran = pre_commit(site, "try-repo", tool, f"git-sched-next{flavour}", *stage)
    assert (ran.code, sites.spoken(ran)) == (0, [NEXT, FREED]), ran.text


def test_a_commit_that_breaks_a_task_file_is_stopped(site: Site, tool: Path) -> None:
    write(site.folder, {f"{repos.GRAPHS}/broken.yml": "nodes: [\n", "other.txt": ""})
    git(site.folder, "add", "-A")
    ran = pre_commit(site, "try-repo", tool, "git-sched-check-system")
    assert ran.code == 1
    assert f"{repos.GRAPHS}/broken.yml:" in ran.text
    git(site.folder, "rm", "-q", "-f", "--cached", f"{repos.GRAPHS}/broken.yml")
    ran = pre_commit(site, "try-repo", tool, "git-sched-check-system")
    assert ran.code == 0, ran.text
    assert "(no files to check)Skipped" in ran.text


def configured(site: Site, tool: Path) -> Site:
    """Configure and install pre-commit for the stages of a merge."""
    config = {
        "default_install_hook_types": ["post-merge", "post-rewrite", "post-checkout"],
        "repos": [{"repo": str(tool), "rev": repos.head(tool), "hooks": [{"id": "git-sched-next-system"}]}],
    }
    path = site.root / "config.yaml"
    path.write_text(yaml.safe_dump(config))
    ran = pre_commit(site, "install", "--config", path)
    assert ran.code == 0, ran.text
    return site


def test_the_stages_of_a_merge(site: Site, tool: Path) -> None:
    configured(site, tool)
    ran = site.run("git", "pull", "-q")
    assert (ran.code, sites.spoken(ran)) == (0, [NEXT, FREED]), ran.text
    assert sites.spoken(site.run("git", "switch", "-q", "-c", "other", "start")) == ["sched: next a (30 min): Do a"]
    repos.add(site.folder, {"mine.txt": "mine\n"})
    ran = site.run("git", "rebase", "-q", "origin/main")
    assert sites.spoken(ran) == [NEXT, FREED.replace("merge", "rebase")], ran.text
    assert sites.spoken(site.run("git", "commit", "-q", "--amend", "-m", "Again")) == []


def test_beside_the_plain_hook(site: Site, tool: Path) -> None:
    """Whichever comes second keeps the first; both run."""
    sites.install(site)
    configured(site, tool)
    ran = site.run("git", "pull", "-q")
    assert sites.spoken(ran) == [NEXT, FREED] * 2, ran.text
    said = repos.sched(site.folder, "hook", "install", env=site.env)
    assert b"post-merge.legacy, which pre-commit runs first" in said.out
    assert repos.sched(site.folder, "hook", "uninstall", env=site.env).code == 0
    git(site.folder, "reset", "-q", "--hard", "start")
    ran = site.run("git", "pull", "-q")
    assert sites.spoken(ran) == [NEXT, FREED], ran.text
