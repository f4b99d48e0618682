"""``git sched next``: which task comes next, and why; on request also logged."""

from __future__ import annotations

import sys
from typing import Any

import click

from git_sched.cli.asking import ask
from git_sched.cli.options import for_agents, graph_filter, printing, reading
from git_sched.cli.publish import basis_line, exit_code, point_at, publish, signals_lines
from git_sched.cli.streams import talk
from git_sched.problems import RequestError


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
def command(start: str, /, **given: Any) -> int:
    """Say which task comes next, and why."""
    if given["assume_done"] and (given["record"] or given["dispatch"]):
        raise RequestError("--assume-done asks what if, and such an answer is not recorded")
    asked = ask(start, given, limit=given["limit"])
    from git_sched.answers import decisions

    found = decisions(asked.answer)
    if given["record"] or given["dispatch"]:
        from git_sched.history import record

        record(asked.gathered, found, asked.answer, dispatched=given["dispatch"])
    publish(found, given)
    if sys.stdout.isatty() and not given["quiet"]:
        git = asked.gathered.ground.git
        talk(basis_line(found, branch=git.branch() if git and given["rev"] is None else None))
    if given["verbose"]:
        talk("\n".join([*signals_lines(found), asked.times]))
    if not given["quiet"] or not found["decisions"]:
        point_at(found["problems"])
    return exit_code(found["problems"], nothing=given["wants_code"] and not found["decisions"])
