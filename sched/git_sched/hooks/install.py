"""Installs and removes the hooks of git-sched in a hook folder; hooks of others are kept."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, Final

import git_sched
from git_sched.hooks import NAMES
from git_sched.hooks.script import BEFORE, MARK, script
from git_sched.model.problems import WorldError

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
    except OSError as error:
        raise _cannot(error, folder) from None


def _install_one(folder: str, name: str) -> Iterator[str]:
    own, kept = _own(folder, name), name + BEFORE
    target = os.path.join(folder, own or name)
    if own is None and os.path.lexists(target):
        if os.path.isdir(target) or os.path.lexists(os.path.join(folder, kept)):
            why = "it is a folder" if os.path.isdir(target) else f"{kept} lies beside it"
            yield f"not installed: {target}, since {why}; move that away"
            return
        yield f"installs {target}; the hook that is there is kept as {kept} and runs first"
        partial = _written(folder, name)
        os.rename(target, os.path.join(folder, kept))
    else:
        yield f"installs {target}" if own in {None, name} else f"installs {target}, which pre-commit runs first"
        partial = _written(folder, name)
    os.rename(partial, target)


def _written(folder: str, name: str) -> str:
    """Write the file of a hook under another name, to be renamed in one step; return its path."""
    partial = os.path.join(folder, f".{name}.{os.getpid()}.partial")
    data = os.fsencode(script(name, python=sys.executable, path=_needed_path()))
    with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o700), "wb") as file:
        file.write(data)
        os.fchmod(file.fileno(), 0o755)
    return partial


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
