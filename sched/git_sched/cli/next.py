"""``git sched next``: which task comes next, and why; on request also logged."""

from __future__ import annotations

import sys
from typing import Any

import click

from git_sched.cli.options import for_agents, graph_filter, printing, printing_from, question_from, reading
from git_sched.cli.output import basis_line, exit_code, point_to_problems, print_answer, signals_lines
from git_sched.model.problems import RequestError
from git_sched.operations.answer import answer_question
from git_sched.workspace.streams import write_err


@click.command("next")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="How many tasks; 1, or one for each agent.")
@for_agents("Pick for this agent.")
@graph_filter
@click.option(
    "--lookahead", type=click.IntRange(min=0, max=10_000), metavar="N", help="Plans to play through; the policy's."
)
@click.option("--assume-done", metavar="ID", multiple=True, help="What if this task were completed?")
@click.option("--record", is_flag=True, help="Log the decision.")
@click.option("--dispatch", is_flag=True, help="Log the decision as handed out.")
@click.option("--exit-code", "wants_code", is_flag=True, help="Exit with 3 when nothing is picked.")
@reading
@printing("decision")
@click.pass_obj
def command(start: str, /, record: bool, dispatch: bool, wants_code: bool, **options: Any) -> int:
    """Say which task comes next, and why."""
    if options["assume_done"] and (record or dispatch):
        raise RequestError("--assume-done asks what if, and such an answer is not recorded")
    how, question = printing_from(options), question_from(start, options)
    asked = answer_question(question)
    from git_sched.report.decision import date_decisions
    from git_sched.report.next import build_next

    found = build_next(asked.answer)
    if record or dispatch:
        from git_sched.operations.log import append_decisions as log

        log(asked.workspace, found, asked.answer, dispatched=dispatch)
    print_answer(date_decisions(found, asked.answer) if how.format_name == "metagit" else found, how)
    if sys.stdout.isatty() and not how.quiet:
        git = asked.workspace.location.git
        write_err(basis_line(found, branch=git.branch() if git and question.revision is None else None))
    if how.verbose:
        write_err("\n".join([*signals_lines(found), asked.times]))
    if not how.quiet or not found["decisions"]:
        point_to_problems(found["problems"])
    return exit_code(found["problems"], nothing=wants_code and not found["decisions"])
