"""Reads files: component by component, never through a link, never a pipe or device, never inside ``.git``."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from git_sched.workspace import places

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE_LIMIT = 1 << 30
"""Size in bytes beyond which a file is refused rather than read into memory."""

GIT_HOLDS = ("HEAD", "objects", "refs")
"""The names by which git recognizes a git directory."""


class Refusal(NamedTuple):
    """Why a file cannot be read: a code of :data:`git_sched.model.problems.CODES`, one sentence, and what to do.

    ``at`` is the folder on the way to the file that cannot be looked into, if it is one.
    """

    code: str
    message: str
    hint: str
    at: str = ""


OUTSIDE_HINT = "name a regular file inside the workspace"
FOLDER_HINT = "put a folder in its place, or take it away"


def inside(path: str) -> str | None:
    """Return a path relative to the workspace in normal form, or ``None`` if it leads out of it or into ``.git``."""
    if os.path.isabs(path) or "\0" in path:
        return None
    parts = [part for part in path.replace(os.sep, "/").split("/") if part not in {"", "."}]
    if not parts or ".." in parts or any(part.lower() == ".git" for part in parts):
        return None
    return "/".join(parts)


@contextmanager
def open_folder(root: str, parts: list[str]) -> Iterator[int]:
    """Open a folder below a root without following links, as a context manager that closes the descriptor.

    Raises:
        OSError: a folder does not exist, is a link, or cannot be opened; ``filename`` is then its path with a slash.
    """
    at = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for number, part in enumerate(parts, 1):
            try:
                deeper = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
            except OSError as error:
                error.filename = "/".join((*parts[:number], ""))  # as no file is written
                raise
            os.close(at)
            at = deeper
        yield at
    finally:
        os.close(at)


def read(root: str, path: str, *, limit: int = SIZE_LIMIT) -> bytes | Refusal:
    """Read a regular file below a root, of at most ``limit`` bytes."""
    descriptor = open_file(root, path, limit=limit)
    if isinstance(descriptor, Refusal):
        return descriptor
    try:
        with open(descriptor, "rb") as file:
            data = file.read()  # a read of limit + 1 bytes would take that much memory first, however small the file is
    except OSError as error:
        return _refusal(root, path, error)
    return data if len(data) <= limit else _too_large(path, limit)


def open_file(root: str, path: str, *, limit: int | None = SIZE_LIMIT) -> int | Refusal:
    """Open a regular file below a root, of at most ``limit`` bytes; return its descriptor, which the caller closes."""
    plain = inside(path)
    if plain is None:
        return Refusal("outside-workspace", f"{path} leads out of the workspace", OUTSIDE_HINT)
    *parts, name = plain.split("/")
    try:
        with open_folder(root, parts) as folder:
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError as error:
        return _refusal(root, plain, error)
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode) and (limit is None or found.st_size <= limit):
        return descriptor
    os.close(descriptor)
    if not stat.S_ISREG(found.st_mode):
        return Refusal("unreadable", f"{plain} is {_kind(found.st_mode)}, not a file", OUTSIDE_HINT)
    return _too_large(plain, limit or 0)


def _too_large(path: str, limit: int) -> Refusal:
    return Refusal("unreadable", f"{path} is larger than {limit:,} bytes", "split it")


def _refusal(root: str, plain: str, error: OSError) -> Refusal:
    if is_link(root, plain):
        return Refusal(
            "outside-workspace", f"{plain} is reached through a symbolic link, which is not followed", OUTSIDE_HINT
        )
    if isinstance(error, FileNotFoundError):
        return Refusal("unreadable", f"{plain} does not exist", "correct the name")
    if isinstance(error.filename, str) and error.filename.endswith("/"):
        at = error.filename.rstrip("/")
        return Refusal("unreadable", places.describe(at, error), places.HINT, at)
    reason = os.strerror(error.errno or 0).lower()
    return Refusal("unreadable", f"{plain} cannot be read: {reason}", places.HINT)


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a named pipe" if stat.S_ISFIFO(mode) else "a device or socket"


def folder_refusal(root: str, path: str) -> Refusal | None:
    """Return why a folder below a root cannot be listed; ``None`` if it can be, or does not exist."""
    try:
        with open_folder(root, path.split("/")) as folder:
            os.listdir(folder)
    except FileNotFoundError:
        pass
    except NotADirectoryError as error:
        found = _refusal(root, path, error)
        reason = found.message if is_link(root, path) else f"{path} is not a folder"
        return found._replace(message=reason, hint=FOLDER_HINT, at="")
    except OSError as error:
        return _refusal(root, path, error)
    return None


def is_link(root: str, path: str) -> bool:
    """Return whether any component of a path below a root is a symbolic link."""
    at = root
    for part in path.split("/"):
        at = os.path.join(at, part)
        if os.path.islink(at):
            return True
    return False


def exists(root: str, path: str) -> bool:
    """Return whether anything, including a link, may exist at a path below a root: only what is absent does not.

    What cannot be looked at counts as existing, so that reading it says why it cannot be read.
    """
    return places.look(root, path).state != "absent"


def in_git_directory(folder: str) -> bool:
    """Return whether a folder is in a git directory, or is one: by the name ``.git``, or by what it holds."""
    at = os.path.realpath(folder)
    while at != (above := os.path.dirname(at)):
        if os.path.basename(at).lower() == ".git" or all(exists(at, name) for name in GIT_HOLDS):
            return True
        at = above
    return False
