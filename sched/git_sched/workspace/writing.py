"""Writes files: each is created, replaced or appended to in one step, under the rules by which ``files`` reads."""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from git_sched.workspace import files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import FileIO

PAUSE = 0.02
"""Seconds between two attempts to get a lock."""


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
        raise OSError("it lies in a git directory, which is never written")


class LockingError(Exception):
    """This platform or file system cannot lock files."""


@contextmanager
def open_locked(root: str, path: str, *, seconds: float, required: bool) -> Iterator[Callable[[bytes], None]]:
    """Open a file below a root for appending, alone until the end; yield what appends lines to it in one write.

    Missing folders and the file are created, and no links are followed; a file that was created and stays empty is
    removed again. The lock is on the file itself, as metagit's is. Where it cannot be had, because the platform or the
    file system has none, that is an error if it is ``required``.

    Raises:
        OSError: the path leads elsewhere, is not a regular file, or cannot be written.
        LockingError: the file cannot be locked.
        TimeoutError: another process kept the lock for this many seconds.
    """
    parts, name = _writable(root, path)
    end = time.monotonic() + seconds
    with files.open_folder(root, parts) as folder:
        while True:
            descriptor, created = _open_to_append(folder, name)
            with os.fdopen(descriptor, "rb+", buffering=0) as file:
                _lock(descriptor, end, required=required)
                if not _is_at(folder, name, descriptor):  # it was replaced while this process waited
                    continue
                try:
                    yield partial(_append, file)
                finally:
                    if created and not os.fstat(descriptor).st_size:
                        os.unlink(name, dir_fd=folder)
                return


def append(root: str, path: str, lines: bytes) -> None:
    """Append lines to a file below a root in one write, without a lock; see :func:`open_locked`.

    Raises:
        OSError: the path leads elsewhere, is not a regular file, or cannot be written.
    """
    parts, name = _writable(root, path)
    with files.open_folder(root, parts) as folder:
        descriptor, _ = _open_to_append(folder, name)
        with os.fdopen(descriptor, "rb+", buffering=0) as file:
            _append(file, lines)


def _open_to_append(folder: int, name: str) -> tuple[int, bool]:
    """Open a regular file in a folder; return its descriptor, and whether it was created."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return os.open(name, flags | os.O_EXCL, 0o666, dir_fd=folder), True
    except FileExistsError:
        descriptor = _open_existing(folder, name, flags)
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode) and found.st_size <= files.SIZE_LIMIT:
        return descriptor, False
    os.close(descriptor)
    if stat.S_ISREG(found.st_mode):
        raise OSError(f"it is larger than {files.SIZE_LIMIT:,} bytes, so it cannot be read either")
    raise OSError("it is not a regular file")


def _open_existing(folder: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags, 0o666, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError("it is a symbolic link, which is not followed") from None
        raise


def _lock(descriptor: int, end: float, *, required: bool) -> None:
    try:
        import fcntl

        while True:
            try:
                return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > end:
                    raise TimeoutError from None
                time.sleep(PAUSE)
    except TimeoutError:
        raise
    except (ImportError, OSError):
        if required:
            raise LockingError from None


def _is_at(folder: int, name: str, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(name, dir_fd=folder, follow_symlinks=False), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _append(file: FileIO, lines: bytes) -> None:
    """Append lines in one write. An incomplete last line is ended first, so that it spoils no other."""
    size = os.fstat(file.fileno()).st_size
    torn = size > 0 and os.pread(file.fileno(), 1, size - 1) != b"\n"
    data = (b"\n" if torn else b"") + lines
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
        unfinished, descriptor = _open_partial(folder, mode)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                if found is not None:
                    os.fchmod(file.fileno(), mode)
            os.replace(unfinished, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            os.unlink(unfinished, dir_fd=folder)
            raise


def _open_partial(folder: int, mode: int) -> tuple[str, int]:
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
