"""Starts git, the only program that git-sched starts: verbs that only read, and nothing that starts more."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from git_sched.model.problems import WorldError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OPTIONS: Final = (
    "--no-optional-locks",
    "--no-replace-objects",
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "safe.bareRepository=explicit",
    "-c", "protocol.allow=never",
)  # fmt: skip
"""Options before every verb: take no lock, start no monitor, run no hook, fetch nothing."""

VERBS: Final = (
    ("cat-file",), ("check-ignore",), ("config", "--get"), ("config", "--get-all"), ("ls-files",), ("ls-tree",),
    ("merge-base",), ("rev-parse",), ("worktree", "list"),
)  # fmt: skip
"""The first words of every call of git: verbs that write nothing, with the option that makes them so."""

FIXED: Final = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

INSTALLED: Final = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH")
"""Variables that say where git and the user's settings are; every call keeps them."""

SEARCH: Final = (
    "GIT_CEILING_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_", "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_VALUE_", "GIT_DIR", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_WORK_TREE",
)  # fmt: skip
"""Variables by which the user says where the repository is, or that it is trusted; the search for it keeps them."""

_children: set[subprocess.Popen[bytes]] = set()
"""The processes that were started and have not ended."""


def kill_all() -> None:
    """Kill every git process that has not ended, with all processes that it started."""
    for child in tuple(_children):
        kill(child)


def kill(child: subprocess.Popen[bytes]) -> None:
    """Kill one process with all processes that it started; they can outlive it, and keep its streams open."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)


def clean_environment(environment: Mapping[str, str], *, searching: bool = False) -> dict[str, str]:
    """Return the environment that git runs in: none of git's variables but those that are listed here.

    Any other one could make git trace, prompt or fetch, look elsewhere, or read paths in another way.
    """

    def is_kept(name: str) -> bool:
        stem = name.rstrip("0123456789")  # GIT_CONFIG_KEY_0
        return not name.startswith("GIT_") or name in INSTALLED or (searching and stem in SEARCH)

    return {**{name: value for name, value in environment.items() if is_kept(name)}, **FIXED}


def build_command(words: Sequence[str], *folders: str) -> list[str]:
    """Build a whole call of git from a verb with its arguments, and options that name folders.

    Raises:
        ValueError: the words begin with none of ``VERBS``.
    """
    if not any(tuple(words[: len(verb)]) == verb for verb in VERBS):
        raise ValueError(f"git {words[0]} is not one of the verbs that git-sched may call")
    return ["git", *OPTIONS, *folders, *words]


def start(
    command: Sequence[str], *, environment: Mapping[str, str], where: str, is_fed: bool
) -> subprocess.Popen[bytes]:
    """Start git in its own session, so that it can be killed with all processes that it started.

    Raises:
        WorldError: git cannot be started, or not in this folder.
    """
    stdin = subprocess.PIPE if is_fed else subprocess.DEVNULL
    try:
        child = subprocess.Popen(
            command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=where,
            start_new_session=True, bufsize=0,
        )  # fmt: skip
    except OSError as error:
        if error.filename != "git":
            raise WorldError(f"{where} cannot be entered: {error.strerror}") from None
        if isinstance(error, FileNotFoundError):
            raise WorldError("git is not installed, or not on PATH", hint="install git, or correct PATH") from None
        hint = "install git, or correct PATH; command -v git says where it is"
        raise WorldError(f"the git on PATH cannot be started: {error.strerror}", hint=hint) from None
    _children.add(child)
    return child


def run(
    command: Sequence[str], *, environment: Mapping[str, str], where: str, data: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run git until it ends, with both streams captured and no input but ``data``.

    Raises:
        WorldError: git cannot be started.
    """
    with start(command, environment=environment, where=where, is_fed=data is not None) as child:
        try:
            out, err = child.communicate(data)
        except BaseException:  # an interrupt reaches this process alone
            kill_all()
            raise
        finally:
            _children.discard(child)
    return subprocess.CompletedProcess(command, child.returncode, out, err)


def finish(child: subprocess.Popen[bytes], *, seconds: float) -> bytes | None:
    """Wait for the end of a process that gets no more input, and return what it printed to stderr.

    If it does not end in that time, it is killed, and there is nothing to return.
    """
    try:
        return child.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        kill(child)
        child.communicate()
        return None
    finally:
        _children.discard(child)


def find_reason(code: int, stderr: bytes) -> str:
    """Return in one line why git failed: its fatal line, or else its exit code or the signal that ended it."""
    lines = [line.strip() for line in stderr.decode(errors="surrogateescape").splitlines() if line.strip()]
    fatal = next((n for n, line in enumerate(lines) if line.startswith("fatal: ")), 0)
    if not lines:
        return (
            f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code} and printed no reason"
        )
    first = lines[fatal].removeprefix("fatal: ").removeprefix("error: ")
    return f"{first} {lines[fatal + 1]}" if first.endswith(":") and len(lines) > fatal + 1 else first
