"""Writes a file aside: under a name of its own in the same folder, from where it takes its place in one step.

The file aside is locked while it is written, so that one process at a time changes a file, and so that what a process
left behind is told from what another one is writing.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from git_sched.workspace.locks import PATIENCE, LockingError, is_at, lock

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_LINKS = frozenset({errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK, errno.EXDEV})
"""The errors by which a file system says that it has no hard links."""


class Aside(NamedTuple):
    """An open file beside the one to write. ``found`` is what was there when it was opened, ``None`` for nothing."""

    folder: int
    name: str
    partial: str
    descriptor: int
    found: os.stat_result | None

    def write(self, data: bytes) -> None:
        """Add bytes.

        Raises:
            OSError: they cannot be written, for instance because the disk is full.
        """
        left = memoryview(data)
        while left:
            left = left[os.write(self.descriptor, left) :]

    def place(self) -> None:
        """Put the file in its place: readers see either the old bytes or the new ones.

        Raises:
            OSError: it cannot be put there.
        """
        os.fsync(self.descriptor)
        os.replace(self.partial, self.name, src_dir_fd=self.folder, dst_dir_fd=self.folder)

    def place_new(self) -> None:
        """Put the file in its place, where nothing must be.

        Raises:
            FileExistsError: something is there.
            OSError: it cannot be put there.
        """
        os.fsync(self.descriptor)
        if not link(self.folder, self.partial, self.name):
            if _find(self.folder, self.name) is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), self.name)
            os.rename(self.partial, self.name, src_dir_fd=self.folder, dst_dir_fd=self.folder)


@contextmanager
def open_aside(folder: int, name: str, *, mode: int | None = None, replaces_links: bool = False) -> Iterator[Aside]:
    """Open a file beside the one of a name in a folder; it is removed at the end unless it was put in its place.

    It gets owner and mode of the file that it replaces, as far as this user can give files away, or the given ``mode``.

    Raises:
        OSError: the name is not that of a regular file, or nothing can be written beside it.
    """
    partial = f".git-sched-{sha256(os.fsencode(name)).hexdigest()[:16]}.partial"
    descriptor = _open_alone(folder, partial)
    try:
        found = _find(folder, name)
        if found is not None:
            if not (stat.S_ISREG(found.st_mode) or (replaces_links and stat.S_ISLNK(found.st_mode))):
                raise OSError("it is not a regular file")
            _give(descriptor, found)
        if mode is not None:
            os.fchmod(descriptor, mode)
        yield Aside(folder, name, partial, descriptor, found)
    finally:
        with suppress(OSError):
            if is_at(folder, partial, descriptor):
                os.unlink(partial, dir_fd=folder)
        os.close(descriptor)


def link(folder: int, old: str, new: str) -> bool:
    """Give a file in a folder a second name; return whether the file system has hard links.

    Raises:
        FileExistsError: something has that name.
        OSError: it cannot be given.
    """
    try:
        os.link(old, new, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno in _NO_LINKS:
            return False
        raise
    return True


def _open_alone(folder: int, partial: str) -> int:
    """Create the file aside and lock it; remove one that nobody writes any more."""
    end = time.monotonic() + PATIENCE
    while True:
        descriptor, created = _open(folder, partial)
        try:
            lock(descriptor, end, required=not created)
            if is_at(folder, partial, descriptor):
                if created:
                    return descriptor
                os.unlink(partial, dir_fd=folder)
        except TimeoutError:
            os.close(descriptor)
            raise OSError("another process is writing it") from None
        except LockingError:
            os.close(descriptor)
            raise OSError(f"{partial} is beside it; delete that unless another process is writing it") from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _open(folder: int, partial: str) -> tuple[int, bool]:
    """Open the file aside; return its descriptor, and whether it was created."""
    flags = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    while True:
        with suppress(FileExistsError):
            return os.open(partial, flags | os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=folder), True
        with suppress(FileNotFoundError):
            return os.open(partial, flags | os.O_RDONLY, dir_fd=folder), False


def _find(folder: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _give(descriptor: int, found: os.stat_result) -> None:
    """Give an open file the owner and the mode of another one; only root can give a file to another user."""
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (found.st_uid, found.st_gid):
        try:
            os.fchown(descriptor, found.st_uid, found.st_gid)
        except OSError:  # not root, or an owner that a container does not know
            with suppress(OSError):
                os.fchown(descriptor, -1, found.st_gid)
    mode = stat.S_IMODE(found.st_mode)
    if os.fstat(descriptor).st_gid != found.st_gid:
        mode &= ~stat.S_IRWXG  # what the old group was allowed is not for another one
    os.fchmod(descriptor, mode)
