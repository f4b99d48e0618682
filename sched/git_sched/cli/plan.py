"""``git sched plan``: forecasts who would do which task, from when to when."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import for_agents, graph_filter, printing, printing_from, question_from, reading, strict
from git_sched.cli.output import exit_code, point_to_problems, print_answer
from git_sched.operations.answer import answer_question
from git_sched.workspace.streams import write_err

EXAMPLES = """\b
Examples:
  git sched plan
  git sched plan --limit 3
  git sched plan --format html -o plan.html
"""


@click.command("plan", epilog=EXAMPLES)
@click.option(
    "--limit",
    type=click.IntRange(min=1, max=1_000),
    metavar="N",
    help="Plan for N agents, named ones included (default: the named ones, else those working now, at least one).",
)
@for_agents("Plan for this agent (repeatable; default: the policy's agent_pool).")
@graph_filter
@click.option("--assume-done", metavar="ID", multiple=True, help="Treat this task as completed (repeatable).")
@strict
@reading
@printing("forecast")
@click.pass_obj
def command(start: str, /, limit: int | None, strict: bool, **options: Any) -> int:
    """Forecast who would do which task, and when, until all are done.

    Times are counted from now. What starts now is what git sched next picks for these agents; the rest follows with
    the same scores, limits, assignments and colliding files, one task at a time for each agent. If fewer than half of
    the tasks are estimated, there are no times, only the order and the longest chain.
    """
    how = printing_from(options)
    asked = answer_question(question_from(start, options)._replace(lookahead=0))
    from git_sched.report.plan import build_forecast

    found = build_forecast(asked.answer, limit=limit)
    print_answer(found, how)
    if how.verbose:
        write_err(asked.times)
    point_to_problems(found["problems"])
    return exit_code(asked.answer, strict=strict)
