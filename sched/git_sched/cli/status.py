"""``git sched status``: what is ready, held, running and blocked, and what the signals say."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import graph_filter, printing, printing_from, question_from, reading
from git_sched.cli.output import exit_code, point_to_problems, print_answer
from git_sched.operations.answer import answer_question
from git_sched.workspace.streams import write_err


@click.command("status")
@graph_filter
@click.option("--recent", type=click.IntRange(min=0), metavar="N", help="How many recorded decisions to show; 10.")
@reading
@printing("status")
@click.pass_obj
def command(start: str, /, recent: int | None, **options: Any) -> int:
    """Show what is ready, held, running and blocked, and the signals."""
    how = printing_from(options)
    asked = answer_question(question_from(start, options))
    from git_sched.report.status import RECENT, build_status

    number = RECENT if recent is None else recent
    found = build_status(
        asked.answer, sources=asked.workspace.sources, log_rows=asked.workspace.log_rows, recent=number
    )
    print_answer(found, how)
    if how.verbose:
        write_err(asked.times)
    point_to_problems(found["problems"])
    return exit_code(found["problems"])
