"""``git sched verify``: recorded decisions, each derived again from its own commit."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import printing, printing_from, question_from
from git_sched.cli.output import point_at, publish


@click.command("verify")
@click.option("--workspace", metavar="DIR", help="The workspace; found from where you are if not given.")
@click.option("--decisions", metavar="PATH", help="The decisions log, if it lies elsewhere.")
@click.option("--strict", is_flag=True, help="Exit with 1 also where a decision cannot be checked.")
@printing("verification")
@click.pass_obj
def command(start: str, /, strict: bool, **options: Any) -> int:
    """Derive recorded decisions again, each from its own commit, and compare id, node, score and commands.

    A decision whose commit is not here (a shallow clone, a rebase), or whose files differed from it, cannot be
    checked; that is no error unless --strict is given.
    """
    from git_sched.operations.verify import verified
    from git_sched.report import parts
    from git_sched.workspace.gather import gather

    how = printing_from(options)
    gathered = gather(question_from(start, options))
    found = verified(gathered)
    publish(found, how, quiet_format=None)
    point_at(parts.problems(p for p in gathered.inputs.problems if p.path == gathered.log[1]))
    return int(bool(found["mismatched"] or (strict and found["not_checkable"])))
