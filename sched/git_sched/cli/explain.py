"""``git sched explain``: where one task stands."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import for_agents, printing, printing_from, question_from, reading
from git_sched.cli.output import exit_code, point_to_problems, print_answer
from git_sched.operations.answer import answer_question


@click.command("explain")
@click.argument("node")
@for_agents("As this agent would be answered.")
@reading
@printing("explanation")
@click.pass_obj
def command(start: str, /, node: str, **options: Any) -> int:
    """Explain where NODE stands: its score, what it waits for, and what would change that.

    NODE is an id, or graph/id where an id exists in two graphs.
    """
    how = printing_from(options)
    asked = answer_question(question_from(start, options))
    from git_sched.report.basis import build_problems
    from git_sched.report.explain import build_explanation

    print_answer(build_explanation(asked.answer, node), how, quiet_format=None)
    problems = build_problems(asked.answer.problems)
    point_to_problems(problems)
    return exit_code(problems)
