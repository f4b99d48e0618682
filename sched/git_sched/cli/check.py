"""``git sched check``: shows what is wrong in task files and policy."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import printing, printing_from, question_from, reading
from git_sched.cli.output import print_answer
from git_sched.operations.answer import answer_question

EXAMPLES = """Examples:

\b
  git sched check
  git sched check --strict .metagit/tasks
"""


@click.command("check", epilog=EXAMPLES)
@click.argument("paths", nargs=-1)
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings, too (default: on errors).")
@click.option(
    "--all",
    "finished",
    is_flag=True,
    help="Report problems of finished tasks, too (default: only where an open task waits for them).",
)
@reading
@printing("check")
@click.pass_obj
def command(start: str, /, paths: tuple[str, ...], strict: bool, finished: bool, **options: Any) -> int:
    """Find what is wrong in task files and policy.

    Report only problems in PATHS; the whole workspace is still read.
    """
    from git_sched.operations.check import check_workspace

    how = printing_from(options)
    found = check_workspace(answer_question(question_from(start, options)), paths, finished=finished)
    if not (how.quiet and not found["problems"]):
        print_answer(found, how, quiet_format=None)
    return int(any(strict or problem["severity"] == "error" for problem in found["problems"]))
