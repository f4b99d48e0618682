"""Installs and removes the hooks of git-sched in a hook folder; hooks of others are kept."""

from __future__ import annotations

import filecmp
import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import git_sched
from git_sched.hooks import NAMES
from git_sched.hooks.script import BEFORE, MARK, script
from git_sched.model.problems import WorldError
from git_sched.workspace.aside import link, open_aside

if TYPE_CHECKING:
    from collections.abc import Iterator

LEGACY: Final = ".legacy"
"""Suffix of a hook that pre-commit found when it was installed and runs first."""


def install(folder: str) -> Iterator[str]:
    """Install every hook into a folder; yield a message for each file before it is written.

    Raises:
        WorldError: the folder cannot be written to.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        for name in NAMES:
            yield from _install_one(folder, name)
    except OSError as error:
        raise _cannot(error, folder) from None


def uninstall(folder: str) -> Iterator[str]:
    """Remove every hook of git-sched from a folder and restore those that were kept; yield a message for each.

    Raises:
        WorldError: the folder cannot be written to.
    """
    try:
        for name in NAMES:
            if (own := _own(folder, name)) is not None:
                yield from _uninstall_one(folder, name, own)
            else:
                _finish(folder, name)
    except OSError as error:
        raise _cannot(error, folder) from None


def _install_one(folder: str, name: str) -> Iterator[str]:
    own, kept = _own(folder, name), name + BEFORE
    target = os.path.join(folder, own or name)
    before = os.path.join(folder, kept)
    data = os.fsencode(script(name, python=sys.executable, path=_needed_path()))
    if own is not None or not os.path.lexists(target):
        yield f"installs {target}" if own in {None, name} else f"installs {target}, which pre-commit runs first"
        _write(folder, own or name, data)
        return
    if os.path.isdir(target) or (os.path.lexists(before) and not _is_same(before, target)):
        why = "it is a folder" if os.path.isdir(target) else f"{kept} is beside it"
        yield f"not installed: {target}, since {why}; move that away"
        return
    yield f"installs {target}; the hook that is there is kept as {kept} and runs first"
    _write(folder, name, data, kept=kept)


def _write(folder: str, name: str, data: bytes, *, kept: str | None = None) -> None:
    """Write the file of a hook in one step; the hook that is there gets the name ``kept`` first, if one is given.

    A hook of that name runs at any time: until the step the old one, then the new one, which runs the old one.
    """
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with open_aside(opened, name, mode=0o755, replaces_links=True) as part:
            part.write(data)
            if kept is not None:
                with suppress(FileExistsError):  # an installation that was interrupted has done it
                    _keep(opened, name, kept)
            try:
                part.place()
            except OSError:
                if kept is not None:
                    os.unlink(kept, dir_fd=opened)
                raise
    finally:
        os.close(opened)


def _keep(folder: int, name: str, kept: str) -> None:
    """Give a hook a second name, or copy it where the file system has no hard links."""
    if link(folder, name, kept):
        return
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISLNK(found.st_mode):
        os.symlink(os.readlink(name, dir_fd=folder), kept, dir_fd=folder)
        return
    with (
        open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder), "rb") as file,
        open_aside(folder, kept, mode=stat.S_IMODE(found.st_mode)) as part,
    ):
        part.write(file.read())
        part.place_new()


def _is_same(kept: str, target: str) -> bool:
    """Whether a kept hook is the one that is there, as where an installation was interrupted."""
    if os.path.samestat(os.lstat(kept), os.lstat(target)):
        return True
    try:
        return filecmp.cmp(kept, target, shallow=False)
    except OSError:
        return False


def _needed_path() -> str:
    """Return the folder of this program if Python finds it only through PYTHONPATH, or an empty string."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(git_sched.__file__)))
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return home if any(path and os.path.realpath(path) == os.path.realpath(home) for path in given) else ""


def _uninstall_one(folder: str, name: str, own: str) -> Iterator[str]:
    target, kept = os.path.join(folder, own), os.path.join(folder, name + BEFORE)
    if os.path.lexists(kept):
        yield f"removes {target} and puts the hook that was there before back"
        os.rename(kept, target)
    else:
        yield f"removes {target}"
        os.unlink(target)


def _finish(folder: str, name: str) -> None:
    """Remove the second name of a hook where an installation was interrupted before it changed anything else."""
    kept, target = os.path.join(folder, name + BEFORE), os.path.join(folder, name)
    if os.path.lexists(kept) and os.path.lexists(target) and _is_same(kept, target):
        os.unlink(kept)


def _own(folder: str, name: str) -> str | None:
    """Return the name of git-sched's file for a hook in a folder, ``None`` if there is none."""
    return next((found for found in (name, name + LEGACY) if _is_ours(os.path.join(folder, found))), None)


def _is_ours(path: str) -> bool:
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return stat.S_ISREG(os.fstat(file.fileno()).st_mode) and MARK.encode() in file.read(1000)
    except OSError:
        return False


def _cannot(error: OSError, folder: str) -> WorldError:
    return WorldError(f"{error.filename or folder} cannot be written: {error.strerror or error}")
