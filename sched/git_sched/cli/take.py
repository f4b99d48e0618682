"""``git sched take``: takes a task that somebody chose, so that nobody else gets it."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import for_agent, printing, printing_from, question_from, reading
from git_sched.cli.output import exit_code, format_taken, point_to_problems, print_taken
from git_sched.model.problems import WorldError
from git_sched.operations.take import take_task
from git_sched.workspace.streams import write_err

EXAMPLES = """Examples:

\b
  git sched take api-contract --agent ann
  git sched take checkout/api-contract --agent ann -q
"""


@click.command("take", epilog=EXAMPLES)
@click.argument("node")
@for_agent("Take it for this agent (default: the owner of the linked worktree, else SCHED_AGENT, else an unnamed one).")
@reading
@printing("decision")
@click.pass_obj
def command(start: str, /, node: str, **options: Any) -> int:
    """Take the task NODE, so that nobody else gets it.

    The task must be ready, and neither taken by somebody else nor assigned to somebody else; otherwise the exit code
    is 3. Limits, colliding files and queued merges do not matter here. The task is yours until you finish it, give it
    back with git sched release, or the policy's redispatch_after is over.
    """
    how = printing_from(options)
    recorded = take_task(question_from(start, options, for_asker=True), node)
    result, found = recorded.result, recorded.found
    # As text, only the task that was taken: which others are ready or held was not asked.
    shown = {**found, "ranking": [], "held": []} if how.format_name == "text" else found
    if not print_taken(shown, how, recorded):
        return WorldError.exit_code
    if not how.quiet:
        point_to_problems(found["problems"])
    write_err("\n".join(recorded.notes))
    if how.for_people:
        write_err(format_taken(found, result.answer))
    return exit_code(result.answer, strict=False)
