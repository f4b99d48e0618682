"""Writes files: each is created, replaced or appended to in one step, under the rules by which ``files`` reads."""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from git_sched.workspace import files
from git_sched.workspace.aside import open_aside
from git_sched.workspace.locks import is_at, lock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_sched.workspace.aside import Aside


def _writable(root: str, path: str) -> tuple[list[str], str]:
    """Return the folders below a root and the name of a file that may be written; create missing folders."""
    plain = files.inside(path)
    if plain is None:
        raise OSError("it leads out of its folder")
    *parts, name = plain.split("/")
    refuse_git_directory(os.path.join(root, *parts))
    with suppress(FileNotFoundError):
        os.lstat(os.path.join(root, plain))  # a name that is too long is refused before its folders are created
    for n, part in enumerate(parts):
        with files.open_folder(root, parts[:n]) as above, suppress(FileExistsError):
            os.mkdir(part, 0o777, dir_fd=above)
    return parts, name


def refuse_git_directory(folder: str) -> None:
    """Refuse a folder in a git directory, which need not exist yet.

    Raises:
        OSError: the folder is in a git directory.
    """
    if files.in_git_directory(folder):
        raise OSError("it is in a git directory, which is never written")


class Locked(NamedTuple):
    """A file that nobody else writes to until the end: its folder, its name there, and the open file."""

    folder: int
    name: str
    descriptor: int

    def append(self, lines: bytes) -> None:
        """Append lines in one write.

        Raises:
            OSError: they cannot be written; then none of them is.
        """
        _append(self.descriptor, lines)


@contextmanager
def open_locked(
    root: str, path: str, *, seconds: float, required: bool, limit: int | None = files.SIZE_LIMIT
) -> Iterator[Locked]:
    """Open a file below a root for appending, alone until the end.

    Missing folders and the file are created, and no links are followed; a file that was created and stays empty is
    removed again. Where it cannot be locked, because the platform or the file system has no locks, that is an error if
    it is ``required``. A file of more than ``limit`` bytes is refused.

    Raises:
        OSError: the path leads elsewhere, is not a regular file, or cannot be written.
        LockingError: the file cannot be locked.
        TimeoutError: another process kept the lock for this many seconds.
    """
    parts, name = _writable(root, path)
    end = time.monotonic() + seconds
    with files.open_folder(root, parts) as folder:
        while True:
            with _open_to_append(folder, name, limit=limit) as descriptor:
                lock(descriptor, end, required=required)
                if not is_at(folder, name, descriptor):  # it was replaced while this process waited
                    continue
                yield Locked(folder, name, descriptor)
                return


def append(root: str, path: str, lines: bytes) -> None:
    """Append lines to a file below a root in one write, without a lock; see :func:`open_locked`.

    Raises:
        OSError: the path leads elsewhere, is not a regular file, or cannot be written; then no line is.
    """
    parts, name = _writable(root, path)
    with files.open_folder(root, parts) as folder, _open_to_append(folder, name) as descriptor:
        _append(descriptor, lines)


@contextmanager
def _open_to_append(folder: int, name: str, *, limit: int | None = files.SIZE_LIMIT) -> Iterator[int]:
    """Open a regular file in a folder, created if need be; one that was created and stays empty is removed again."""
    descriptor, created = _open(folder, name)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError("it is not a regular file")
        if limit is not None and found.st_size > limit:
            raise OSError(f"it is larger than {limit:,} bytes, so it cannot be read either")
        yield descriptor
    finally:
        with suppress(OSError):  # what went wrong before is what is reported
            if created and not os.fstat(descriptor).st_size and is_at(folder, name, descriptor):
                os.unlink(name, dir_fd=folder)
        os.close(descriptor)


def _open(folder: int, name: str) -> tuple[int, bool]:
    """Open a file in a folder; return its descriptor, and whether it was created."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return os.open(name, flags | os.O_EXCL, 0o666, dir_fd=folder), True
    except FileExistsError:
        return _open_existing(folder, name, flags), False


def _open_existing(folder: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags, 0o666, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError("it is a symbolic link, which is not followed") from None
        raise


def _append(descriptor: int, lines: bytes) -> None:
    """Append lines in one write. An incomplete last line is ended first, so that it spoils no other.

    What was written of lines that do not fit is removed again, unless somebody else has appended after it.
    """
    size = os.fstat(descriptor).st_size
    incomplete = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
    data = (b"\n" if incomplete else b"") + lines
    written = os.write(descriptor, data)
    if written != len(data):
        end = os.lseek(descriptor, 0, os.SEEK_CUR)
        if os.fstat(descriptor).st_size == end:
            os.ftruncate(descriptor, end - written)
        raise OSError("there is no room for the whole line")


def replace(root: str, path: str, data: bytes) -> None:
    """Write a file below a root in one step: readers see either the old bytes or the new ones. Links are not followed.

    The file keeps its owner and its mode.

    Raises:
        OSError: the path leads elsewhere, is not a regular file, or cannot be written.
    """
    with open_to_replace(root, path) as part:
        part.write(data)
        part.place()


@contextmanager
def open_to_replace(root: str, path: str) -> Iterator[Aside]:
    """Open what takes the place of a file below a root; nobody else replaces the file until the end.

    Raises:
        OSError: the path leads elsewhere, is not a regular file, or nothing can be written beside it.
    """
    parts, name = _writable(root, path)
    with files.open_folder(root, parts) as folder, open_aside(folder, name) as part:
        yield part


def create(root: str, path: str, data: bytes) -> None:
    """Write a new file below a root in one step; create missing folders, never touch an existing file or link.

    Raises:
        FileExistsError: the file exists already.
        OSError: the path leads elsewhere, or cannot be written.
    """
    with open_to_replace(root, path) as part:
        part.write(data)
        part.place_new()
