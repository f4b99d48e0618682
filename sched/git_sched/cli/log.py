"""``git sched log``: shows where the decisions log is and how large, and removes its old lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from git_sched.cli.options import question_from
from git_sched.workspace.streams import escape_line, write_out

if TYPE_CHECKING:
    from git_sched.operations.prune import Measured

EXAMPLES = """Examples:

\b
  git sched log
  git sched log --prune 90
"""


@click.command("log", epilog=EXAMPLES)
@click.option(
    "--prune",
    "days",
    type=click.IntRange(min=0, max=100_000),
    metavar="DAYS",
    help="Remove lines older than DAYS days (default: remove nothing).",
)
@click.option("--workspace", metavar="DIR", help="Workspace folder (default: the nearest one at or above this folder).")
@click.option("--policy", metavar="PATH", help="Use this policy file (default: the one in .metagit/schedule).")
@click.option(
    "--decisions", metavar="PATH", help="Use this decisions log (default: .metagit/schedule/decisions.jsonl)."
)
@click.pass_obj
def command(start: str, /, days: int | None, **options: Any) -> int:
    """Show where the decisions log is and how large it is, or remove its old lines.

    Lines that still hold a task are kept, however old. What is removed no longer counts for fairness, and git sched
    verify no longer checks it.
    """
    from git_sched.operations.prune import measure_log, prune_log

    question = question_from(start, options)
    found = measure_log(question) if days is None else prune_log(question, days=days)
    write_out("".join(f"{escape_line(_describe(one, days))}\n" for one in found) or "no decisions recorded yet\n")
    return 0


def _describe(found: Measured, days: int | None) -> str:
    size = f"{found.lines:,} line{'' if found.lines == 1 else 's'}, {found.size:,} bytes"
    if days is None:
        return f"{found.path}: {size}"
    age = f"older than {days:,} day{'' if days == 1 else 's'}"
    removed = f"removed {found.removed:,} line{'' if found.removed == 1 else 's'} {age}"
    return f"{found.path}: {removed if found.removed else f'no removable line is {age}'}; {size} left"
