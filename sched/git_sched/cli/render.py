"""``git sched render``: prints a stored record in another format."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from git_sched.cli.output import Printing, print_answer
from git_sched.model.problems import RequestError
from git_sched.render import RENDERERS

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMATS = tuple(dict.fromkeys(name for formats in RENDERERS.values() for name in formats))


EXAMPLES = """Examples:

\b
  git sched next --json -o next.json
  git sched render next.json
  git sched render next.json --format html -o next.html
"""


@click.command("render", epilog=EXAMPLES)
@click.argument("record")
@click.option("--json", "as_json", is_flag=True, help="Print the record as one JSON object.")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="Print in this format (default: text).")
@click.option("-o", "output", metavar="FILE", help="Write to FILE (default: stdout).")
@click.option("-q", "--quiet", is_flag=True, help="Print only ids, if the record has any.")
@click.option("--large", is_flag=True, help="Accept a record of more than 1 MiB, if it is your own.")
@click.pass_obj
def command(start: str, /, record: str, format_: str | None, large: bool, **options: Any) -> int:
    """Print a stored RECORD in another format, without reading any repository.

    RECORD is a file of at most 1 MiB, or more with --large, with one record as --json prints it. It is checked against
    the schema of its kind, and one with an unknown key or a wrong type is refused, since it could come from a fork.
    """
    found = load(os.path.join(start, record), large=large)
    kind = str(found["kind"])
    if format_ is not None and format_ not in RENDERERS[kind]:
        raise RequestError(f"a {kind} cannot be printed as {format_}", hint=f"formats: {', '.join(RENDERERS[kind])}")
    if format_ == "metagit":  # which refuses a decision without a time
        from git_sched.model.times import format_time
        from git_sched.report.decision import fill_times
        from git_sched.workspace.question import Question, find_clock

        found = fill_times(found, format_time(find_clock(Question(start))))  # type: ignore[arg-type]  # of that kind
    how = Printing(
        format_ or ("json" if options["as_json"] else "text"), output=options["output"], quiet=options["quiet"]
    )
    print_answer(found, how, quiet_format="ids" if "ids" in RENDERERS[kind] else None)
    return 0


def load(path: str, *, large: bool) -> Mapping[str, Any]:
    """Read and check a stored record; ``large`` accepts more than 1 MiB.

    Raises:
        RequestError: the file is too large, or is not a valid record.
    """
    from git_sched.workspace import stored_records

    if not large and os.path.isfile(path) and stored_records.SIZE < os.path.getsize(path) <= stored_records.LARGE:
        message = f"{os.path.basename(path)} is larger than {stored_records.SIZE:,} bytes"
        raise RequestError(message, hint="--large takes it, if the record is your own and not a fork's")
    return stored_records.load(path, limit=stored_records.LARGE if large else stored_records.SIZE)
