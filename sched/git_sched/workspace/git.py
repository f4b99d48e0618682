"""A repository of git: where it is, and what git answers about it."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.model.problems import RequestError, WorldError
from git_sched.workspace.git_batch import Batch
from git_sched.workspace.git_output import (
    FAILED,
    invalid_output,
    read_left_out,
    read_one,
    read_rules,
    read_tree_rows,
    read_words,
    read_worktrees,
)
from git_sched.workspace.git_process import build_command, clean_environment, find_reason, run
from git_sched.workspace.git_tree import lists_all
from git_sched.workspace.places import expand, is_folder, look

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping, Sequence

    from git_sched.workspace.git_batch import Absent, GitObject
    from git_sched.workspace.git_output import IgnoreRule

PLACES: Final = ("--absolute-git-dir", "--git-common-dir", "--show-toplevel")
"""The folders that git is asked for; without a work tree the last one fails, after the others were printed."""

ADMINISTRATION: Final = "worktrees"
"""The folder of a git directory that lists linked worktrees (see gitrepository-layout); without it there are none."""

_NO_WORK_TREE: Final = "this operation must be run in a work tree"


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


class Git:
    """Asks git about one repository."""

    def __init__(self, repository: Repository, environment: Mapping[str, str]) -> None:
        """Store the repository; variables of git that could change an answer are removed from the environment."""
        self.repository = repository
        self._environment = clean_environment(environment)
        self._batch: Batch | None = None

    def __call__(self, *words: str, allowed: Sequence[int] = (0,), data: bytes | None = None) -> tuple[int, bytes]:
        """Run one of ``VERBS`` with ``data`` as its input; return its exit code, one of ``allowed``, and its output.

        Raises:
            ValueError: the words begin with none of ``VERBS``.
            WorldError: git ends with another exit code.
        """
        return self._run(words, self._folder, where=self._where, allowed=allowed, data=data)

    def _run(
        self, words: Sequence[str], *folders: str, where: str, allowed: Sequence[int], data: bytes | None = None
    ) -> tuple[int, bytes]:
        done = run(build_command(words, *folders), environment=self._environment, where=where, data=data)
        if done.returncode not in allowed:
            reason = find_reason(done.returncode, done.stderr)
            raise WorldError(f"git {words[0]} failed: {reason}", hint=FAILED)
        return done.returncode, done.stdout

    @property
    def _folder(self) -> str:
        return f"--git-dir={self.repository.git_dir}"

    @property
    def _where(self) -> str:
        return self.repository.top or self.repository.git_dir

    def branch(self) -> str | None:
        """Return the branch that HEAD is on, or ``None`` if it is detached."""
        code, out = self("rev-parse", "--symbolic-full-name", "HEAD", allowed=(0, 128))
        name = read_one(out, b"\n", verb="rev-parse") if code == 0 else ""
        return name.removeprefix("refs/heads/") if name.startswith("refs/heads/") else None

    def config(self, key: str) -> str | None:
        """Return the value of a key of git's configuration, or ``None`` if it is not set."""
        code, out = self("config", "--get", "-z", key, allowed=(0, 1))
        return read_one(out, b"\0", verb="config") if code == 0 and out != b"\0" else None

    def tree(self, commit: str) -> tuple[TreeEntry, ...]:
        """List all files of a commit, and check that git printed all of them.

        Raises:
            WorldError: git fails, for instance because the commit is not in this clone.
        """
        _, out = self("ls-tree", "-r", "-t", "-z", "--full-tree", commit)
        rows = read_tree_rows(out)
        if not lists_all(rows, commit, read=self.read):
            raise invalid_output("ls-tree", f"it does not list all files of {commit}")
        return tuple(
            TreeEntry(row.mode.decode(), row.object_id, os.fsdecode(row.path)) for row in rows if row.kind != b"tree"
        )

    def left_out(self) -> frozenset[str]:
        """Return what a sparse checkout keeps out of the work tree: files, and folders with a slash at the end.

        Git is asked not to list the files of such folders: it would write into its objects to find them.
        """
        code, out = self("ls-files", "-t", "-z", "--sparse", allowed=(0, 129))
        if code == 129:  # noqa: PLR2004 - git before 2.36, which does not know the option
            out = self("ls-files", "-t", "-z")[1]
        return read_left_out(out)

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
        folders = (f"--git-dir={git_dir}", f"--work-tree={top}")
        data = b"".join(os.fsencode(path) + b"\0" for path in paths)
        words = ("check-ignore", "-v", "-n", "-z", "--stdin")
        return read_rules(self._run(words, *folders, where=top, allowed=(0, 1), data=data)[1], paths)

    def worktrees(self) -> list[dict[str, str]]:
        """List the worktrees as git does, the main one first: ``worktree`` is the path, ``branch`` the full name.

        Raises:
            WorldError: git fails, or lists fewer than there are.
        """
        there = self._list_administration()
        code, out = self("worktree", "list", "--porcelain", "-z", allowed=(0, 129))
        end = b"\0"
        if code:  # git before 2.36 has no -z, and cannot list a path with a line break
            out, end = self("worktree", "list", "--porcelain")[1], b"\n"
        found = read_worktrees(out, end)
        if len(found) <= len(there & self._list_administration()):  # others may add and remove some at any time
            raise invalid_output("worktree list", "it does not list all worktrees")
        return found

    def _list_administration(self) -> set[str]:
        """Return the names of the linked worktrees in the git directory that git can list."""
        found = expand(self.repository.common_dir, f"{ADMINISTRATION}/*/gitdir")
        return {path for path in found.paths if _has_bytes(os.path.join(self.repository.common_dir, path))}

    def read(self, name: str) -> GitObject | Absent:
        """Read the object that a name means, through the one ``cat-file --batch`` process.

        Git ends that process where an object is damaged, or one that a partial clone left out; then the next call
        starts it again.

        Raises:
            WorldError: what git printed is not that object, or git ended without a reason.
        """
        if self._batch is None or self._batch.has_ended:
            command = build_command(("cat-file", "--batch"), self._folder)
            self._batch = Batch(command, environment=self._environment, where=self._where)
        return self._batch.read(name)

    def close(self) -> None:
        """End the batch process."""
        if self._batch is not None and not self._batch.has_ended:
            self._batch.close()
        self._batch = None


def _has_bytes(path: str) -> bool:
    try:
        return os.path.getsize(path) > 0
    except OSError:  # it was removed by now
        return False


def find_repository(start: str, environment: Mapping[str, str]) -> Git | None:
    """Find the repository that a folder belongs to, as git itself does; ``None`` outside of any.

    Variables that name the repository, such as GIT_DIR, are used in this search, and in no later call. A ``.git`` that
    git ignores because something is wrong with it is an error, wherever git would go on searching.

    Raises:
        RequestError: ``start`` is not a folder.
        WorldError: ``start`` cannot be looked at, git is not installed, or cannot read the repository.
    """
    if not is_folder(start):
        raise RequestError(f"{start} is not a folder")
    searching = clean_environment(environment, searching=True)
    done = _locate(start, searching, PLACES)
    reason = find_reason(done.returncode, done.stderr) if done.returncode else ""
    if reason.startswith("not a git repository (or any") and "GIT_DIR" not in searching:
        _refuse_ignored(start, searching, reason=reason)
        return None
    if reason and reason != _NO_WORK_TREE:
        raise WorldError(f"git cannot read this repository: {reason}", hint=_hint(reason))
    repository = _read_places(start, searching, done.stdout, places=PLACES[: 2 if reason else 3])
    if "GIT_DIR" not in searching:
        _refuse_ignored(start, searching, found=repository)
    return Git(repository, environment)


def _read_places(start: str, environment: Mapping[str, str], printed: bytes, *, places: Sequence[str]) -> Repository:
    words = read_words(printed, b"\n", verb="rev-parse")
    if len(words) == len(places):
        lines = [os.fsdecode(word) for word in words]
    else:  # a path contains a line break: ask for each alone
        lines = [read_one(_locate(start, environment, (place,)).stdout, b"\n", verb="rev-parse") for place in places]
    common = os.path.realpath(os.path.join(start, lines[1]))
    found = Repository(lines[0], common, lines[2] if len(places) == len(PLACES) else None)
    if any(not os.path.isabs(path) or not os.path.isdir(path) for path in found if path is not None):
        raise invalid_output("rev-parse", "it does not name the folders of a repository")
    return found


def _locate(start: str, environment: Mapping[str, str], places: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    return run(build_command(("rev-parse", *places)), environment=environment, where=start)


def _refuse_ignored(
    start: str, environment: Mapping[str, str], *, found: Repository | None = None, reason: str = ""
) -> None:
    """Raise an error if the nearest ``.git``, from the start upwards, is not the one that git found."""
    path = _nearest_git(os.path.realpath(start), found)
    if path is None:
        return
    command = build_command(("rev-parse", "--absolute-git-dir"), f"--git-dir={path}")
    done = run(command, environment=clean_environment(environment), where=os.path.dirname(path))
    if done.returncode:
        why = find_reason(done.returncode, done.stderr)
        hint = "restore its HEAD, objects and refs, or make them readable"
        raise WorldError(f"git does not accept {path}: {why}", hint=hint)
    if found is None and "GIT_CEILING_DIRECTORIES" not in environment:
        hint = "GIT_DISCOVERY_ACROSS_FILESYSTEM=1 makes git look further; or name it: git -C DIR sched ..."
        raise WorldError(f"git does not look as far as {path}: {reason}", hint=hint)


def _nearest_git(folder: str, found: Repository | None) -> str | None:
    """Return the nearest ``.git``, or ``None`` if there is none before the folders of the repository that was found."""
    own = {os.path.realpath(path) for path in found or () if path is not None}
    while folder not in own:
        path = os.path.join(folder, ".git")
        if os.path.realpath(path) in own:
            return None
        if look(folder, ".git").state != "absent":
            return path
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return None


def _hint(reason: str) -> str:
    place = shlex.quote(reason.partition("'")[2].partition("' (safe.")[0].removesuffix("'"))
    if "dubious ownership" in reason:
        return f"git config --global --add safe.directory {place} if you trust it"
    if "cannot use bare repository" in reason:
        return f"name a bare repository: git --git-dir={place} sched ..."
    if "not a git repository" in reason:
        return "GIT_DIR or a .git file names a place that is gone; git worktree repair fixes a moved worktree"
    return "fix it until git status works there, or use a newer git"
