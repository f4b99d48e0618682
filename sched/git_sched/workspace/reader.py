"""Reads files from the work tree or from a commit as blobs, each with the object id that git gives to its bytes."""

from __future__ import annotations

from functools import cached_property
from hashlib import new
from itertools import accumulate
from typing import TYPE_CHECKING

from git_sched.model.blob import Blob
from git_sched.model.problems import Problem
from git_sched.workspace import files

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.model.basis import Commit
    from git_sched.model.problems import Severity
    from git_sched.workspace.git import Git, TreeEntry

_NO_FOLDER = {"120000": "a symbolic link", "160000": "a submodule"}
_LFS = b"version https://git-lfs.github.com/spec/"


class Reader:
    """Reads files of a workspace, from the work tree or, with ``from_commit``, from the commit alone.

    What a sparse checkout keeps out of the work tree is read from the commit.

    ``root`` is the workspace's folder on disk (``None`` in a bare repository), ``prefix`` its path from the top level
    with a slash at the end, or empty. What cannot be read is added to ``problems``. ``inputs`` has the object id of
    each path that was read, ``dirty`` the paths that differ from the commit.
    """

    def __init__(
        self,
        root: str | None,
        prefix: str,
        *,
        git: Git | None,
        commit: Commit | None,
        entries: Iterable[TreeEntry],
        from_commit: bool,
    ) -> None:
        """Store what to read from; ``entries`` are the commit's files."""
        self.root, self.prefix, self.git, self.commit, self.from_commit = root, prefix, git, commit, from_commit
        self.problems: list[Problem] = []
        self.inputs: dict[str, str] = {}
        self.dirty: set[str] = set()
        self._tree: dict[str, TreeEntry] = {
            e.path.removeprefix(prefix): e for e in entries if e.path.startswith(prefix)
        }

    def tracked(self) -> tuple[str, ...]:
        """Return the commit's paths relative to the workspace, sorted, without those outside of it."""
        return tuple(sorted(self._tree))

    def names(self, places: Iterable[str]) -> tuple[str, ...]:
        """Return the paths that may be task files: those of the commit and, in the work tree, the usual places."""
        found = set(self._tree)
        if not self.from_commit and self.root is not None:
            for place in places:
                found.update(files.expand(self.root, place))
        return tuple(sorted(found))

    def lists(self, folder: str, *, severity: Severity = "error") -> bool:
        """Return whether a folder can be listed or does not exist; anything else in its place is added as a problem."""
        wrong = self._no_folder(folder)
        if wrong is not None:
            self._problem(wrong.code, wrong.message, folder, wrong.hint, severity=severity)
        return wrong is None

    def _no_folder(self, folder: str) -> files.Refusal | None:
        if not self.from_commit and self.root is not None:
            return files.folder_refusal(self.root, folder)
        for head in accumulate(folder.split("/"), "{}/{}".format):
            if entry := self._tree.get(head):
                what = _NO_FOLDER.get(entry.mode, "a file")
                return files.Refusal("outside-workspace", f"{head} is {what}, not a folder", files.FOLDER_HINT)
        return None

    def exists(self, path: str) -> bool:
        """Return whether a path exists here; a committed one that the work tree lacks is added as a problem."""
        plain = files.inside(path)
        if plain is None:
            return False
        if self.has(plain):
            return True
        if plain in self._tree:
            self.dirty.add(plain)
            self._problem(
                "unreadable",
                f"{plain} is committed but not in the work tree, so it is not read",
                plain,
                "git restore brings it back; --rev HEAD asks for the commit",
                severity="warning",
            )
        return False

    def has(self, path: str) -> bool:
        """Return whether there is anything at a path inside the workspace (it may not be a regular file)."""
        if self.from_commit or self.root is None:
            return path in self._tree
        return files.exists(self.root, path) or self._is_left_out(path)

    def _is_left_out(self, path: str) -> bool:
        return path in self._tree and self.prefix + path in self._left_out

    @cached_property
    def _left_out(self) -> frozenset[str]:
        # Git is asked only where the work tree lacks a committed file, which is rare.
        return self.git.left_out() if self.git else frozenset()

    def read(self, path: str) -> Blob | None:
        """Read one file and note it in ``inputs`` and ``dirty``; ``None``, with a problem, if it cannot be read."""
        plain = files.inside(path)
        if plain is None:
            self._problem("outside-workspace", f"{path} leads out of the workspace", path, files.OUTSIDE_HINT)
            return None
        blob = self._from_commit(plain) if self.from_commit or self.root is None else self._from_work_tree(plain)
        if blob is not None:
            self.inputs[plain] = blob.object_id
        return blob

    def _problem(self, code: str, message: str, path: str, hint: str, *, severity: Severity = "error") -> None:
        self.problems.append(Problem(severity, code, message, path, hint=hint))

    def _from_commit(self, path: str) -> Blob | None:
        entry = self._tree.get(path)
        if entry is None:
            self._problem("unreadable", f"{path} is not in this revision", path, "commit it, or correct the name")
            return None
        if entry.mode in _NO_FOLDER:
            what = _NO_FOLDER[entry.mode]
            self._problem("outside-workspace", f"{path} is {what}, which is not followed", path, files.OUTSIDE_HINT)
            return None
        found = self._object(entry.object_id)
        if found is None:
            self._problem(
                "unreadable",
                f"git does not hold {path} here (a partial or damaged clone)",
                path,
                "fetch the whole commit before asking; nothing is ever fetched from here",
            )
            return None
        return self._checked(Blob(path, found, entry.object_id))

    def _object(self, object_id: str) -> bytes | None:
        found = self.git.read(object_id) if self.git else None
        return None if found is None else found[2]

    def _from_work_tree(self, path: str) -> Blob | None:
        if path in self._tree and not self.exists(path):
            return None
        if not files.exists(self.root or "", path) and self._is_left_out(path):
            return self._from_commit(path)  # git keeps it out of the work tree, unchanged
        data = files.read(self.root or "", path)
        if isinstance(data, files.Refusal):
            self._problem(data.code, data.message, path, data.hint)
            return None
        entry, own = self._tree.get(path), self._object_id(data)
        if entry is not None and (own == entry.object_id or self._same_lines(data, entry.object_id)):
            return self._checked(Blob(path, data, entry.object_id))
        if self.commit is not None:
            self.dirty.add(path)
        return self._checked(Blob(path, data, own))

    def _same_lines(self, data: bytes, object_id: str) -> bool:
        """Return whether bytes equal a blob apart from line endings, which git may change on checkout."""
        committed = self._object(object_id)
        return committed is not None and data.replace(b"\r\n", b"\n") == committed.replace(b"\r\n", b"\n")

    def _object_id(self, data: bytes) -> str:
        sha256 = self.commit is not None and len(self.commit.object_id) > 40  # noqa: PLR2004 - digits of a SHA-1
        digest = new("sha256" if sha256 else "sha1", usedforsecurity=False)
        digest.update(b"blob %d\0" % len(data))
        digest.update(data)
        return digest.hexdigest()

    def _checked(self, blob: Blob) -> Blob | None:
        if blob.data.startswith(_LFS):
            self._problem(
                "unreadable",
                f"{blob.path} is a Git LFS pointer, not the file itself",
                blob.path,
                "keep task files out of LFS",
            )
            return None
        return blob
