"""The checks, one session each: `nox` runs all, `nox -s lint` one. What they use is pinned in dev.txt."""

import sys
import tarfile
import zipfile
from pathlib import Path

import nox

nox.needs_version = ">=2025.2"
nox.options.error_on_missing_interpreters = False
nox.options.reuse_venv = "yes"

RUN, DEV = (Path(".github", "requirements", f"{name}.txt") for name in ("run", "dev"))


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Check style and format."""
    session.run(sys.executable, "-m", "ruff", "check")
    session.run(sys.executable, "-m", "ruff", "format", "--check")


@nox.session(venv_backend="none")
def zizmor(session: nox.Session) -> None:
    """Look for weaknesses in the Action and the workflows."""
    session.run("zizmor", "--offline", "--no-progress", "--persona=pedantic", "action.yml", ".github", external=True)


@nox.session(venv_backend="none")
def types(session: nox.Session) -> None:
    """Check the types of everything written in Python."""
    session.run(sys.executable, "-m", "mypy")


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """Run the tests on every Python at hand; options after `--` go to pytest."""
    session.install("--require-hashes", "-r", str(DEV))
    session.run("pytest", "-n", "auto", "--dist", "worksteal", *session.posargs)


@nox.session(venv_backend="none")
def coverage(session: nox.Session) -> None:
    """Run the tests and see that they reach every line and every branch of the core."""
    session.run(sys.executable, "tests/run.py", "--cov", *session.posargs)


@nox.session
def package(session: nox.Session) -> None:
    """Build the source archive and, from it, the wheel that is tested; look inside both; install and run it."""
    dist = Path(session.create_tmp())
    for old in dist.glob("git_sched-*"):
        old.unlink()
    session.run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(dist), external=True)
    [sdist] = dist.glob("*.tar.gz")
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--no-cache-dir", "--wheel-dir", str(dist))
    session.run(sys.executable, "-m", "pip", "wheel", *offline, str(sdist), external=True)
    [wheel] = dist.glob("*.whl")

    listed = session.run("git", "ls-files", "-z", silent=True, external=True)
    tracked = set(str(listed).split("\0"))
    with tarfile.open(sdist) as archive:
        packed = {member.name.partition("/")[2] for member in archive if member.isfile()}
    if stray := packed - tracked - {"PKG-INFO"}:
        session.error(f"not under version control, but in the source archive: {sorted(stray)}")
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    source = {name.removeprefix("sched/") for name in tracked if name.startswith("sched/git_sched/")}
    if shipped != source:
        session.error(f"the wheel differs from sched/git_sched: {sorted(shipped ^ source)}")

    session.install("--require-hashes", "-r", str(RUN))
    session.install("--no-deps", "--no-index", "--force-reinstall", str(wheel))
    session.run("git-sched", "--version")


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """Check that the generated blocks of the pages are up to date; `nox -s docs -- write` writes them."""
    session.run(sys.executable, "docs/blocks.py", *([] if "write" in session.posargs else ["--check"]))


@nox.session(venv_backend="none")
def benchmark(session: nox.Session) -> None:
    """Print the table of the lab, git-sched beside the rules of today's tools."""
    session.run(sys.executable, "tests/benchmarks", "--rule", "git-sched=benchmarks.adapter:decide", *session.posargs)


@nox.session(venv_backend="none")
def fuzz(session: nox.Session) -> None:
    """Fuzz all commands for an hour; `nox -s fuzz -- --minutes 5 --first 1000` sets how long and from where."""
    session.run(sys.executable, "tests/fuzz", *session.posargs)
