"""Small real repositories of every shape, the real command in a process of its own, and what it left on disk."""

from __future__ import annotations

import io
import json
import os
import shutil
import stat
import subprocess
import sys
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import git_sched
from git_sched.cli import main
from sandbox import git, write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parents[1]
SOURCE = Path(git_sched.__file__).resolve().parents[1]
"""Where the package under test lies: the source, or what was installed."""
GRAPHS = ".metagit/tasks/graphs"
POLICY = ".metagit/schedule/policy.yml"
LOG = ".metagit/schedule/decisions.jsonl"
EVENTS = ".metagit/events/scheduler.jsonl"
IGNORED = f"/{LOG}\n/{EVENTS}\n"
"""The ignore lines that allow --record."""

BASE = "2026-11-02T09:00:00Z"
"""When everything is committed that names no other time."""

TITLES = ("Größe der Zähler", "naïve café", "タスク")


class Ran(NamedTuple):
    """How a process ended, and what it wrote, byte by byte."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """Everything written, as text; it must be UTF-8."""
        return (self.out + self.err).decode()

    @property
    def record(self) -> dict[str, Any]:
        """The record that was printed."""
        found: dict[str, Any] = json.loads(self.out)
        return found


# The command


def environment(**changes: str | None) -> dict[str, str]:
    """Give the environment of the tests with some variables set, or taken out with ``None``.

    It is nobody's CI, where hooks are silent.
    """
    found = {**os.environ, "PYTHONPATH": str(SOURCE)}
    found.pop("CI", None)
    for name, value in changes.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def sched(folder: Path, *words: str | Path, env: Mapping[str, str] | None = None) -> Ran:
    """Run git-sched in this process as if it were started in a folder; a bug in it fails the test.

    A hook is started in a process of its own, which it ends when its time is up. Tests of anything else that belongs
    to a process, such as its limits and its streams, call ``start``.
    """
    if words[:2] == ("hook", "run"):
        return start(folder, *words, env=env)
    given = environment() if env is None else env
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True) for _ in range(3)]
    stdin, out, err = streams
    with (
        mock.patch.dict(os.environ, given, clear=True),
        mock.patch.multiple(sys, stdin=stdin, stdout=out, stderr=err),
        chdir(folder),
    ):
        code = main.run([str(word) for word in words])
    return _free_of_bugs(Ran(code, *(stream.buffer.getvalue() for stream in (out, err))))


def start(
    folder: Path, *words: str | Path, prefix: Sequence[str | Path] = (), env: Mapping[str, str] | None = None
) -> Ran:
    """Run git-sched in a process of its own, behind another command if one is given; a bug in it fails the test."""
    return _free_of_bugs(run(folder, *prefix, sys.executable, "-P", "-m", "git_sched", *words, env=env))


def _free_of_bugs(ran: Ran) -> Ran:
    assert ran.code != main.BUG, ran.err.decode()
    assert b"Traceback" not in ran.err, ran.err.decode()
    return ran


def run(folder: Path, *words: str | Path, env: Mapping[str, str] | None = None) -> Ran:
    """Run any command in a folder, with an empty standard input."""
    given = environment() if env is None else env
    done = subprocess.run(
        words, cwd=folder, env=given, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def install(folder: Path) -> Path:
    """Put a ``git-sched`` into a folder for PATH, as an installation does."""
    return script(folder / "git-sched", f'exec "{sys.executable}" -P -m git_sched "$@"')


def script(path: Path, *lines: str) -> Path:
    """Write a shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)
    return path


UNPRIVILEGED = (
    "import ctypes, os, sys",
    "libc = ctypes.CDLL(None, use_errno=True)",
    # CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER: with them root writes where nobody may.
    "assert not any(libc.prctl(24, capability, 0, 0, 0) for capability in range(4)), os.strerror(ctypes.get_errno())",
    "os.execvp(sys.argv[1], sys.argv[1:])",
)


def bound() -> tuple[str, ...]:
    """Give what stands before a command so that the modes of files bind it, also where the tests run as root."""
    return (sys.executable, "-c", "\n".join(UNPRIVILEGED)) if os.geteuid() == 0 else ()


# Task files


def task(node_id: str, *after: str, **fields: object) -> dict[str, object]:
    """Give a node that depends on others."""
    return {"node_id": node_id, "title": f"Do {node_id}", "depends_on": list(after), **fields}


def graph(graph_id: str, *nodes: Mapping[str, object]) -> str:
    """Give the text of a graph file in JSON."""
    return json.dumps({"graph_id": graph_id, "nodes": nodes}, indent=1) + "\n"


def work(*nodes: Mapping[str, object], graph_id: str = "work") -> dict[str, str | bytes]:
    """Give the one file of a workspace with a single graph."""
    return {f"{GRAPHS}/{graph_id}.json": graph(graph_id, *nodes)}


def example() -> dict[str, str | bytes]:
    """Give the files of the workspace that the documentation shows, and the ignore file that allows --record."""
    root = ROOT / "docs" / "example"
    found: dict[str, str | bytes] = {
        str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }
    return {**found, ".gitignore": IGNORED}


# Repositories


def repository(folder: Path, files: Mapping[str, str | bytes], *, at: str = BASE, object_format: str = "sha1") -> Path:
    """Make a repository with one commit."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main", f"--object-format={object_format}")
    return add(folder, files, at=at)


def add(folder: Path, files: Mapping[str, str | bytes], *, at: str = BASE) -> Path:
    """Commit files at a time."""
    write(folder, files)
    git(folder, "add", "-A")
    dated = environment(GIT_AUTHOR_DATE=at, GIT_COMMITTER_DATE=at)
    done = run(folder, "git", "commit", "-q", "--allow-empty", "-m", "Tasks", env=dated)
    assert done.code == 0, done.text
    return folder


def head(folder: Path) -> str:
    """Give the commit of HEAD."""
    return git(folder, "rev-parse", "HEAD").strip()


def linked(folder: Path, path: Path, *, branch: str) -> Path:
    """Add a worktree."""
    git(folder, "worktree", "add", "-q", "-b", branch, str(path))
    return path


def clone(folder: Path, path: Path, *options: str) -> Path:
    """Clone with options through git's own protocol."""
    git(path.parent, "clone", "-q", *options, folder.resolve().as_uri(), str(path))
    return path


def submodule(folder: Path, inner: Path, name: str) -> Path:
    """Add a repository as a submodule, committed."""
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.resolve().as_uri(), name)
    add(folder, {})
    return folder / name


def partial(folder: Path, path: Path) -> Path:
    """Clone the commits and trees, and of the blobs only what a first sparse checkout takes."""
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    return clone(folder, path, "--filter=blob:none", "--no-checkout")


HOSTILE_PROGRAMS = (
    "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.gitProxy",
    "core.alternateRefsCommand", "gpg.program", "gpg.ssh.program", "diff.external", "credential.helper",
    "sequence.editor", "interactive.diffFilter", "uploadpack.packObjectsHook", "web.browser",
    "diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process",
    "merge.evil.driver", "pager.rev-parse", "pager.cat-file", "pager.ls-tree", "pager.worktree", "pager.check-ignore",
    "pager.config", "remote.origin.vcs", "remote.origin.uploadpack", "browser.evil.cmd", "trailer.evil.command",
)  # fmt: skip
"""Keys of git's configuration whose value is a program."""

HOSTILE_SWITCHES = {
    "log.showSignature": "true",
    "core.untrackedCache": "true",
    "core.preloadIndex": "true",
    "feature.manyFiles": "true",
    "diff.noprefix": "true",
    "core.quotePath": "true",
    "color.ui": "always",
    "column.ui": "always",
    "core.checkStat": "minimal",
}
"""Keys that make git do more, or print otherwise, than it does by itself."""

HOOKS = ("post-index-change", "post-checkout", "post-merge", "fsmonitor-watchman", "reference-transaction")
HOSTILE_VARIABLES = (
    "GIT_EXTERNAL_DIFF", "GIT_PAGER", "PAGER", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL", "GIT_ASKPASS",
    "SSH_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND", "GIT_BROWSER",
)  # fmt: skip
HOSTILE_TRACES = ("GIT_TRACE", "GIT_TRACE_SETUP", "GIT_TRACE_CURL", "GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE2_PERF")


class Trap(NamedTuple):
    """A program that leaves a file behind when it is started, and the environment that names it everywhere."""

    program: Path
    canary: Path
    trace: Path
    env: dict[str, str]

    def sprung(self) -> str:
        """Say what was started, or nothing."""
        found = [path.read_text(encoding="utf-8") for path in (self.canary, self.trace) if path.exists()]
        return "".join(found)


def hostile(folder: Path, aside: Path, *, git_dir: Path | None = None) -> Trap:
    """Make a repository name a program wherever git can be told to run one; give the environment that does so too."""
    home = git_dir or folder / ".git"
    canary, trace = aside / "canary", aside / "trace"
    program = script(aside / "evil", f'echo "$0 $@" >>"{canary}"', "cat")
    settings = {**dict.fromkeys(HOSTILE_PROGRAMS, str(program)), **HOSTILE_SWITCHES}
    for verb in ("rev-parse", "cat-file", "ls-tree", "worktree", "check-ignore", "config", "status", "sched"):
        settings[f"alias.{verb}"] = f"!{program}"
    for key, value in settings.items():
        git(folder, "config", key, value)
    git(folder, "config", "core.hooksPath", str(aside / "hooks"))
    for hook in HOOKS:
        script(aside / "hooks" / hook, f'exec "{program}" "$0"')
        script(home / "hooks" / hook, f'exec "{program}" "$0"')
    write(home, {"info/attributes": "* diff=evil filter=evil merge=evil text=auto\n"})
    everywhere = aside / "gitconfig"
    shutil.copy(home / "config", everywhere)
    for key in ("core.bare", "core.repositoryformatversion"):
        git(folder, "config", "--file", str(everywhere), "--unset-all", key)
    parameters = " ".join(f"'{key}'='{value}'" for key, value in settings.items())
    env = environment(
        GIT_CONFIG_GLOBAL=str(everywhere),
        GIT_CONFIG_PARAMETERS=parameters,
        GIT_PAGER_IN_USE="true",
        **dict.fromkeys(HOSTILE_VARIABLES, str(program)),
        **dict.fromkeys(HOSTILE_TRACES, str(trace)),
    )
    return Trap(program, canary, trace, env)


# What is on disk


Snapshot = dict[str, tuple[object, ...]]


def snapshot(*roots: Path) -> Snapshot:
    """Take down every file and folder below some folders: kind, mode, time of change, bytes; inodes of indexes."""
    return {str(path): _taken(path) for root in roots for path in (root, *sorted(root.rglob("*")))}


def _taken(path: Path) -> tuple[object, ...]:
    found = path.lstat()
    kind = stat.S_IFMT(found.st_mode)
    if stat.S_ISLNK(kind):
        return (kind, found.st_mode, found.st_mtime_ns, str(path.readlink()))
    if not stat.S_ISREG(kind):
        return (kind, found.st_mode, found.st_mtime_ns)
    inode = found.st_ino if path.name == "index" else 0
    return (kind, found.st_mode, found.st_mtime_ns, inode, sha256(path.read_bytes()).hexdigest())


def written(before: Snapshot, after: Snapshot, root: Path) -> set[str]:
    """Give the paths below a root that were made, changed or removed; a folder whose entries changed did not change."""
    found = set()
    for path in before.keys() | after.keys():
        old, new = before.get(path), after.get(path)
        if old is not None and new is not None and stat.S_ISDIR(int(str(old[0]))):
            old, new = old[:2], new[:2]
        if old != new:
            found.add(str(Path(path).relative_to(root)))
    return found


def stale(folder: Path) -> None:
    """Give every file of a work tree another time, so that any refresh of the index would rewrite it."""
    for path in folder.rglob("*"):
        if ".git" not in path.relative_to(folder).parts and path.is_file():
            os.utime(path, ns=(1_700_000_000_000_000_000, 1_700_000_000_000_000_000))


def set_writable(folder: Path, *, writable: bool) -> None:
    """Take the right to write away from everything below a folder, or give it back to the owner."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = stat.S_IMODE(path.stat().st_mode)
            path.chmod(mode | stat.S_IWUSR if writable else mode & ~0o222)
