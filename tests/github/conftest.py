"""What the tests of the Action share: the locked wheels in a folder, fetched once."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from github.acting import TOP

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder with the wheels of the lock; the workers of a parallel run share it."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "wheels"
    if not shared.exists():
        own = tmp_path_factory.mktemp("fetched")
        lock = TOP / ".github/requirements/run.txt"
        words = (
            "--require-hashes",
            "--only-binary",
            ":all:",
            "-q",
            "--disable-pip-version-check",
            "-r",
            lock,
            "-d",
            own,
        )
        done = subprocess.run(
            [sys.executable, "-I", "-m", "pip", "download", *words], capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode:
            pytest.skip(f"the package index cannot be reached: {done.stderr[-300:]}")
        try:
            own.rename(shared)
        except OSError:  # another worker was first
            assert shared.exists()
    return shared
