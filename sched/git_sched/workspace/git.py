"""Runs git, the only process that this program starts: verbs that only read, and nothing that starts more."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from git_sched.model.problems import RequestError, WorldError
from git_sched.workspace.ignore_rules import read_rules
from git_sched.workspace.places import is_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.workspace.ignore_rules import IgnoreRule

OPTIONS: Final = (
    "--no-optional-locks",
    "--no-replace-objects",
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "safe.bareRepository=explicit",
    "-c", "protocol.allow=never",
)  # fmt: skip
"""Options before every verb: take no lock, start no monitor, run no hook, fetch nothing."""

VERBS: Final = (
    ("cat-file",), ("check-ignore",), ("config", "--get"), ("config", "--get-all"), ("ls-files",), ("ls-tree",),
    ("merge-base",), ("rev-parse",), ("worktree", "list"),
)  # fmt: skip
"""The first words of every call of git: verbs that write nothing, with the option that makes them so."""

FIXED: Final = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

LOCAL_VARIABLES: Final = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE", "GIT_CEILING_DIRECTORIES",
)  # fmt: skip
"""What ``git rev-parse --local-env-vars`` lists, and the limit of git's search: they would redirect every call."""

PLACES: Final = ("--absolute-git-dir", "--git-common-dir", "--show-toplevel")
"""The folders that git is asked for; without a work tree the last one fails, after the others were printed."""


class Repository(NamedTuple):
    """The folders of a repository, as full paths. ``top`` is ``None`` if there is no work tree."""

    git_dir: str
    common_dir: str
    top: str | None


class TreeEntry(NamedTuple):
    """A file of a revision: its mode as git writes it (``100644``), its object id, and its path from the top level."""

    mode: str
    object_id: str
    path: str


_children: set[subprocess.Popen[bytes]] = set()
"""The processes that were started and have not ended."""


def kill_all() -> None:
    """Kill every git process that has not ended, with all processes that it started."""
    for child in tuple(_children):
        if child.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)


class Git:
    """Runs git on one repository."""

    def __init__(self, repository: Repository, environment: Mapping[str, str]) -> None:
        """Store the repository; variables that name one are removed from the environment."""
        self.repository = repository
        self._environment = {k: v for k, v in environment.items() if k not in LOCAL_VARIABLES}
        self._batch: subprocess.Popen[bytes] | None = None

    def __call__(self, *words: str, allowed: Sequence[int] = (0,), data: bytes | None = None) -> tuple[int, bytes]:
        """Run one of ``VERBS`` with ``data`` as its input; return its exit code, one of ``allowed``, and its output.

        Raises:
            ValueError: the words begin with none of ``VERBS``.
            WorldError: git ends with another exit code.
        """
        where = self.repository.top or self.repository.git_dir
        done = _run(_build_command(words, self._folder), environment=self._environment, where=where, data=data)
        if done.returncode not in allowed:
            raise WorldError(
                f"git {words[0]} failed: {_first_line(done.stderr)}", hint="git fsck says what this clone lacks"
            )
        return done.returncode, done.stdout

    @property
    def _folder(self) -> str:
        return f"--git-dir={self.repository.git_dir}"

    def branch(self) -> str | None:
        """Return the branch that HEAD is on, or ``None`` if it is detached."""
        code, out = self("rev-parse", "--symbolic-full-name", "HEAD", allowed=(0, 128))
        name = os.fsdecode(out).strip()
        return name.removeprefix("refs/heads/") if code == 0 and name.startswith("refs/heads/") else None

    def tree(self, commit: str) -> tuple[TreeEntry, ...]:
        """List all files of a commit.

        Raises:
            WorldError: git fails, for instance because the commit is not in this clone.
        """
        _, out = self("ls-tree", "-r", "-z", "--full-tree", commit)
        entries = []
        for row in out.split(b"\0")[:-1]:
            head, _, path = row.partition(b"\t")
            mode, _, object_id = head.decode().split()
            entries.append(TreeEntry(mode, object_id, os.fsdecode(path)))
        return tuple(entries)

    def left_out(self) -> frozenset[str]:
        """Return the paths, from the top level, of the files that a sparse checkout keeps out of the work tree."""
        _, out = self("ls-files", "-t", "-z", allowed=(0, 128))
        return frozenset(os.fsdecode(row[2:]) for row in out.split(b"\0") if row.startswith(b"S "))

    def ignored(self, top: str, paths: Sequence[str]) -> frozenset[str]:
        """Return those of the paths, relative to the work tree ``top``, that git ignores and does not track."""
        return frozenset(self.ignore_rules(top, paths))

    def ignore_rules(self, top: str, paths: Sequence[str]) -> dict[str, IgnoreRule]:
        """Return the rule for each of the paths that git ignores and does not track, as :meth:`ignored` has them.

        Raises:
            WorldError: git fails.
        """
        own = os.path.realpath(top) == os.path.realpath(self.repository.top or "")
        git_dir = self.repository.git_dir if own else self.repository.common_dir
        command = _build_command(("check-ignore", "-v", "-z", "--stdin"), f"--git-dir={git_dir}", f"--work-tree={top}")
        data = b"\0".join(map(os.fsencode, paths))
        done = _run(command, environment=self._environment, where=top, data=data)
        if done.returncode not in {0, 1}:
            raise WorldError(f"git check-ignore failed: {_first_line(done.stderr)}")
        return read_rules(done.stdout)

    def read(self, name: str) -> tuple[str, str, bytes] | None:
        """Read an object through the one ``cat-file --batch`` process; return its id, its type and its bytes.

        ``None`` if this clone does not have it, for instance a blob that a partial clone left out: git ends the
        process then, and the next call starts it again.
        """
        if "\n" in name:
            return None
        batch = self._batch or self._start_batch()
        stdin, stdout = _pipes(batch)
        try:
            stdin.write(os.fsencode(name) + b"\n")
            stdin.flush()
            head = stdout.readline()
        except BrokenPipeError:
            head = b""
        words = head.decode(errors="replace").rsplit(" ", 2)
        if not head:
            self.close()
            return None
        if len(words) < 3 or not words[2].strip().isdigit():  # noqa: PLR2004 - id, kind and size
            return None
        data = stdout.read(int(words[2]) + 1)[:-1]
        return words[0], words[1], data

    def _start_batch(self) -> subprocess.Popen[bytes]:
        command = _build_command(("cat-file", "--batch"), self._folder)
        where = self.repository.top or self.repository.git_dir
        self._batch = _start(
            command, environment=self._environment, where=where, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        return self._batch

    def close(self) -> None:
        """End the batch process."""
        if self._batch is not None:
            stdin, stdout = _pipes(self._batch)
            with suppress(BrokenPipeError):
                stdin.close()
            self._batch.wait()
            _children.discard(self._batch)
            stdout.close()
            self._batch = None


def _build_command(words: Sequence[str], *folders: str) -> list[str]:
    """Build a whole call of git from a verb with its arguments, and options that name folders."""
    if not any(tuple(words[: len(verb)]) == verb for verb in VERBS):
        raise ValueError(f"git {words[0]} is not one of the verbs that git-sched may call")
    return ["git", *OPTIONS, *folders, *words]


def _start(
    command: Sequence[str], *, environment: Mapping[str, str], where: str, stdin: int, stderr: int
) -> subprocess.Popen[bytes]:
    """Start git in its own session, so that it can be killed with all processes that it started."""
    child = subprocess.Popen(
        command, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, env=environment, cwd=where, start_new_session=True
    )
    _children.add(child)
    return child


def _run(
    command: Sequence[str], *, environment: Mapping[str, str], where: str, data: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run git until it ends, with both streams captured and no input but ``data``."""
    stdin = subprocess.DEVNULL if data is None else subprocess.PIPE
    with _start(command, environment=environment, where=where, stdin=stdin, stderr=subprocess.PIPE) as child:
        try:
            out, err = child.communicate(data)
        except BaseException:  # an interrupt reaches this process alone
            kill_all()
            raise
        finally:
            _children.discard(child)
    return subprocess.CompletedProcess(command, child.returncode, out, err)


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None  # noqa: S101 - it was opened with pipes, above
    assert process.stdout is not None  # noqa: S101 - as above
    return process.stdin, process.stdout


def _first_line(stderr: bytes) -> str:
    text = stderr.decode(errors="replace").strip()
    first, _, rest = text.removeprefix("fatal: ").partition("\n")
    if first.endswith(":"):  # what it refused is on the next line
        first += f" {rest.strip()}"
    return first.splitlines()[0].strip() if first else "it said nothing"


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that git runs in: nothing in it makes git trace, prompt or fetch."""
    kept = {k: v for k, v in environment.items() if not k.startswith("GIT_TRACE") and k not in FIXED}
    return {**kept, **FIXED}


def find_repository(start: str, environment: Mapping[str, str]) -> Git | None:
    """Find the repository that a folder belongs to, as git itself does; ``None`` outside of any.

    GIT_DIR and GIT_WORK_TREE are used here, in the first call, and in no later one.

    Raises:
        RequestError: ``start`` is not a folder.
        WorldError: ``start`` cannot be looked at, git is not installed, or cannot read the repository.
    """
    if not is_folder(start):
        raise RequestError(f"{start} is no folder")
    clean = clean_environment(environment)
    done = _locate(start, clean, PLACES)
    if done.returncode and not done.stdout:
        reason = _first_line(done.stderr)
        if reason.startswith("not a git repository (or any") and "GIT_DIR" not in clean:
            return None
        raise WorldError(f"git cannot read this repository: {reason}", hint=_hint(reason))
    lines = os.fsdecode(done.stdout).split("\n")[:-1]
    if len(lines) != len(PLACES) - bool(done.returncode):  # a path contains a line break: ask for each alone
        lines = [os.fsdecode(_locate(start, clean, (place,)).stdout).removesuffix("\n") for place in PLACES]
    top = lines[2] if done.returncode == 0 else None
    common = os.path.realpath(os.path.join(start, lines[1]))
    return Git(Repository(lines[0], common, top), clean)


def _locate(start: str, environment: Mapping[str, str], places: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    command = _build_command(("rev-parse", *places))
    try:
        return _run(command, environment=environment, where=start)
    except OSError as error:
        if error.filename == "git":
            raise WorldError("git is not installed, or not on PATH", hint="install git, or correct PATH") from None
        raise WorldError(f"{start} cannot be entered: {error.strerror}") from None


def _hint(reason: str) -> str:
    import shlex

    place = shlex.quote(reason.partition("'")[2].partition("' (safe.")[0].removesuffix("'"))
    if "dubious ownership" in reason:
        return f"git config --global --add safe.directory {place} if you trust it"
    if "cannot use bare repository" in reason:
        return f"a bare repository is named outright: git --git-dir={place} sched ..."
    if "not a git repository" in reason:
        return "GIT_DIR or a .git file names a place that is gone; git worktree repair fixes a moved worktree"
    return "fix it until git status works there, or use a newer git"
