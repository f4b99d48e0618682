"""Makes the n-th call of an operating system function fail, for every n, while a command runs in this process."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pytest

WRITING: Final = ("write", "fsync", "replace", "rename", "link", "fchmod", "unlink")
"""The functions by which files are written; each takes the place of a full disk or a lost mount when it fails."""

FILES: Final = frozenset({"writing.py", "aside.py", "install.py"})
"""The modules of the project that write files."""


def inject(monkeypatch: pytest.MonkeyPatch, name: str, number: int) -> list[int]:
    """Make the n-th call of a function of ``os`` fail, from 1; give back a list that has one item once it did."""
    real: Callable[..., object] = getattr(os, name)
    calls = [0]
    failed: list[int] = []

    def call(*words: object, **options: object) -> object:
        caller = os.path.basename(sys._getframe(1).f_code.co_filename)  # noqa: SLF001 - git is written to as well
        calls[0] += caller in FILES
        if calls[0] == number and not failed:
            failed.append(number)
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(*words, **options)

    monkeypatch.setattr(os, name, call)
    return failed


def contents(folder: Path) -> dict[str, bytes]:
    """Give the bytes of every file below a folder but git's own objects."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in _files(folder)}


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and "objects" not in path.parts:
            yield path


def restore(folder: Path, before: dict[str, bytes], changed: set[str]) -> None:
    """Make files what they were before."""
    for path in changed:
        if path in before:
            (folder / path).write_bytes(before[path])
        else:
            (folder / path).unlink()
