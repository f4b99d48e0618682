"""A ``.git`` that git does not accept never counts as no repository, wherever git would go on searching."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import repos
from repos import task
from sandbox import git

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.heavy


def _replace(folder: Path, content: str | None = None) -> None:
    shutil.rmtree(folder / ".git")
    if content is not None:
        (folder / ".git").write_text(content, encoding="utf-8")


def _empty(folder: Path) -> None:
    _replace(folder)
    (folder / ".git").mkdir()


def _link(folder: Path) -> None:
    _replace(folder)
    (folder / ".git").symlink_to("/nowhere/at/all")


STATES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no HEAD": (lambda at: (at / ".git/HEAD").unlink(), "does not accept"),
    "a bad HEAD": (lambda at: (at / ".git/HEAD").write_text("rubbish"), "does not accept"),
    "no objects": (lambda at: shutil.rmtree(at / ".git/objects"), "does not accept"),
    "no refs": (lambda at: shutil.rmtree(at / ".git/refs"), "does not accept"),
    "an empty folder": (_empty, "does not accept"),
    "a link to nothing": (_link, "does not accept"),
    "a bad configuration": (lambda at: (at / ".git/config").write_text("[core"), "bad config line"),
    "an unknown version": (lambda at: git(at, "config", "core.repositoryFormatVersion", "9"), "found 9"),
    "a file that leads nowhere": (lambda at: _replace(at, "gitdir: /nowhere\n"), "not a git repository: /nowhere"),
    "a file that is none of git's": (lambda at: _replace(at, "rubbish\n"), "invalid gitfile format"),
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("inside", [False, True], ids=["alone", "inside another repository"])
def test_it_is_an_error_with_the_reason_of_git(tmp_path: Path, state: str, *, inside: bool) -> None:
    spoil, reason = STATES[state]
    if inside:
        repos.repository(tmp_path, repos.work(task("outside")))
    repository = repos.repository(tmp_path / "inner", repos.work(task("a")))
    (repository / "deeper" / "still").mkdir(parents=True)
    spoil(repository)
    for folder in (repository, repository / "deeper" / "still"):
        for words in (("next",), ("status", "--json"), ("check",), ("init",), ("policy", "set", "--weight", "age=1")):
            ran = repos.sched(folder, *words)
            assert ran.code == 4, (words, ran.text)
            assert reason in ran.text
            assert b"\nhint: " in ran.err
            assert not ran.out


def test_a_limit_of_the_search_is_kept(tmp_path: Path) -> None:
    repository = repos.repository(tmp_path / "repository", repos.work(task("a")))
    below = repository / "below"
    below.mkdir()
    env = repos.environment(GIT_CEILING_DIRECTORIES=str(repository))
    assert b"a" in repos.sched(below, "next", "-q").out
    assert repos.sched(below, "next", env=env).code == 0


def test_a_repository_that_git_does_not_reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a folder is mounted from elsewhere: git stops there and says so."""
    repository = repos.repository(tmp_path / "repository", repos.work(task("a")))
    below = repository / "below"
    below.mkdir()
    real = shutil.which("git")
    said = "fatal: not a git repository (or any parent up to mount point /x)"
    shim = repos.script(
        tmp_path / "shim" / "git",
        f'case "$*" in *--git-dir=*) exec {real} "$@";; esac',
        f'echo "{said}" >&2',
        "exit 128",
    )
    monkeypatch.setenv("PATH", f"{shim.parent}:/usr/bin:/bin")
    ran = repos.sched(below, "next")
    assert ran.code == 4
    assert ran.err.startswith(f"error: git does not look as far as {repository}/.git: not a git repository".encode())


@pytest.mark.parametrize("folder", [".git/hooks", ".git/modules/x"])
def test_folders_of_git_are_no_work_tree(tmp_path: Path, folder: str) -> None:
    outer = repos.repository(tmp_path / "outer", repos.work(task("a")))
    (outer / folder).mkdir(parents=True, exist_ok=True)
    ran = repos.sched(outer / folder, "next")
    assert ran.code == 4
    assert b"cannot use bare repository" in ran.err


@pytest.mark.parametrize("content", ["", "rubbish\n"], ids=["empty", "rubbish"])
@pytest.mark.parametrize("words", [("next",), ("status", "--json"), ("check",), ("diff", "HEAD")])
def test_a_damaged_branch_is_not_a_new_one(tmp_path: Path, content: str, words: tuple[str, ...]) -> None:
    """As a machine leaves it that stops while git writes: git itself speaks of a branch without commits."""
    repository = repos.repository(tmp_path, repos.work(task("a")))
    (repository / ".git/refs/heads/main").write_text(content, encoding="utf-8")
    ran = repos.sched(repository, *words)
    assert (ran.code, ran.out) == (4, b"")
    assert "main is damaged: it names no commit" in ran.text
