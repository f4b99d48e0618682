"""``git sched status``: lists open tasks by state, and the signals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from git_sched.cli.options import graph_filter, printing, printing_from, question_from, reading, strict
from git_sched.cli.output import exit_code, point_to_problems, print_answer
from git_sched.operations.answer import answer_question, require_graphs
from git_sched.workspace.streams import write_err

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched import record

EXAMPLES = """Examples:

\b
  git sched status
  git sched status --all --label bug
  git sched status --blocked --graph-id checkout
"""


@click.command("status", epilog=EXAMPLES)
@click.option("--all", "everything", is_flag=True, help="List all open tasks, and what each blocked one waits for.")
@click.option("--ready", is_flag=True, help="List the tasks that can start now.")
@click.option("--held", is_flag=True, help="List the tasks that could start but for a limit or another task.")
@click.option("--running", is_flag=True, help="List the tasks in progress.")
@click.option("--blocked", is_flag=True, help="List the tasks that cannot start yet, and what each waits for.")
@click.option("--label", "labels", metavar="LABEL", multiple=True, help="List only tasks with this label (repeatable).")
@click.option(
    "--assignee", "assignees", metavar="ID", multiple=True, help="List only tasks of this person or agent (repeatable)."
)
@click.option(
    "--repository",
    "repositories",
    metavar="NAME",
    multiple=True,
    help="List only tasks of this repository (repeatable).",
)
@graph_filter
@click.option(
    "--recent",
    type=click.IntRange(min=0),
    metavar="N",
    help="Number of recorded decisions in the record (default: 10).",
)
@strict
@reading
@printing("status")
@click.pass_obj
def command(start: str, /, recent: int | None, strict: bool, **options: Any) -> int:
    """List the open tasks by state: ready, held, running and blocked.

    By default the blocked ones are only counted. Of --ready, --held, --running and --blocked several can be given.
    """
    how, selection = printing_from(options), _select(options)
    from git_sched.report.status import RECENT, build_status

    number = RECENT if recent is None else recent
    question = question_from(start, {**options, "graph_ids": ()}, for_asker=True)
    asked = answer_question(question._replace(recent=number))
    require_graphs(asked.workspace, selection["graph_ids"])

    found = build_status(
        asked.answer,
        sources=asked.workspace.sources,
        log_rows=asked.workspace.log_rows,
        recent=number,
        selection=selection,
    )
    print_answer(found, how)
    if how.verbose:
        write_err(asked.times)
    point_to_problems(found["problems"])
    return exit_code(asked.answer, strict=strict)


def _select(options: Mapping[str, Any]) -> record.SelectionRecord:
    from git_sched.report.status import STATES, select_tasks

    states = [state for state in STATES if options["everything"] or options[state]]
    return select_tasks(states, **{key: options[key] for key in ("labels", "assignees", "repositories", "graph_ids")})
