"""``git sched check``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from git_sched.cli.asking import ask
from git_sched.cli.options import printing, reading
from git_sched.cli.publish import exit_code, publish

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.cli.asking import Asked


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
    found = _record(ask(start, given), paths)
    if not (given["quiet"] and not found["problems"]):
        publish(found, given, quiet_format=None)
    return exit_code(found["problems"], strict=strict)


def _record(asked: Asked, paths: tuple[str, ...]) -> record.CheckRecord:
    from git_sched.answers import check, problems_in

    chosen = {asked.gathered.ground.relative(path) or path for path in paths}
    return check(asked.answer, problems_in(asked.answer.problems, chosen))
