"""The time limit of a hook: a thread that ends the process, and every git that it started, whatever hangs."""

from __future__ import annotations

import os
import select
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS: Final = 5.0
TEXT: Final = b"sched: no answer within 5 s, so this merge goes without\n"


_over = threading.Event()


@contextmanager
def limit_time(seconds: float = SECONDS) -> Iterator[None]:
    """End this process with exit code 0 if what is done within takes more than some seconds."""
    timer = threading.Timer(seconds, _end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def stand_by() -> None:
    """Wait forever if the time is up, until the timer ends the process; before that return at once.

    A thread whose git was just killed must print nothing more, and must not end the process before all are killed.
    """
    if _over.is_set():
        threading.Event().wait()


def _end() -> None:
    _over.set()
    try:
        from git_sched.workspace import git_process

        if select.select([], [1], [], 0)[1]:  # a reader that stopped reading must not delay the end
            os.write(1, TEXT)
        git_process.kill_all()
    finally:
        os._exit(0)
