"""Locks files: the lock is on the file itself, as metagit's is, and ends with the process that has it."""

from __future__ import annotations

import os
import time

PATIENCE = 10.0
"""Seconds to wait for another process that writes the same file."""

PAUSE = 0.02
"""Seconds between two attempts to get a lock."""


class LockingError(Exception):
    """This platform or file system cannot lock files."""


def lock(descriptor: int, end: float, *, required: bool = True) -> None:
    """Lock an open file until it is closed; wait for it until ``end``, by the monotonic clock.

    Raises:
        LockingError: the file cannot be locked, and that is ``required``.
        TimeoutError: another process kept the lock.
    """
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


def is_at(folder: int, name: str, descriptor: int) -> bool:
    """Return whether a name in a folder still is the open file."""
    try:
        return os.path.samestat(os.stat(name, dir_fd=folder, follow_symlinks=False), os.fstat(descriptor))
    except FileNotFoundError:
        return False
