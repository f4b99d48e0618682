"""``git sched diff``: what a change does, from one commit to another."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import for_agents, printing, printing_from, question_from, reading_commits, strict
from git_sched.cli.output import point_to_problems, print_answer
from git_sched.operations.diff import LIMIT, compare_revisions


@click.command("diff")
@click.argument("base")
@click.argument("head", default="HEAD")
@click.option("--merge-base", is_flag=True, help="Compare with the commit where HEAD left BASE.")
@click.option("--limit", type=click.IntRange(min=1), default=LIMIT, metavar="N", help="How many picks; 3 if not given.")
@for_agents("Pick for this agent.")
@strict
@reading_commits
@printing("comparison")
@click.pass_obj
def command(start: str, /, base: str, head: str, merge_base: bool, strict: bool, **options: Any) -> int:
    """Say what a change does: which tasks it finishes, frees or blocks, and what comes next then.

    Compares the tasks and the policy of two commits, without a checkout: those of BASE with those of HEAD, which is
    the commit that is checked out unless another is named. The work tree plays no part. A commit is named as for
    git rev-parse; of a pull request's merge commit, HEAD^1 is the base. Signals and time are the same on both sides.
    """
    how = printing_from(options)
    found = compare_revisions(question_from(start, options), base=base, head=head, merge_base=merge_base)
    print_answer(found, how)
    point_to_problems(found["problems"])
    return int(found["after"]["outcome"] == "refused" or (strict and found["after"]["errors"] > 0))
