"""``git sched explain``: where one task stands."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import for_agents, printing, printing_from, question_from, reading
from git_sched.cli.output import exit_code, point_at, publish
from git_sched.operations.answer import ask


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
    asked = ask(question_from(start, options))
    from git_sched.report import parts
    from git_sched.report.explain import explain

    publish(explain(asked.answer, node), how, quiet_format=None)
    problems = parts.problems(asked.answer.problems)
    point_at(problems)
    return exit_code(problems)
