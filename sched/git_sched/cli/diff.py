"""``git sched diff``: shows what a change does, between two commits or up to the work tree."""

from __future__ import annotations

from typing import Any

import click

from git_sched.cli.options import for_agents, printing, printing_from, question_from, reading_commits, strict
from git_sched.cli.output import print_answer
from git_sched.model.problems import KEPT_OUT
from git_sched.operations.diff import LIMIT, compare_revisions, parse_range
from git_sched.render.diff_sentences import describe_problems, describe_unread
from git_sched.workspace.streams import write_err

IDS_ONLY = frozenset({"ids", "matrix", "outputs"})
"""The formats that have no place for a sentence."""

EXAMPLES = """Examples:

\b
  git sched diff
  git sched diff main...HEAD
  git sched diff HEAD^1 HEAD --format comment
"""


@click.command("diff", epilog=EXAMPLES)
@click.argument("revisions", metavar="[A] [B]", nargs=-1)
@click.option(
    "--merge-base",
    is_flag=True,
    help="Compare with the commit where the other side branched off, as A...B does.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), default=LIMIT, metavar="N", help="Number of picks to compare (default: 3)."
)
@for_agents("Pick for this agent (repeatable).")
@strict
@reading_commits
@printing("comparison")
@click.pass_obj
def command(start: str, /, revisions: tuple[str, ...], merge_base: bool, strict: bool, **options: Any) -> int:
    """Show what a change does: which tasks it finishes, frees or blocks, and what comes next then.

    Revisions are given as for git diff. Without any, HEAD is compared with the work tree; A compares A with the work
    tree; A B and A..B compare two commits; A...B compares B with the commit where it branched off from A. Nothing is
    checked out. Signals and time are the same on both sides.
    """
    how, wanted = printing_from(options), parse_range(revisions, merge_base=merge_base)
    found = compare_revisions(question_from(start, options), wanted)
    if how.quiet or how.format_name in IDS_ONLY:
        write_err("\n".join(describe_unread(found)))
    print_answer(found, how)
    problems = describe_problems(found["after"])
    write_err("\n".join(p["message"] for p in found["problems"] if p["code"] == KEPT_OUT))
    write_err(f"{problems} in the task files: git sched check" if problems else "")
    return int(found["after"]["outcome"] == "refused" or (strict and found["after"]["errors"] > 0))
