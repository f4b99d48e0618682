"""``git sched release``: gives back a task that was taken."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import for_agent, printing, printing_from, question_from, reading
from git_sched.cli.output import exit_code, point_to_problems, print_answer
from git_sched.operations.release import release_task
from git_sched.report.basis import build_problems
from git_sched.workspace.streams import write_err

EXAMPLES = """Examples:

\b
  git sched release api-contract --agent ann
  git sched release checkout/api-contract
"""


@click.command("release", epilog=EXAMPLES)
@click.argument("node")
@for_agent("The agent that has it (default: the owner of the linked worktree, else SCHED_AGENT, else an unnamed one).")
@reading
@printing("release")
@click.pass_obj
def command(start: str, /, node: str, **options: Any) -> int:
    """Give back the task NODE, so that others can take it.

    The agent that gives it back is not offered it again until something is committed or a task file is edited. If
    that agent does not have it, the exit code is 3.
    """
    how = printing_from(options)
    answer, found, notes = release_task(question_from(start, options, for_asker=True), node)
    if print_answer(found, how, quiet_format=None):
        if not how.quiet:
            point_to_problems(build_problems(answer.problems))
        write_err("\n".join(notes))
    return exit_code(answer, strict=False)
