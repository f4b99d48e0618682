"""``git sched next``: shows which task to start next, and why; on request it also logs the decision."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from git_sched.cli.options import (
    ASKER,
    for_agents,
    graph_filter,
    printing,
    printing_from,
    question_from,
    reading,
    strict,
)
from git_sched.cli.output import exit_code, format_basis, format_signals, format_taken, point_to_problems, print_taken
from git_sched.model.policy import PLAN_LIMIT
from git_sched.model.problems import RequestError, WorldError
from git_sched.operations.answer import Recorded, answer_question
from git_sched.workspace.streams import write_err

if TYPE_CHECKING:
    from git_sched import record as records
    from git_sched.cli.output import Printing
    from git_sched.operations.answer import Result
    from git_sched.workspace.question import Question

EXAMPLES = """Examples:

\b
  git sched next
  git sched next --limit 3 -q
  git sched next --agent ann --dispatch
"""


@click.command("next", epilog=EXAMPLES)
@click.option("--limit", type=click.IntRange(min=1), metavar="N",
              help="Number of tasks (default: 1, or one per --agent).")  # fmt: skip
@for_agents(f"Pick for this agent {ASKER}.")
@graph_filter
@click.option("--lookahead", type=click.IntRange(min=0, max=PLAN_LIMIT), metavar="N",
              help="Number of alternative plans to try (default: the policy's).")  # fmt: skip
@click.option("--assume-done", metavar="ID", multiple=True, help="Treat this task as completed (repeatable).")
@click.option("--record", is_flag=True, help="Log the decision (default: write nothing).")
@click.option(
    "--dispatch",
    is_flag=True,
    help="Take the tasks: log them as given out, so that nobody else gets them until redispatch_after is over.",
)
@click.option("--exit-code", "wants_code", is_flag=True, help="Exit with 3 when nothing is picked.")
@strict
@reading
@printing("decision")
@click.pass_obj
def command(start: str, /, record: bool, dispatch: bool, wants_code: bool, strict: bool, **options: Any) -> int:
    """Show which task to start next, and why."""
    if options["assume_done"] and (record or dispatch):
        raise RequestError("--assume-done asks what if, and such an answer is not recorded")
    how = printing_from(options)
    recorded = _answer(question_from(start, options, for_asker=True), record=record, dispatch=dispatch)
    asked, found = recorded.result, recorded.found
    from git_sched.report.decision import date_decisions

    shown = date_decisions(found, asked.answer) if how.format_name == "metagit" else found
    if not print_taken(shown, how, recorded):
        return WorldError.exit_code if recorded.taken else exit_code(asked.answer, strict=strict)
    _print_notes(found, how, asked)
    write_err("\n".join(recorded.notes))
    if dispatch and how.for_people:
        write_err(format_taken(found, asked.answer))
    return exit_code(asked.answer, strict=strict, nothing=wants_code and not found["decisions"])


def _answer(question: Question, *, record: bool, dispatch: bool) -> Recorded:
    if record or dispatch:
        from git_sched.operations.log import record_answer

        return record_answer(question, dispatched=dispatch)
    from git_sched.report.next import build_next

    asked = answer_question(question)
    return Recorded(asked, build_next(asked.answer), ())


def _print_notes(found: records.DecisionsRecord, how: Printing, asked: Result) -> None:
    """Print notes on stderr: counts, problems, the numbers behind the answer, and what it was computed from."""
    from git_sched.render.terminal import DIM
    from git_sched.render.text.next import summarize

    if how.for_people:
        write_err(summarize(found))
    if how.verbose:
        write_err("\n".join([*format_signals(found), asked.times]))
    point_to_problems(found["problems"], only_errors=how.quiet and bool(found["decisions"]))
    if how.for_people and how.screen.width is not None:
        location = asked.workspace.location
        branch = None
        with suppress(WorldError):  # the answer was given; only its last line lacks the branch
            branch = location.git.branch() if location.git and not location.from_commit else None
        write_err(format_basis(found, branch=branch), style=DIM)
