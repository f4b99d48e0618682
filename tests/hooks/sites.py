"""Repositories with our hooks installed, of every shape, one commit behind what they pull from."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

import repos
from git_sched.hooks import NAMES
from sandbox import git

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

A, B, C = repos.task("a", estimated_minutes=30), repos.task("b", "a", estimated_minutes=60), repos.task("c", "b")
DONE = {"status": "completed"}

START: dict[str, str | bytes] = {**repos.work(A, B, C), "notes.txt": "one\n"}
FINISHED = repos.work({**A, **DONE}, B, C)

NEXT = "sched: next work/b (60 min): Do b"
FREED = "sched: this merge finished 1 task and freed 1: work/b"


class Site(NamedTuple):
    """A repository that pulls from another: the folder around both, its work tree, its hooks, its environment."""

    root: Path
    folder: Path
    hooks: Path
    env: dict[str, str]

    def run(self, *words: str | Path, env: Mapping[str, str] | None = None) -> repos.Ran:
        """Run a command in the work tree."""
        return repos.run(self.folder, *words, env=env or self.env)

    def hook(self, name: str = "post-merge", *args: str, env: Mapping[str, str] | None = None) -> repos.Ran:
        """Run a hook as git does."""
        return self.run(self.hooks / name, *(args or ("0",)), env=env)


def upstream(folder: Path) -> Path:
    """Make what is pulled from: at the tag start nothing is done, on main a is, on quiet no task file changed."""
    repos.repository(folder, START)
    git(folder, "tag", "start")
    for branch, files in BRANCHES.items():
        git(folder, "checkout", "-q", "-b", branch, "start")
        repos.add(folder, files)
    git(folder, "checkout", "-q", "main")
    repos.add(folder, FINISHED)
    return folder


BRANCHES: dict[str, dict[str, str | bytes]] = {
    "quiet": {"quiet.txt": "changes no task\n"},
    "policy": {repos.POLICY: "version: 1\nweights: {urgency: 3}\n"},
    "clash": {**FINISHED, "notes.txt": "theirs\n"},
    "broken": {f"{repos.GRAPHS}/broken.yml": "nodes: [\n"},
}
"""What the other branches change since the tag start."""


def clone(root: Path) -> Site:
    """Give a plain clone."""
    upstream(root / "upstream")
    folder = repos.clone(root / "upstream", root / "clone")
    git(folder, "reset", "-q", "--hard", "start")
    return _site(root, folder, folder / ".git" / "hooks")


def linked(root: Path) -> Site:
    """Give a linked worktree of a clone."""
    main = clone(root).folder
    folder = root / "linked"
    git(main, "worktree", "add", "-q", "-b", "topic", str(folder), "start")
    git(folder, "branch", "-q", "--set-upstream-to=origin/main")
    return _site(root, folder, main / ".git" / "hooks")


def submodule(root: Path) -> Site:
    """Give a submodule."""
    outer = repos.repository(root / "outer", {})
    folder = repos.submodule(outer, upstream(root / "upstream"), "inner")
    git(folder, "reset", "-q", "--hard", "start")
    return _site(root, folder, outer / ".git" / "modules" / "inner" / "hooks")


def hooks_path(root: Path) -> Site:
    """Give a clone whose hooks lie in a folder outside every work tree."""
    made = clone(root)
    (root / "my hooks").mkdir()
    git(made.folder, "config", "core.hooksPath", str(root / "my hooks"))
    return made._replace(hooks=root / "my hooks")


def odd_path(root: Path) -> Site:
    """Give a clone in a folder whose name has blanks, quotes and more in it."""
    folder = root / 'it\'s a "größe" $(touch canary) タスク'
    folder.mkdir()
    return clone(folder)


PLACES = {f.__name__.replace("_", "-"): f for f in (clone, linked, submodule, hooks_path, odd_path)}


def _site(root: Path, folder: Path, hooks: Path) -> Site:
    shutil.rmtree(hooks, ignore_errors=True)  # git's samples
    home = root / "home"
    home.mkdir(exist_ok=True)
    env = repos.environment(
        CI=None, SCHED_HOOK=None, PRE_COMMIT=None, HOME=str(home), XDG_STATE_HOME=None, XDG_CONFIG_HOME=None,
        GIT_ALLOW_PROTOCOL="file", GIT_EDITOR="true",
    )  # fmt: skip
    return Site(root, folder, hooks, env)


def install(site: Site) -> Site:
    """Install the hooks with the real command."""
    ran = repos.sched(site.folder, "hook", "install", env=site.env)
    assert ran.code == 0, ran.text
    assert {path.name for path in site.hooks.iterdir()} == set(NAMES)
    return site


def spoken(ran: repos.Ran) -> list[str]:
    """Give the lines of ours among what a command of git printed."""
    return [line for line in ran.text.splitlines() if line.startswith("sched:")]
