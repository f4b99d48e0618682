"""``git sched plan``: who would do which task, from when to when."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import for_agents, graph_filter, printing, printing_from, question_from, reading
from git_sched.cli.output import exit_code, point_at, publish
from git_sched.operations.answer import ask
from git_sched.workspace.streams import talk


@click.command("plan")
@click.option(
    "--limit", type=click.IntRange(min=1, max=1_000), metavar="N", help="How many agents, named ones included."
)
@for_agents("An agent, by name; the policy's pool if not given.")
@graph_filter
@click.option("--assume-done", metavar="ID", multiple=True, help="What if this task were completed?")
@reading
@printing("forecast")
@click.pass_obj
def command(start: str, /, limit: int | None, **options: Any) -> int:
    """Forecast who would do which task, from when to when, until all are done.

    Minutes are counted from now. What begins at 0 is what git sched next picks for the agents that are idle; the rest
    follows by the same scores, limits, assignments and colliding files. Everybody does one task at a time.
    """
    how = printing_from(options)
    asked = ask(question_from(start, options)._replace(lookahead=0))
    from git_sched.decide.forecast import forecast

    found = forecast(asked.answer, limit=limit)
    publish(found, how)
    if how.verbose:
        talk(asked.times)
    point_at(found["problems"])
    return exit_code(found["problems"])
