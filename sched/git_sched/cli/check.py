"""``git sched check``: what is wrong in task files and policy."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from git_sched import files
from git_sched.cli.asking import ask
from git_sched.cli.options import printing, reading
from git_sched.cli.publish import exit_code, publish
from git_sched.problems import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.cli.asking import Asked
    from git_sched.ground import Ground


@click.command("check")
@click.argument("paths", nargs=-1)
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings too.")
@reading
@printing("check")
@click.pass_obj
def command(start: str, /, paths: tuple[str, ...], strict: bool, **given: Any) -> int:
    """Validate task files and policy.

    PATHS select what is reported, not what is read: references are checked against the whole workspace.
    """
    found = checked(ask(start, given), paths)
    if not (given["quiet"] and not found["problems"]):
        publish(found, given, quiet_format=None)
    return exit_code(found["problems"], strict=strict)


def checked(asked: Asked, paths: Sequence[str]) -> record.CheckRecord:
    """Build the record of ``check``: the problems of some files or folders, or all where none is named."""
    from git_sched.answers import check, problems_in

    chosen = {_selected(asked.gathered.ground, path) for path in paths}
    return check(asked.answer, problems_in(asked.answer.problems, chosen))


def _selected(ground: Ground, named: str) -> str:
    """Give a path from the workspace, ``.`` for all of it; one that selects nothing ends the command."""
    full = os.path.realpath(os.path.join(ground.options.start, named))
    if ground.root is not None and full == os.path.realpath(ground.root):
        return "."
    path = ground.relative(named)
    if path is None:
        raise RequestError(f"{named} lies outside the workspace", hint="name files of the workspace, or -C another one")
    if ground.from_commit or ground.root is None:
        below = f"{ground.prefix}{path}"
        found = any(entry.path == below or entry.path.startswith(f"{below}/") for entry in ground.entries)
    else:
        found = files.exists(ground.root, path)
    if not found:
        raise RequestError(f"{named} does not exist", hint="correct the name")
    return path
