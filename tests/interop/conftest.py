"""What the comparisons with the real metagit share. Without a Python 3.12 or the package index they are skipped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from interop.real_metagit import METAGIT, pythons, works


@pytest.fixture(scope="session")
def metagit() -> str:
    """Install metagit once, beside what the tests use themselves; give the Python that has it."""
    fcntl = pytest.importorskip("fcntl", reason="workers wait for each other by a lock on a file")
    python = next((found for found in pythons() if works(found)), None)
    if python is None:
        pytest.skip("metagit needs Python 3.12 or newer, and there is none")
    home = Path(sys.prefix) / METAGIT
    with home.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / "installed").exists():
            subprocess.run([python, "-m", "venv", "--clear", home], check=True)
            pip = [str(home / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check", METAGIT]
            done = subprocess.run(pip, capture_output=True, encoding="utf-8", check=False)
            if done.returncode:
                pytest.skip(f"{METAGIT} cannot be installed: {done.stderr[-500:]}")
            (home / "installed").touch()
    return str(home / "bin" / "python")
