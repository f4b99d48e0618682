"""``git sched explain``: shows why a task is or is not next, and what would change that."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import ASKER, for_agents, printing, printing_from, question_from, reading, strict
from git_sched.cli.output import exit_code, point_to_problems, print_answer
from git_sched.operations.answer import answer_question
from git_sched.workspace.streams import write_err

EXAMPLES = """Examples:

\b
  git sched explain api-contract
  git sched explain checkout/api-contract -v
"""


@click.command("explain", epilog=EXAMPLES)
@click.argument("node")
@for_agents(f"Explain the answer for this agent {ASKER}.")
@strict
@reading
@printing("explanation")
@click.pass_obj
def command(start: str, /, node: str, strict: bool, **options: Any) -> int:
    """Show why the task NODE is or is not next, and what would change that.

    NODE is an id, or graph/id where an id exists in two graphs.
    """
    how = printing_from(options)
    asked = answer_question(question_from(start, options, for_asker=True))
    from git_sched.report.basis import build_problems
    from git_sched.report.explain import build_explanation

    found = build_explanation(asked.answer, node)
    print_answer(found, how, quiet_format=None)
    if how.verbose:
        write_err(asked.times)
    point_to_problems(build_problems(asked.answer.problems))
    return 1 if found["state"] == "in_error" else exit_code(asked.answer, strict=strict)
