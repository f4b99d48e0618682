"""``git sched schema``: prints the JSON Schemas of what is read and printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from git_sched.model.problems import RequestError
from git_sched.workspace.streams import write_out

if TYPE_CHECKING:
    from collections.abc import Mapping


EXAMPLES = """Examples:

\b
  git sched schema
  git sched schema graph
"""


@click.command("schema", epilog=EXAMPLES)
@click.argument("name", required=False)
@click.pass_obj
def command(_start: str, /, name: str | None) -> int:
    """Print the JSON Schema of NAME; without a name, list the schemas.

    An editor that has the schema of graph or policy completes keys and marks mistakes while you type.
    """
    from git_sched.model.json_codec import dump
    from git_sched.schemas import SCHEMAS, schema

    if name is None:
        write_out(_listed({known: entry.summary for known, entry in SCHEMAS.items()}))
        return 0
    if name not in SCHEMAS:
        from git_sched.model.ids import did_you_mean

        hint = did_you_mean(name, SCHEMAS) or f"schemas: {', '.join(SCHEMAS)}"
        raise RequestError(f"no schema is called {name}", hint=hint)
    write_out(dump(schema(name), indent=2).decode() + "\n", utf8=True)
    return 0


def _listed(summaries: Mapping[str, str]) -> str:
    width = max(map(len, summaries))
    return "".join(f"{name:<{width}}  {summary}\n" for name, summary in summaries.items())
