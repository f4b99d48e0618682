"""Each way a branch can move, in each kind of repository, with the installed hooks: what is said, and what is left.

A case is a shell script that is run in the work tree. The branch is one commit behind origin/main, which finishes the
task ``a`` and so frees ``b``; what the hooks say stands in the script's comments.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import repos
from hooks import sites
from sandbox import git, tree

if TYPE_CHECKING:
    from hooks.sites import Site

pytestmark = pytest.mark.heavy

CASES = sorted((Path(__file__).parent / "operations").glob("*.sh"))


class Left(NamedTuple):
    """What an operation left behind: the bytes of every file but hooks and indexes, and what the index holds."""

    code: int
    files: dict[str, bytes]
    staged: str


def operate(site: Site, case: Path) -> tuple[repos.Ran, Left]:
    """Run a case in a site."""
    ran = site.run("sh", "-eu", case, env={**site.env, "ROOT": str(site.root)})
    left = {
        name: data
        for name, data in tree(site.root).items()
        if Path(name).name != "index" and not (site.root / name).is_relative_to(site.hooks)
    }
    return ran, Left(ran.code, left, git(site.folder, "ls-files", "--stage"))


class Models:
    """Sites as they are before an operation, each made once and then copied to where it was made."""

    def __init__(self, folder: Path) -> None:
        """Keep the folder in which sites are made."""
        self._folder = folder
        self._made: dict[str, Site] = {}

    def site(self, place: str, *, hooked: bool) -> Site:
        """Give a site with our hooks or without."""
        root, models = self._folder / place, self._folder / "models"
        plain, with_hooks = models / place, models / f"{place}-hooked"
        if place not in self._made:
            root.mkdir()
            self._made[place] = sites.PLACES[place](root)
            shutil.copytree(root, plain, symlinks=True)
            sites.install(self._made[place])
            shutil.copytree(root, with_hooks, symlinks=True)
        shutil.rmtree(root)
        shutil.copytree(with_hooks if hooked else plain, root, symlinks=True)
        return self._made[place]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    """Make a folder for the sites of this module."""
    return Models(tmp_path_factory.mktemp("models"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
@pytest.mark.parametrize("place", sites.PLACES)
def test_what_is_said_and_what_is_left(models: Models, place: str, case: Path) -> None:
    plain, without = operate(models.site(place, hooked=False), case)
    assert plain.code == 0, plain.text
    assert sites.spoken(plain) == []
    hooked, with_hooks = operate(models.site(place, hooked=True), case)
    wanted = [line.removeprefix("# says: ") for line in case.read_text().splitlines() if line.startswith("# says: ")]
    assert sites.spoken(hooked) == wanted, hooked.text
    assert with_hooks == without


def test_a_clone_with_hooks_in_its_template(tmp_path: Path) -> None:
    site = sites.install(sites.clone(tmp_path))
    shutil.copytree(site.hooks, tmp_path / "template" / "hooks")
    ran = repos.run(
        tmp_path, "git", "clone", f"--template={tmp_path / 'template'}", tmp_path / "upstream", "another", env=site.env
    )
    assert ran.code == 0
    assert sites.spoken(ran) == []
    assert (tmp_path / "another" / ".git" / "hooks" / "post-checkout").exists()


def test_a_submodule_that_is_updated_from_outside(tmp_path: Path) -> None:
    site = sites.install(sites.submodule(tmp_path))
    ran = repos.run(tmp_path / "outer", "git", "submodule", "update", "--remote", "--merge", env=site.env)
    assert ran.code == 0, ran.text
    assert sites.spoken(ran) == [sites.NEXT, sites.FREED]


def test_git_dir_and_work_tree_as_options_of_git(tmp_path: Path) -> None:
    site = sites.install(sites.clone(tmp_path))
    places = (f"--git-dir={site.folder / '.git'}", f"--work-tree={site.folder}")
    ran = repos.run(site.folder, "git", *places, "merge", "origin/main", env=site.env)
    assert ran.code == 0
    assert sites.spoken(ran) == [sites.NEXT, sites.FREED]


def test_from_a_folder_below(tmp_path: Path) -> None:
    site = sites.install(sites.clone(tmp_path))
    below = site.folder / "below"
    below.mkdir()
    ran = repos.run(below, "git", "pull", env=site.env)
    assert sites.spoken(ran) == [sites.NEXT, sites.FREED]
