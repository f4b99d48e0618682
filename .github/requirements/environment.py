"""Run a Python of this checkout that has what one lock file pins; it is made on the first call.

    python3 .github/requirements/environment.py dev -m pytest

Needs the checkout and Python 3.11 or newer, nothing else: no activated environment, no rights on the
system's Python. The environment is `.venv`; where that belongs to another Python, it is `.venv-X.Y`.
Calls after the first start at once and need no network, until the lock changes. Kept free of new syntax,
so that an old Python can say what it lacks.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ROOT / ".github" / "requirements"


def run(lock: str, *arguments: str) -> int:
    """Run Python with these arguments at the top of the checkout, and give its exit code."""
    python = environment(lock)
    path = str(python.parent) + os.pathsep + os.environ.get("PATH", os.defpath)
    variables = {**os.environ, "PATH": path, "VIRTUAL_ENV": str(python.parent.parent)}
    try:
        return subprocess.run([python, *arguments], cwd=ROOT, env=variables, check=False).returncode
    except KeyboardInterrupt:
        return 130


def environment(lock: str) -> Path:
    """Give the Python of an environment that holds what the lock pins."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file runs before anything has checked the version
        raise SystemExit("git-sched needs Python 3.11 or newer, this is " + sys.version.split()[0])
    folder = ROOT / ".venv"
    if version(folder) not in {None, sys.version_info[:2]}:
        folder = ROOT / ".venv-{}.{}".format(*sys.version_info)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    locks = b"".join(path.read_bytes() for path in sorted(LOCKS.glob("*.txt")))
    digest = hashlib.sha256(bytes(ROOT) + locks).hexdigest()
    stamp = folder / (lock + ".sha256")
    if not (python.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == digest):
        for old in folder.glob("*.sha256"):
            if old.read_text(encoding="ascii") != digest:  # it speaks of versions that are about to change
                old.unlink()
        install(folder, python, LOCKS / (lock + ".txt"))
        stamp.write_text(digest, encoding="ascii")
    return python


def version(folder: Path) -> tuple[int, ...] | None:
    """Read which Python an environment belongs to; None where there is none."""
    try:
        lines = (folder / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    found = next((line.partition("=")[2].strip() for line in lines if line.startswith("version")), "0.0")
    return tuple(int(number) for number in found.split(".")[:2])


def install(folder: Path, python: Path, requirements: Path) -> None:
    """Make the environment where it is missing or broken, then install the lock and name the source root."""
    sys.stderr.write(f"setting up {folder.name} from {requirements.relative_to(ROOT)} ...\n")
    sys.stderr.flush()
    if not works([python, "-I", "-c", ""]):
        do([sys.executable, "-I", "-m", "venv", "--clear", "--without-pip", folder])
    pip: list[str | Path] = [python, "-I", "-m", "pip"]
    if not works([*pip, "--version"]):
        if importlib.util.find_spec("ensurepip"):
            do([python, "-I", "-m", "ensurepip", "--default-pip"], quiet=True)
        elif importlib.util.find_spec("pip"):
            pip = [sys.executable, "-I", "-m", "pip", "--python", python]
        else:
            raise SystemExit("this Python lacks pip; on Debian and Ubuntu: apt install python3-venv")
    options = ("-qq", "--no-input", "--disable-pip-version-check", "--require-hashes")
    do([*pip, "install", *options, "-r", requirements])
    base = {"base": str(folder), "platbase": str(folder)}
    site = sysconfig.get_path("purelib", "venv", base)  # same version as this Python, so the same layout
    Path(site, "git-sched.pth").write_text(str(ROOT / "sched") + "\n", encoding="utf-8")


def works(command: list[str | Path]) -> bool:
    """Say whether a command can be started and succeeds."""
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def do(command: list[str | Path], *, quiet: bool = False) -> None:
    """Run one step of the installation, diverted by no setting for other places; stop where it fails."""
    diverting = {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"}
    variables = {name: value for name, value in os.environ.items() if name not in diverting}
    output = subprocess.DEVNULL if quiet else None
    if subprocess.run(command, env={**variables, "PIP_USER": "0"}, stdout=output, check=False).returncode:
        raise SystemExit("the set-up failed, see above; the command was: " + " ".join(map(str, command)))


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]))
