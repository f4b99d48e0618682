"""The inputs of action.yml, read strictly: a wrong value is an error, never taken for another."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.github.post_comment import KEY
from git_sched.model.ids import escape, is_id, quote
from git_sched.model.problems import RequestError
from git_sched.workspace.places import is_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX: Final = "SCHED_"

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "now": ("auto", "commit", "wall"),
    "report": ("summary", "comment", "none"),
    "fail-on": ("never", "invalid", "stuck", "nothing-ready"),
    "record": ("false", "true"),
    "dispatch": ("false", "true"),
    "outputs-for-proposed": ("false", "true"),
}
"""The allowed values of inputs that have only a few; the first is the default."""

MOST: Final = 256
"""Largest number of rows that GitHub accepts in a matrix."""


class Inputs(NamedTuple):
    """The inputs of action.yml. ``limit`` and ``pr_number`` are ``None`` if they are not given."""

    working_directory: str
    graphs: tuple[str, ...]
    policy: str | None
    revision: str
    now: str
    limit: int | None
    agents: tuple[str, ...]
    report: str
    comment_key: str
    pr_number: int | None
    merge_queue: str
    history: str
    record: bool
    dispatch: bool
    fail_on: str
    outputs_for_proposed: bool
    record_from: str

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Inputs:
        """Read the variables that action.yml sets; an absent one has its default.

        Raises:
            RequestError: an input has a value that is not allowed.
        """
        get = partial(_read, environ)
        agents = tuple(dict.fromkeys(get("agents").replace(",", " ").split()))
        for agent in agents:
            if not is_id(agent):
                raise RequestError(f"agents: {quote(agent)} cannot be an id")
        key = get("comment-key", "default")
        if not KEY.fullmatch(key):
            raise RequestError(
                f"comment-key: {quote(key)} cannot be a key",
                hint="up to 100 of a-z 0-9 . _ / -, without two - in a row",
            )
        return cls(
            working_directory=get("working-directory", "."),
            graphs=tuple(line.strip() for line in get("graphs").splitlines() if line.strip()),
            policy=get("policy") or None,
            revision=get("revision", "HEAD"),
            now=_word(environ, "now"),
            limit=_number(environ, "limit", most=MOST),
            agents=agents,
            report=_word(environ, "report"),
            comment_key=key,
            pr_number=_number(environ, "pr-number", most=1 << 31),
            merge_queue=environ.get(variable("merge-queue"), "") or "auto",  # as above
            history=get("history"),
            record=_word(environ, "record") == "true",
            dispatch=_word(environ, "dispatch") == "true",
            fail_on=_word(environ, "fail-on"),
            outputs_for_proposed=_word(environ, "outputs-for-proposed") == "true",
            record_from=get("record-from"),
        )


def _read(environ: Mapping[str, str], name: str, default: str = "") -> str:
    return environ.get(variable(name), "").strip() or default


def variable(name: str) -> str:
    """Return the name of the variable that carries an input."""
    return PREFIX + name.upper().replace("-", "_")


def _word(environ: Mapping[str, str], name: str) -> str:
    allowed = WORDS[name]
    found = environ.get(variable(name), "") or allowed[0]  # with its spaces, since action.yml compares it so
    if found not in allowed:
        raise RequestError(f"{name}: {quote(found)} is none of its values", hint=f"write {', '.join(allowed)}")
    return found


def _number(environ: Mapping[str, str], name: str, *, most: int) -> int | None:
    found = _read(environ, name)
    if not found:
        return None
    if not (found.isascii() and found.isdigit() and len(found) <= len(str(most)) and 1 <= int(found) <= most):
        raise RequestError(f"{name}: {quote(found)} is no number from 1 to {most}")
    return int(found)


def start_folder(inputs: Inputs, workspace: str) -> str:
    """Return the folder to start from, inside the runner's workspace.

    Raises:
        RequestError: ``working-directory`` is not a folder inside the workspace.
    """
    top = os.path.realpath(workspace)
    full = os.path.realpath(os.path.join(top, inputs.working_directory))
    if os.path.commonpath([top, full]) != top:
        raise RequestError(f"working-directory: {escape(inputs.working_directory)} leads out of the workspace")
    if not is_folder(full):
        raise RequestError(f"working-directory: {escape(inputs.working_directory)} is not a folder of the workspace")
    return full
