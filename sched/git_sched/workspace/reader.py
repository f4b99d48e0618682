"""Reads files from the work tree or from a commit as blobs, each with the object id that git gives to its bytes."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from git_sched.formats.base import below_any_folder
from git_sched.formats.places import list_folders
from git_sched.model.blob import Blob
from git_sched.model.phrases import count
from git_sched.model.problems import KEPT_OUT, Problem
from git_sched.workspace import files, places
from git_sched.workspace.git_batch import Absent
from git_sched.workspace.git_output import hash_object

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.model.problems import Severity
    from git_sched.workspace.git import TreeEntry
    from git_sched.workspace.git_batch import GitObject
    from git_sched.workspace.locate import Location

_LINK = "120000"
_NO_FOLDER = {_LINK: "a symbolic link", "160000": "a submodule"}
_LFS = b"version https://git-lfs.github.com/spec/"


class Reader:
    """Reads files of a workspace, from the work tree or, where only a commit is read, from that alone.

    What git keeps out of the work tree, as in a sparse checkout, is read from the commit. What cannot be read is added
    to ``problems``. ``inputs`` has the object id of each path that was read, ``dirty`` the paths that differ from the
    commit, ``kept_out`` those that git keeps out of the work tree.
    """

    def __init__(self, location: Location) -> None:
        """Store what to read from."""
        self._location, self._git = location, location.git
        self._root = None if location.from_commit else location.root
        self.problems: list[Problem] = []
        self.inputs: dict[str, str] = {}
        self.dirty: set[str] = set()
        self.kept_out: list[str] = []
        prefix = location.prefix
        self._tree: dict[str, TreeEntry] = {
            e.path.removeprefix(prefix): e for e in location.entries if e.path.startswith(prefix)
        }

    def tracked(self) -> tuple[str, ...]:
        """Return the commit's paths relative to the workspace, sorted, without those outside of it."""
        return tuple(sorted(self._tree))

    def find(self, wanted: Iterable[str]) -> places.Found:
        """Find the paths that may be task files: those of the commit and, in the work tree, the wanted places.

        Links in the place of a folder are in what could not be looked into; nothing behind one is found.
        """
        patterns = tuple(wanted)
        if self._root is not None:
            found = places.expand_all(self._root, patterns)
            return found._replace(paths=tuple(sorted({*self._tree, *found.paths})))
        folders = below_any_folder(list_folders(patterns), at_root=True)
        links = [path for path, entry in self._tree.items() if entry.mode == _LINK and folders.fullmatch(path)]
        return places.Found(self.tracked(), tuple(map(places.link_in_the_way, links)))

    def lists(self, folder: str, *, severity: Severity = "error") -> bool:
        """Return whether a folder can be listed or does not exist; anything else in its place is added as a problem."""
        wrong = self._no_folder(folder)
        if wrong is not None:
            self._problem(wrong.code, wrong.message, wrong.at or folder, wrong.hint, severity=severity)
        return wrong is None

    def _no_folder(self, folder: str) -> files.Refusal | None:
        if self._root is not None:
            return files.folder_refusal(self._root, folder)
        for head in accumulate(folder.split("/"), "{}/{}".format):
            if entry := self._tree.get(head):
                what = _NO_FOLDER.get(entry.mode, "a file")
                return files.Refusal("outside-workspace", f"{head} is {what}, not a folder", files.FOLDER_HINT)
        return None

    def report_blocked(self, blocked: places.Blocked, *, severity: Severity) -> None:
        """Add a folder that could not be looked into as a problem."""
        code, hint = ("outside-workspace", files.FOLDER_HINT) if blocked.is_link else ("unreadable", places.HINT)
        self._problem(code, blocked.why, blocked.at, hint, severity=severity)

    def sees(self, path: str) -> bool:
        """Return whether a path inside the workspace can be looked at; if not, that is added as a problem."""
        place = self._look(path)
        if place.state == "unseen":
            self._problem("unreadable", place.why, place.at, places.HINT)
        return place.state != "unseen"

    def exists(self, path: str) -> bool:
        """Return whether a path exists here; a committed one that was deleted is added as a problem.

        A path that cannot be looked at counts as existing, so that reading it says why it cannot be read.
        """
        plain = files.inside(path)
        if plain is None:
            return False
        place = self._look(plain)
        if place.state == "committed" and not place.kept_out:
            self.dirty.add(plain)
            self._problem(
                "unreadable",
                f"{plain} is committed but not in the work tree, so it is not read",
                plain,
                "git restore brings it back; --rev HEAD asks for the commit",
                severity="warning",
            )
            return False
        return place.state != "absent"

    def has(self, path: str) -> bool:
        """Return whether there may be anything at a path inside the workspace (it may not be a regular file)."""
        place = self._look(path)
        return place.kept_out or place.state in {"there", "unseen"}

    def _look(self, path: str) -> places.Place:
        if self._root is not None:
            return self._location.look(path)
        return places.Place("there") if path in self._tree else places.ABSENT

    def describe_kept_out(self) -> tuple[Problem, ...]:
        """Return the one problem that files were read from the commit, since git keeps them out of the work tree."""
        if not self.kept_out:
            return ()
        first, number = min(self.kept_out), len(set(self.kept_out))
        one = number == 1
        message = f"{count(number, 'file')} {'is' if one else 'are'} committed and not checked out"
        message += f", so {'it is' if one else 'they are'} read from the commit: {first}"
        message += "" if one else f" and {number - 1} more"
        hint = places.restore_hint(self._location.prefix + first)
        return (Problem("warning", KEPT_OUT, message, first, hint=hint),)

    def read(self, path: str) -> Blob | None:
        """Read one file and note it in ``inputs`` and ``dirty``; ``None``, with a problem, if it cannot be read."""
        plain = files.inside(path)
        if plain is None:
            self._problem("outside-workspace", f"{path} leads out of the workspace", path, files.OUTSIDE_HINT)
            return None
        blob = self._from_commit(plain) if self._root is None else self._from_work_tree(self._root, plain)
        if blob is not None:
            self.inputs[plain] = blob.object_id
        return blob

    def _problem(self, code: str, message: str, path: str, hint: str, *, severity: Severity = "error") -> None:
        problem = Problem(severity, code, message, path, hint=hint)
        if problem not in self.problems:  # a folder is in the way of all that is in it
            self.problems.append(problem)

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
        if isinstance(found, Absent):
            self._problem(
                "unreadable",
                f"git does not hold {path} here: {found.reason}",
                path,
                "in a partial clone, fetch the whole commit first, since nothing is fetched from here; else git fsck",
            )
            return None
        return self._checked(Blob(path, found.data, entry.object_id))

    def _object(self, object_id: str) -> GitObject | Absent:
        return self._git.read(object_id) if self._git else Absent("there is no repository")

    def _from_work_tree(self, root: str, path: str) -> Blob | None:
        if path in self._tree and not self.exists(path):
            return None
        if self._look(path).kept_out:
            self.kept_out.append(path)
            return self._from_commit(path)
        data = files.read(root, path)
        if isinstance(data, files.Refusal):
            self._problem(data.code, data.message, data.at or path, data.hint)
            return None
        entry, own = self._tree.get(path), self._object_id(data)
        if entry is not None and (own == entry.object_id or self._same_lines(data, entry.object_id)):
            return self._checked(Blob(path, data, entry.object_id))
        if self._location.commit is not None:
            self.dirty.add(path)
        return self._checked(Blob(path, data, own))

    def _same_lines(self, data: bytes, object_id: str) -> bool:
        """Return whether bytes equal a blob apart from line endings, which git may change on checkout."""
        committed = self._object(object_id)
        if isinstance(committed, Absent):
            return False
        return data.replace(b"\r\n", b"\n") == committed.data.replace(b"\r\n", b"\n")

    def _object_id(self, data: bytes) -> str:
        commit = self._location.commit
        return hash_object("blob", data, like=commit.object_id if commit else "")

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
