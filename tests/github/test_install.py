"""The step that installs, run as it stands in action.yml: from an empty environment, in a hostile folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import yaml

from github.acting import HOSTILES, PYTHONS, TOP
from sandbox import write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

SCRIPT = yaml.safe_load((TOP / "action.yml").read_bytes())["runs"]["steps"][0]["run"]
REAL = f"{PYTHONS}/{os.path.basename(os.path.realpath(sys.executable))}"


@pytest.fixture
def action(tmp_path: Path) -> Path:
    """Give a copy of the Action."""
    shutil.copytree(TOP / "sched", tmp_path / "action/sched", ignore=shutil.ignore_patterns("__pycache__"))
    lock = ".github/requirements/run.txt"
    write(tmp_path / "action", {lock: (TOP / lock).read_bytes()})
    return tmp_path / "action"


def install(action: Path, wheels: Path, *, path: str = "", **more: str) -> tuple[int, str]:
    """Run the step; give its code and what it said. Nothing of the folder it runs in may be imported."""
    top = action.parent
    work, home, temp = top / "work", top / "home", top / "temp"
    for folder in (work, home, temp):
        folder.mkdir()
    write(work, {**HOSTILES, "constraints.txt": "click==8.0.0\n", "more.txt": "nosuch-package\n"})
    environment = {
        "PATH": path or f"{PYTHONS}:/usr/bin:/bin",
        "HOME": str(home),
        "RUNNER_TEMP": str(temp),
        "GITHUB_ACTION_PATH": str(action),
        "GITHUB_OUTPUT": str(top / "output"),
        "SCHED_PYTHON_PATH": "",
        "PYTHONPATH": str(work),
        "PYTHONWARNINGS": "error",
        "PYTHONINSPECT": "1",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
        "PIP_TARGET": str(top / "elsewhere"),
        "PIP_USER": "1",
        "PIP_CONSTRAINT": "constraints.txt",
        "PIP_REQUIREMENT": "more.txt",
        "PIP_PYTHON": sys.executable,
        **more,
    }
    done = subprocess.run(
        ["/bin/bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", SCRIPT],
        cwd=work, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=300,
    )  # fmt: skip
    assert not (home / "hostile").exists(), (home / "hostile").read_text(encoding="utf-8")
    assert not (top / "elsewhere").exists()
    return done.returncode, done.stdout + done.stderr


def wrapper(folder: Path, *, failing: str) -> str:
    """Make a Python that lacks something: what is started with these words fails."""
    folder.mkdir()
    script = folder / "python3"
    script.write_text(f'#!/bin/sh\ncase "$*" in {failing}) exit 1;; esac\nexec {REAL} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return str(script)


def runs(action: Path) -> bool:
    """Whether what was installed starts."""
    python = action.parent / "temp/git-sched-1/venv/bin/python"
    done = subprocess.run([python, "-I", "-m", "git_sched", "--version"], cwd=action.parent / "work", check=False)
    return done.returncode == 0


def test_installs_into_a_folder_of_its_own(action: Path, wheels: Path) -> None:
    code, said = install(action, wheels)
    assert code == 0, said
    assert runs(action)
    assert (action.parent / "output").read_text(encoding="utf-8") == f"folder={action.parent}/temp/git-sched-1\n"


def test_a_wheel_with_other_bytes_fails_the_install(action: Path, wheels: Path, tmp_path: Path) -> None:
    tampered = tmp_path / "tampered"
    shutil.copytree(wheels, tampered)
    [wheel] = tampered.glob("click-*.whl")
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    code, said = install(action, tampered)
    assert code != 0
    assert "::error title=git-sched::the locked packages could not be installed" in said
    assert "hash" in said.lower()


def test_a_source_archive_is_never_built(action: Path, wheels: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(wheels, bare)
    [wheel] = bare.glob("click-*.whl")
    wheel.rename(bare / "click-8.5.1.tar.gz")
    assert install(action, bare)[0] != 0


def test_an_old_pip_is_replaced_by_that_of_ensurepip(action: Path, wheels: Path) -> None:
    code, said = install(action, wheels, SCHED_PYTHON_PATH=wrapper(action.parent / "old", failing="*'import pip'*"))
    assert code == 0, said
    assert runs(action)


def test_neither_pip_nor_ensurepip(action: Path, wheels: Path) -> None:
    python = wrapper(action.parent / "bare", failing="*'import pip'*|*'import ensurepip'*")
    code, said = install(action, wheels, SCHED_PYTHON_PATH=python)
    assert code != 0
    assert said.count("::error") == 1
    assert "actions/setup-python" in said


def test_no_python_that_is_new_enough(action: Path, wheels: Path, tmp_path: Path) -> None:
    wrapper(tmp_path / "bin", failing="*version_info*")
    for name in ("mkdir", "env"):
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    code, said = install(action, wheels, path=str(tmp_path / "bin"))
    assert code != 0
    assert said.count("::error") == 1
    assert "actions/setup-python" in said
