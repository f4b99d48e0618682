"""Finds where git looks for hooks, and whether hooks may be installed there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from git_sched.model.problems import RequestError
from git_sched.workspace import files, git, places
from git_sched.workspace.git_output import invalid_output, read_words
from git_sched.workspace.observe.worktrees import list_linked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LEFTHOOK: Final = tuple(
    f"{stem}.{ending}"
    for stem in ("lefthook", ".lefthook", ".config/lefthook")
    for ending in ("yml", "yaml", "toml", "json", "jsonc")
)
"""Paths that lefthook's configuration may have, from the top level."""

Manager = Literal["husky", "lefthook", "tree", "off"]
"""What manages the hooks if none may be installed: a tool, the work tree (``tree``), or nothing (``off``)."""


class HooksPath(NamedTuple):
    """The folder in which git looks for hooks, and what manages it (``None`` if hooks may be installed).

    ``shown`` is the file or folder that messages name. ``usual`` is the hook folder of the git directory.
    """

    folder: str
    usual: str
    manager: Manager | None
    shown: str

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders in which hooks of git-sched may be."""
        return tuple(dict.fromkeys((self.usual, *([] if self.manager else [self.folder]))))


def find_hooks_path(start: str, environment: Mapping[str, str]) -> HooksPath:
    """Find the hook folder of the repository that a folder belongs to.

    Raises:
        RequestError: the folder is not in a git repository.
    """
    found = git.find_repository(os.path.abspath(start), environment)
    if found is None:
        raise RequestError("hooks are git's, and this is no git repository", hint="git init makes one")
    top = found.repository.top
    usual = os.path.join(found.repository.common_dir, "hooks")
    said = _hooks_path(found)
    folder = usual if said is None else os.path.join(top or found.repository.git_dir, said)
    place = HooksPath(folder, usual, None, said or usual)
    config = next((name for name in LEFTHOOK if top is not None and files.exists(top, name)), None)
    if config is not None:
        return place._replace(manager="lefthook", shown=config)
    if said is not None and (not said or _is_no_folder(folder)):
        return place._replace(manager="off")
    if _in_a_work_tree(folder, found):
        return place._replace(manager="husky" if ".husky" in place.shown.split("/") else "tree")
    return place


def _is_no_folder(path: str) -> bool:
    place = places.look_at(path)
    return place.state == "there" and not place.is_folder


def _hooks_path(found: git.Git) -> str | None:
    """Return core.hooksPath from the user's own settings, ``None`` if it is not set."""
    _, out = found("config", "--get-all", "--type=path", "-z", "core.hooksPath")
    *own, last = read_words(out, b"\0", verb="config") or [b""]
    if last != os.fsencode(os.devnull):  # this program's own calls set it, after all others
        raise invalid_output("config", "it lacks the value of core.hooksPath that it was given")
    return os.fsdecode(own[-1]) if own else None


def _in_a_work_tree(folder: str, found: git.Git) -> bool:
    """Return whether a folder is in a work tree, of this repository or another, by its path or through a link.

    The nearest folder above decides: either a git directory, or the top of a work tree.
    """
    repository = found.repository
    main, linked = list_linked(found)
    tops = {os.path.realpath(top) for top in (repository.top, main, *(tree.path for tree in linked)) if top}
    own = {os.path.realpath(repository.git_dir), os.path.realpath(repository.common_dir)}
    return any(_nearest_is_a_top(path, tops, own) for path in _leads_through(folder))


def _leads_through(folder: str) -> Iterator[str]:
    """Yield the real path of a folder, and that of each link on the way to it: the folder can be changed at each."""
    yield os.path.realpath(folder)
    for path in _upwards(os.path.normpath(folder)):
        if os.path.islink(path):
            yield os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))


def _nearest_is_a_top(path: str, tops: set[str], own: set[str]) -> bool:
    for at in _upwards(path):
        if at in own or os.path.basename(at).lower() == ".git":
            return False
        if at in tops or files.exists(at, ".git"):
            return True
        if all(places.look(at, name).state == "there" for name in files.GIT_HOLDS):
            return False
    return False


def _upwards(path: str) -> Iterator[str]:
    while path != (above := os.path.dirname(path)):
        yield path
        path = above
