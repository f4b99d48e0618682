"""A merge never fails because of a hook, and is never held up, whatever is wrong with git-sched or around it."""

from __future__ import annotations

import errno
import os
import select
import shutil
import sys
import threading
from typing import TYPE_CHECKING

import pytest

import repos
from hooks import sites
from hooks.sites import FREED, NEXT, Site
from sandbox import git

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

GIT = shutil.which("git") or "git"
REPAIR = "sched: git-sched did not run: git sched hook install fixes this hook, uninstall removes it"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Give a clone with the hooks installed."""
    return sites.install(sites.clone(tmp_path))


def merge(site: Site, **env: str | None) -> repos.Ran:
    """Merge what finishes a task; it must succeed."""
    given = {**site.env, **{k: v for k, v in env.items() if v is not None}}
    for name in (k for k, v in env.items() if v is None):
        given.pop(name, None)
    ran = site.run("git", "merge", "--ff-only", "origin/main", env=given)
    assert ran.code == 0, ran.text
    assert repos.head(site.folder) == git(site.folder, "rev-parse", "origin/main").strip()
    return ran


def edit(site: Site, old: str, new: str) -> None:
    """Change every hook."""
    for path in site.hooks.iterdir():
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))


# Nothing is written


def test_a_hook_changes_nothing(site: Site) -> None:
    merge(site)
    repos.stale(site.folder)
    before = repos.snapshot(site.root)
    old = git(site.folder, "rev-parse", "start").strip()
    new = repos.head(site.folder)
    assert sites.spoken(site.hook("post-merge", "0")) == [NEXT, FREED]
    assert sites.spoken(site.hook("post-checkout", old, new, "1")) == [NEXT]
    assert sites.spoken(site.hook("post-rewrite", "rebase")) == [NEXT, FREED.replace("merge", "rebase")]
    assert repos.snapshot(site.root) == before


def test_git_may_be_read_only(site: Site) -> None:
    merge(site)
    repos.set_writable(site.folder, writable=False)
    try:
        ran = site.run(*repos.bound(), site.hooks / "post-merge", "0")
    finally:
        repos.set_writable(site.folder, writable=True)
    assert (ran.code, sites.spoken(ran)) == (0, [NEXT, FREED])


# Silence


@pytest.mark.parametrize("name", ["CI", "SCHED_HOOK"])
@pytest.mark.parametrize(
    ("value", "silent"), [("true", {"CI"}), ("1", {"CI"}), ("0", {"SCHED_HOOK"}), ("", {"SCHED_HOOK"})]
)
def test_silence(site: Site, name: str, value: str, silent: set[str]) -> None:
    assert sites.spoken(merge(site, **{name: value})) == ([] if name in silent else [NEXT, FREED])


@pytest.mark.parametrize(
    "args",
    [("nosuch",), ("--nosuch",), ("post-checkout",), ("post-checkout", "x", "y", "1"), ("post-rewrite",)],
)
def test_odd_arguments(site: Site, args: tuple[str, ...]) -> None:
    ran = repos.start(site.folder, "hook", "run", *args, env=site.env)
    assert ran.code == 0
    assert ran.out == b""


def test_odd_places(tmp_path: Path) -> None:
    env = repos.environment(CI=None)
    assert repos.start(tmp_path, "hook", "run", "post-merge", "0", env=env) == (0, b"", b"")
    git(tmp_path, "init", "-q")
    assert repos.start(tmp_path, "hook", "run", "post-merge", "0", env=env) == (0, b"", b"")
    assert repos.start(tmp_path, "hook", "run", "post-checkout", "1" * 40, "2" * 40, "1", env=env) == (0, b"", b"")


# The tool is missing or crashes


def path_without_it(site: Site) -> str:
    """Give a PATH on which there is git, but no git-sched."""
    folder = site.root / "path"
    folder.mkdir()
    for name in ("git", "sh"):
        (folder / name).symlink_to(shutil.which(name) or name)
    return str(folder)


def test_the_tool_is_missing(site: Site) -> None:
    edit(site, sys.executable, "/nosuch/python")
    assert sites.spoken(merge(site, PATH=path_without_it(site))) == [REPAIR]


def test_the_tool_is_missing_at_a_switch(site: Site) -> None:
    edit(site, sys.executable, "/nosuch/python")
    ran = site.run("git", "switch", "-c", "other", "origin/main", env={**site.env, "PATH": path_without_it(site)})
    assert (ran.code, sites.spoken(ran)) == (0, [])


def test_the_tool_is_found_on_path(site: Site) -> None:
    edit(site, sys.executable, "/nosuch/python")
    path = path_without_it(site)
    repos.script(site.root / "path" / "git-sched", f'exec "{sys.executable}" -P -m git_sched "$@"')
    assert sites.spoken(merge(site, PATH=path)) == [NEXT, FREED]


@pytest.mark.parametrize("end", ["exit 70", "kill -9 $$", "echo sched: torn >&2; exec false"])
def test_the_tool_crashes(site: Site, end: str) -> None:
    edit(site, sys.executable, str(repos.script(site.root / "python", end)))
    assert sites.spoken(merge(site, PATH=path_without_it(site))) == [REPAIR]


def test_the_package_is_gone(site: Site) -> None:
    edit(site, str(repos.SOURCE), "/nosuch")
    edit(site, sys.executable, str(repos.script(site.root / "python", f'exec "{sys.executable}" -S "$@"')))
    assert sites.spoken(merge(site, PATH=path_without_it(site))) == [REPAIR]


def fake_git(site: Site, *lines: str) -> str:
    """Put a git in place that does something else when git-sched calls it, and give the folder that holds it."""
    repos.script(site.root / "exec" / "git", 'case "$1" in --no-optional-locks) ;; *) exec "$GIT" "$@" ;; esac', *lines)
    return str(site.root / "exec")


def test_git_fails(site: Site) -> None:
    ran = merge(site, GIT_EXEC_PATH=fake_git(site, "echo fatal: no >&2", "exit 128"), GIT=GIT)
    assert sites.spoken(ran) == [
        "sched: no answer after this merge (git cannot read this repository: no); git sched next asks again"
    ]


def test_a_bug(site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from git_sched.cli.main import run
    from git_sched.hooks import run as hook_run

    def broken(*_: object, **__: object) -> str:
        raise RecursionError("a\nbug")

    for name in ("CI", "SCHED_HOOK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(hook_run, "run", broken)
    assert run(["-C", str(site.folder), "hook", "run", "post-merge", "0"]) == 0
    assert capsys.readouterr().out == "sched: no answer after this merge (a bug); git sched next asks again\n"
    timers = [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    assert all(timer.finished.is_set() for timer in timers)  # nothing ends this process later on


# The tool hangs: the limit of five seconds is waited for, nothing is measured


def nobody_reads(fifo: Path) -> bool:
    """Whether all who read a pipe are gone, or go within a generous while: what was killed takes a moment to die."""
    try:
        end = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        return error.errno == errno.ENXIO
    waiting = select.poll()
    waiting.register(end, select.POLLERR)
    gone = bool(waiting.poll(60_000))
    os.close(end)
    return gone


@pytest.mark.parametrize("verb", ["rev-parse", "cat-file", "ls-tree"])
def test_git_hangs(site: Site, verb: str) -> None:
    fifo = site.root / "fifo"
    os.mkfifo(fifo)
    wait = f'touch "{site.root}/hung"; cat <"{fifo}" & read -r _ <"{fifo}"'
    hang = f'for word; do [ "$word" = {verb} ] && {{ {wait}; }}; done'
    ran = merge(site, GIT_EXEC_PATH=fake_git(site, hang, 'exec "$GIT" "$@"'), GIT=GIT)
    assert (site.root / "hung").exists()
    assert sites.spoken(ran) == ["sched: no answer within 5 s, so this merge goes without"]
    assert nobody_reads(fifo), "a git, or what it started, still waits"


# The surroundings are poor


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full 2>&1"])
def test_closed_streams(site: Site, closed: str) -> None:
    ran = site.run("sh", "-c", f"git merge -q --ff-only origin/main {closed}")
    assert ran.code == 0
    assert repos.head(site.folder) == git(site.folder, "rev-parse", "origin/main").strip()
    ran = site.run("sh", "-c", f'"$0" 0 {closed}', site.hooks / "post-merge")
    assert ran.code == 0
    if closed in {"<&-", "2>&-"}:
        assert sites.spoken(ran) == [NEXT, FREED]


def test_no_home(site: Site) -> None:
    assert sites.spoken(merge(site, HOME=None)) == [NEXT, FREED]


@pytest.mark.parametrize(
    "env", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, {"TERM": "dumb", "TZ": "X"}]
)
def test_text_beyond_ascii(site: Site, env: dict[str, str]) -> None:
    title = "\N{LATIN SMALL LETTER O WITH DIAERESIS}\N{RIGHT-TO-LEFT OVERRIDE}\x1b[31m ##[error]x\n::error::y"
    repos.add(site.root / "upstream", repos.work({**sites.A, "title": title}))
    git(site.folder, "fetch", "-q")
    ran = site.run("git", "merge", "-q", "--ff-only", "origin/main", env={**site.env, **env})
    assert ran.code == 0
    shown = "\\xf6" if "PYTHONIOENCODING" in env else "\N{LATIN SMALL LETTER O WITH DIAERESIS}"
    assert ran.text == f"sched: next a (30 min): {shown}[31m ## [error]x ::error::y\n"


def test_nothing_of_the_checkout_is_run(site: Site) -> None:
    trap = f"open({str(site.root / 'canary')!r}, 'w')\n"
    names = ("click", "yaml", "pydantic", "git_sched/__init__", "sitecustomize", "usercustomize", "typing", "sched")
    repos.add(site.root / "upstream", {f"{name}.py": trap for name in names})
    git(site.folder, "fetch", "-q")
    assert sites.spoken(merge(site)) == [NEXT, FREED]
    assert sites.spoken(site.hook(env={**site.env, "PYTHONPATH": str(site.folder)})) == [NEXT, FREED]
    assert not (site.root / "canary").exists()


def test_many_are_freed(site: Site) -> None:
    many = [repos.task(f"t{n}", "a") for n in range(7)]
    repos.add(site.root / "upstream", repos.work(sites.A, *many))
    git(site.folder, "pull", "-q", "--no-rebase")
    repos.add(site.root / "upstream", repos.work({**sites.A, **sites.DONE}, *many))
    ran = site.run("git", "pull", "-q")
    assert sites.spoken(ran)[1] == ("sched: this merge finished 1 task and freed 7: t0, t1, t2, t3, t4 and 2 more")
