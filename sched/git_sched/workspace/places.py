"""What is in a place: something, nothing, something that cannot be looked at, or a file that git did not check out."""

from __future__ import annotations

import os
import shlex
import stat
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

from git_sched.model.problems import RequestError, WorldError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from git_sched.workspace.git import Git, TreeEntry

T = TypeVar("T")

State = Literal["there", "absent", "unseen", "committed"]
"""``unseen`` cannot be looked at; ``committed`` is in the commit, and not in the work tree."""


class Place(NamedTuple):
    """What is in a place.

    ``mode`` is the type and mode of what is there. ``at`` is the folder or file that could not be looked at, and
    ``why`` one sentence that says so. ``kept_out`` is whether git keeps a committed file out of the work tree, as in a
    sparse checkout; else somebody deleted it.
    """

    state: State
    mode: int = 0
    at: str = ""
    why: str = ""
    kept_out: bool = False

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder, and no link to one."""
        return stat.S_ISDIR(self.mode)


class Blocked(NamedTuple):
    """What keeps a search from a folder: ``at``, the folder or link in its place, and ``why``, one sentence."""

    at: str
    why: str
    is_link: bool


class Found(NamedTuple):
    """The paths that a search found, and what it could not look into."""

    paths: tuple[str, ...] = ()
    blocked: tuple[Blocked, ...] = ()


ABSENT: Final = Place("absent")

HINT: Final = "make it readable"
"""What to do about a place that cannot be looked at."""


def ask(question: Callable[[str], T], path: str) -> T | OSError | None:
    """Ask the file system about a path; ``None`` if nothing is there, an error if that cannot be found out.

    Nothing is below a file, so a file in the place of a folder leaves no doubt.
    """
    try:
        return question(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return error


def look(root: str, path: str) -> Place:
    """Look at a path below a root; a link is not followed at its end."""
    found = ask(os.lstat, os.path.join(root, path))
    if found is None:
        return ABSENT
    return _unseen(root, path, found) if isinstance(found, OSError) else Place("there", found.st_mode)


def look_at(path: str) -> Place:
    """Look at a full path, following links."""
    found = ask(os.stat, path)
    if found is None:
        return ABSENT
    if isinstance(found, OSError):
        return Place("unseen", at=path, why=describe(path, found, is_entered=False))
    return Place("there", found.st_mode)


def is_folder(path: str) -> bool:
    """Return whether a full path is a folder, or a link to one.

    Raises:
        WorldError: that cannot be found out.
    """
    place = look_at(path)
    if place.state == "unseen":
        raise WorldError(place.why, hint=HINT)
    return place.is_folder


def _unseen(root: str, path: str, error: OSError) -> Place:
    """Name the first folder or file on the way to a path that cannot be looked at."""
    above = ""
    for at in accumulate(path.split("/"), "{}/{}".format):
        if isinstance(ask(os.lstat, os.path.join(root, at)), OSError):
            break
        above = at
    else:
        at = path
    at = above if isinstance(error, PermissionError) else at
    return Place("unseen", at=at, why=describe(at, error))


def describe(at: str, error: OSError, *, is_entered: bool = True) -> str:
    """Say that a place cannot be looked at, and why; an empty path is the folder that the search began in.

    Without a permission, the place is the folder that cannot be entered, unless ``is_entered`` is false.
    """
    verb = "looked into" if is_entered and isinstance(error, PermissionError) else "looked at"
    return f"{at or 'this folder'} cannot be {verb}: {os.strerror(error.errno or 0).lower()}"


def link_in_the_way(at: str) -> Blocked:
    """Return that a link is in the place of a folder."""
    return Blocked(at, f"{at} is a symbolic link, which is not followed", is_link=True)


class _Entry(NamedTuple):
    name: str
    is_folder: bool
    is_link: bool


def expand(root: str, place: str) -> Found:
    """Find the existing paths below a root that match a place; ``*`` matches within one name.

    Only the folders that the place names are listed, and no link is followed: the path may be one, or be behind none.
    """
    found, blocked = [""], []
    *_, last = parts = place.split("/")
    for part in parts:
        deeper = []
        for base in found:
            for path, what in _match(root, base, part):
                if isinstance(what, Blocked):
                    blocked.append(what)
                elif part is last or what.is_folder:
                    deeper.append(path)
                elif what.is_link:
                    blocked.append(link_in_the_way(path))
        found = deeper
    return Found(tuple(found), tuple(blocked))


def expand_all(root: str, places: Iterable[str]) -> Found:
    """Find the existing paths that match any of some places, each once, in their order."""
    each = [expand(root, place) for place in places]
    paths = dict.fromkeys(path for one in each for path in one.paths)
    return Found(tuple(paths), tuple(dict.fromkeys(block for one in each for block in one.blocked)))


def _match(root: str, base: str, part: str) -> Iterator[tuple[str, _Entry | Blocked]]:
    """Yield what matches a name in a folder, with its path; or what keeps from finding that out."""
    if "*" not in part:
        path = _join(base, part)
        place = look(root, path)
        if place.state == "unseen":
            yield path, Blocked(place.at, place.why, is_link=False)
        elif place.state == "there":
            yield path, _Entry(part, place.is_folder, stat.S_ISLNK(place.mode))
        return
    listed = ask(_list, os.path.join(root, base))
    if isinstance(listed, OSError):
        yield base, Blocked(base, describe(base, listed), is_link=False)
        return
    head, _, tail = part.partition("*")
    for entry in listed or ():
        name = entry.name
        fits = name.startswith(head) and name.endswith(tail) and len(name) > len(head) + len(tail)
        if fits and name.lower() != ".git":
            yield _join(base, name), entry


def _list(folder: str) -> list[_Entry]:
    with os.scandir(folder) as entries:
        return sorted(_Entry(e.name, e.is_dir(follow_symlinks=False), e.is_symlink()) for e in entries)


def _join(base: str, name: str) -> str:
    return f"{base}/{name}" if base else name


class Checkout:
    """A work tree and the files of its commit; ``top`` is its folder, and all paths are relative to that."""

    def __init__(self, top: str, *, git: Git | None, entries: Iterable[TreeEntry]) -> None:
        """Store where to look; ``entries`` are the files of the commit that is checked out."""
        self.top, self._git = top, git
        self.committed = frozenset(entry.path for entry in entries)

    @cached_property
    def kept_out(self) -> frozenset[str]:
        """The paths that git keeps out of the work tree; it is asked once, and only where one is missing."""
        rows = self._git.left_out() if self._git else frozenset[str]()
        folders = tuple(row for row in rows if row.endswith("/"))
        return rows | {path for path in self.committed if folders and path.startswith(folders)}

    def keeps_out(self, folder: str) -> bool:
        """Whether git keeps a file out of the work tree that is below a folder, which has a slash at its end."""
        return any(path.startswith(folder) for path in self.kept_out)

    def look(self, path: str) -> Place:
        """Look at a path, and at the commit where the work tree has nothing there."""
        found = look(self.top, path)
        if found.state != "absent" or path not in self.committed:
            return found
        return Place("committed", kept_out=path in self.kept_out)


def restore_hint(path: str) -> str:
    """Return the command that checks out a committed file, given from the top, wherever in the work tree it is run.

    It works for a deleted file and in every kind of sparse checkout.
    """
    plain = path if not set(path) & set("*?[\\:") else ""
    pathspec = f":/{plain}" if plain else f":(top,literal){path}"
    return f"git restore --source=HEAD --ignore-skip-worktree-bits {shlex.quote(pathspec)}"


def refuse_to_write(place: Place, path: str, *, prefix: str = "") -> None:
    """Refuse to write a file where it is not known that none is overwritten; ``path`` is below ``prefix``.

    Raises:
        WorldError: the place cannot be looked at.
        RequestError: the file is committed, and not in the work tree.
    """
    if place.state == "unseen":
        raise WorldError(f"{place.why}, so nothing was written", hint=HINT)
    if place.state == "committed":
        message = f"{path} is committed and not checked out, so it is not written"
        raise RequestError(message, hint=f"check it out first: {restore_hint(prefix + path)}")
