"""Read-only, and nothing else is started, in every kind of repository, with git told to run a program everywhere."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import repos
from sandbox import git
from workspace.test_git_calls import real_git

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

pytestmark = pytest.mark.heavy

FILES = {**repos.example(), ".gitattributes": "* diff=evil filter=evil merge=evil\n", "aside/file": "not a task\n"}
READING = ["next", "next --rev HEAD --json", "status --json", "check", "explain api-contract", "plan", "diff HEAD"]


def _origin(root: Path, **options: str) -> Path:
    return repos.repository(root / "origin", FILES, **options)


def _clone(root: Path, *options: str) -> Path:
    origin = _origin(root)
    git(origin, "config", "uploadpack.allowFilter", "true")
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    repos.add(origin, {"later": "a second commit\n"})
    return repos.clone(origin, root / "clone", *options)


def _sparse(root: Path, *words: str) -> Path:
    origin = _origin(root)
    git(origin, "sparse-checkout", "set", *words)
    return origin


def _bare_with_worktree(root: Path) -> Path:
    bare = repos.clone(_origin(root), root / "bare.git", "--bare")
    return repos.linked(bare, root / "tree", branch="agent-1/topic")


def _reftable(root: Path) -> Path:
    (root / "origin").mkdir()
    git(root / "origin", "init", "-q", "-b", "main", "--ref-format=reftable")
    return repos.add(root / "origin", FILES)


KINDS: dict[str, Callable[[Path], Path]] = {
    "plain": _origin,
    "SHA-256": lambda root: _origin(root, object_format="sha256"),
    "sparse, cone": lambda root: _sparse(root, "--cone", "aside", ".metagit/tasks"),
    "sparse, no cone": lambda root: _sparse(root, "--no-cone", "/aside/", "/.gitattributes"),
    "sparse index": lambda root: _sparse(root, "--cone", "--sparse-index", "aside"),
    "shallow": lambda root: _clone(root, "--depth=1"),
    "partial, no blobs": lambda root: _clone(root, "--filter=blob:none"),
    "partial, no blobs, no checkout": lambda root: _clone(root, "--filter=blob:none", "--no-checkout"),
    "partial, no trees": lambda root: _clone(root, "--filter=tree:0"),
    "partial, no trees, no checkout": lambda root: _clone(root, "--filter=tree:0", "--no-checkout"),
    "bare with a worktree": _bare_with_worktree,
}


def _has_reftable(root: Path) -> bool:
    return repos.run(root, real_git(), "init", "-q", "--ref-format=reftable", str(root / "probe")).code == 0


def ask(repository: Path, env: Mapping[str, str] | None = None) -> list[repos.Ran]:
    """Run the reading commands, as for git's pager."""
    given = repos.environment(GIT_PAGER_IN_USE="true") if env is None else env
    return [repos.sched(repository, *words.split(), env=given) for words in READING]


@pytest.mark.parametrize("kind", [*KINDS, "reftable"])
def test_nothing_is_written_or_started(tmp_path: Path, kind: str) -> None:
    """A git without reftable refuses such a repository, and so does git-sched; with it the promises hold there too."""
    if kind == "reftable" and not _has_reftable(tmp_path):
        foreign = _origin(tmp_path)
        git(foreign, "config", "core.repositoryFormatVersion", "1")
        git(foreign, "config", "extensions.refStorage", "reftable")
        assert repos.sched(foreign, "next").code == 4
        return
    repository = (KINDS | {"reftable": _reftable})[kind](tmp_path)
    assert {ran.code for ran in ask(repository)} <= ({4} if "no trees, no" in kind else {0, 1, 2})
    common = tmp_path / git(repository, "rev-parse", "--path-format=absolute", "--git-common-dir").strip()
    trap = repos.hostile(repository, tmp_path / "aside", git_dir=common)
    repos.stale(repository)
    before = repos.snapshot(tmp_path)
    ran = ask(repository, env=trap.env)
    assert trap.sprung() == ""
    assert repos.snapshot(tmp_path) == before
    assert ran == ask(repository)


@pytest.mark.parametrize("kind", ["partial, no blobs, no checkout", "partial, no trees, no checkout"])
def test_what_is_promised_and_absent_is_named_with_what_git_says(tmp_path: Path, kind: str) -> None:
    clone = KINDS[kind](tmp_path)
    shutil.rmtree(tmp_path / "origin")
    ran = repos.sched(clone, "next", "--rev", "HEAD", "--json")
    if "trees" in kind:
        assert ran.code == 4
        assert ran.err.startswith(b"error: git ls-tree failed: ")
    else:
        assert ran.code in {0, 1}
        (first, *_) = ran.record["problems"]
        assert "here: could not fetch" in first["message"] or "promisor" in first["message"], first
