"""Writes files: each is created, replaced or appended to in one step, under the rules by which ``files`` reads."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from git_sched.workspace import files

if TYPE_CHECKING:
    from collections.abc import Callable


def _writable(root: str, path: str) -> tuple[list[str], str]:
    """Return the folders below a root and the name of a file that may be written; create missing folders."""
    plain = files.inside(path)
    if plain is None:
        raise OSError("it leads out of its folder")
    *parts, name = plain.split("/")
    if files.in_git_directory(os.path.join(root, *parts)):
        raise OSError("it lies in a git directory, which is never written")
    with suppress(FileNotFoundError):
        os.lstat(os.path.join(root, plain))  # a name that is too long is refused before its folders are created
    for n, part in enumerate(parts):
        with files.open_folder(root, parts[:n]) as above, suppress(FileExistsError):
            os.mkdir(part, 0o777, dir_fd=above)
    return parts, name


def append_line(root: str, path: str, line: bytes, *, known: Callable[[bytes], bool]) -> None:
    """Append one line to a file below a root in one write; create missing folders, follow no links.

    Nothing is written if ``known`` returns true for the bytes that the file already has.

    Raises:
        OSError: the path leads elsewhere, is not a regular file, or cannot be written.
    """
    parts, name = _writable(root, path)
    with files.open_folder(root, parts) as folder:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(name, flags, 0o666, dir_fd=folder)
        with os.fdopen(descriptor, "rb+", buffering=0) as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError("it is not a regular file")
            written = file.readall()
            if known(written):
                return
            # An incomplete last line is ended first, so that it spoils no other.
            data = (b"" if not written or written.endswith(b"\n") else b"\n") + line + b"\n"
            if file.write(data) != len(data):
                raise OSError("there is no room for the whole line")


def replace(root: str, path: str, data: bytes) -> None:
    """Write a file below a root in one step: readers see either the old bytes or the new ones. Links are not followed.

    Raises:
        OSError: the path leads elsewhere, is not a regular file, or cannot be written.
    """
    parts, name = _writable(root, path)
    with files.open_folder(root, parts) as folder:
        mode = 0o666
        try:
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISREG(found.st_mode):
                raise OSError("it is not a regular file")
            mode = stat.S_IMODE(found.st_mode)
        except FileNotFoundError:
            found = None
        partial, descriptor = _partial(folder, mode)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                if found is not None:
                    os.fchmod(file.fileno(), mode)
            os.replace(partial, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            os.unlink(partial, dir_fd=folder)
            raise


def _partial(folder: int, mode: int) -> tuple[str, int]:
    """Open a new file next to the one to write. One left behind by a process of the same number is not touched."""
    for n in range(100):
        name = f".git-sched-{os.getpid()}-{n}.partial"
        with suppress(FileExistsError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            return name, os.open(name, flags, mode, dir_fd=folder)
    raise OSError("too many .git-sched-*.partial lie beside it; delete them")


def create(root: str, path: str, data: bytes) -> None:
    """Write a new file below a root; create missing folders, never touch an existing file or link.

    Raises:
        FileExistsError: the file exists already.
        OSError: the path leads elsewhere, or cannot be written.
    """
    parts, name = _writable(root, path)
    with files.open_folder(root, parts) as folder:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, 0o666, dir_fd=folder), "wb") as file:
            file.write(data)
