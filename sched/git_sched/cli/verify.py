"""``git sched verify``: checks that recorded decisions can be reproduced from their commits."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import printing, printing_from, question_from
from git_sched.cli.output import point_to_problems, print_answer

EXAMPLES = """Examples:

\b
  git sched verify
  git sched verify --strict --json
"""


@click.command("verify", epilog=EXAMPLES)
@click.option("--workspace", metavar="DIR", help="Workspace folder (default: the nearest one at or above this folder).")
@click.option(
    "--decisions", metavar="PATH", help="Use this decisions log (default: .metagit/schedule/decisions.jsonl)."
)
@click.option(
    "--strict", is_flag=True, help="Exit with 1 if a decision cannot be checked, too (default: if one differs)."
)
@printing("verification")
@click.pass_obj
def command(start: str, /, strict: bool, **options: Any) -> int:
    """Check that recorded decisions can be reproduced: each is computed again from its commit, and compared.

    A decision whose commit is not in this clone, or whose files differed from the commit, cannot be checked; that is
    an error only with --strict.
    """
    from git_sched.operations.read import read_files
    from git_sched.operations.verify import verify_log
    from git_sched.report.basis import build_problems

    how = printing_from(options)
    found, problems = verify_log(read_files(question_from(start, options)))
    print_answer(found, how, quiet_format=None)
    point_to_problems(build_problems(problems))
    return int(bool(found["mismatched"] or (strict and found["not_checkable"])))
