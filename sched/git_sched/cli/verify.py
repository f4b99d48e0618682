"""``git sched verify``: recorded decisions, each derived again from its own commit."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import printing, printing_from, question_from
from git_sched.cli.output import point_to_problems, print_answer


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
    from git_sched.operations.read import read_workspace
    from git_sched.operations.verify import verify_log
    from git_sched.report.basis import build_problems

    how = printing_from(options)
    workspace = read_workspace(question_from(start, options))
    found = verify_log(workspace)
    print_answer(found, how, quiet_format=None)
    point_to_problems(build_problems(p for p in workspace.inputs.problems if p.path == workspace.log[1]))
    return int(bool(found["mismatched"] or (strict and found["not_checkable"])))
