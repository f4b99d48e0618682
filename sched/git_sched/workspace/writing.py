"""Writing: a file is made, replaced or added to in one step, under the rules by which ``files`` reads."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from git_sched.workspace import files

if TYPE_CHECKING:
    from collections.abc import Callable


def _writable(root: str, path: str) -> tuple[list[str], str]:
    """Give the folders below a root and the name of a file that may be written, with the folders made."""
    plain = files.inside(path)
    if plain is None:
        raise OSError("it leads out of its folder")
    *parts, name = plain.split("/")
    if files.in_git_directory(os.path.join(root, *parts)):
        raise OSError("it lies in a git directory, which is never written")
    with suppress(FileNotFoundError):
        os.lstat(os.path.join(root, plain))  # a name that is too long is refused before folders are made for it
    for n, part in enumerate(parts):
        with files.open_folder(root, parts[:n]) as above, suppress(FileExistsError):
            os.mkdir(part, 0o777, dir_fd=above)
    return parts, name


def append_line(root: str, path: str, line: bytes, *, known: Callable[[bytes], bool]) -> None:
    """Append one line to a file below a root with one write, making missing folders; links are not followed.

    Nothing is written where ``known`` says that what the file holds is enough.
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
            # A torn last line is closed off first, so that it spoils itself alone.
            data = (b"" if not written or written.endswith(b"\n") else b"\n") + line + b"\n"
            if file.write(data) != len(data):
                raise OSError("there is no room for the whole line")


def replace(root: str, path: str, data: bytes) -> None:
    """Write a file below a root in one step: readers see the old bytes or the new ones. Links are not followed."""
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
    """Open a new file beside the one to write. One that a process of the same number left behind is not touched."""
    for n in range(100):
        name = f".git-sched-{os.getpid()}-{n}.partial"
        with suppress(FileExistsError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            return name, os.open(name, flags, mode, dir_fd=folder)
    raise OSError("too many .git-sched-*.partial lie beside it; delete them")


def create(root: str, path: str, data: bytes) -> None:
    """Write a new file below a root, making missing folders; what is there, a link included, is never touched."""
    parts, name = _writable(root, path)
    with files.open_folder(root, parts) as folder:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, 0o666, dir_fd=folder), "wb") as file:
            file.write(data)
