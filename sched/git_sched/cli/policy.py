"""``git sched policy``: shows and edits the policy."""

from __future__ import annotations

from math import isfinite, nan
from typing import TYPE_CHECKING, Any

import click

from git_sched.cli.options import printing, printing_from, question_from, reading
from git_sched.cli.output import point_to_problems, print_answer
from git_sched.model.characters import is_text
from git_sched.model.ids import quote
from git_sched.model.problems import RequestError
from git_sched.workspace.streams import write_err

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched.cli.output import Printing
    from git_sched.formats.policy_edit import Change
    from git_sched.workspace.question import Question


EXAMPLES = """Examples:

\b
  git sched policy show
  git sched policy set --weight urgency=3
  git sched policy set --limit per_agent=1 --set redispatch_after=4h
"""


@click.group("policy", epilog=EXAMPLES)
def command() -> None:
    """Show or edit the policy."""


@command.command("show", epilog=EXAMPLES)
@reading
@printing("policy")
@click.pass_obj
def show(start: str, /, **options: Any) -> int:
    """Show the policy in force: what each factor weighs, and the limits and gates."""
    how = printing_from(options)
    return _show(question_from(start, options), how)


def _show(question: Question, how: Printing) -> int:
    from git_sched.operations.policy import show_policy
    from git_sched.operations.read import read_workspace

    found = show_policy(read_workspace(question))
    print_answer(found, how, quiet_format=None)
    point_to_problems(found["problems"])
    return int(not found["policy"])


@command.command("set", epilog=EXAMPLES)
@click.option("--weight", "weights", metavar="FACTOR=N", multiple=True, help="Set the weight of a factor (repeatable).")
@click.option("--graph-id", "graph_id", metavar="ID", help="Set the weights only for this graph (default: for all).")
@click.option("--preset", metavar="NAME", help="Start from the weights of this preset: balanced or rfc-0012.")
@click.option(
    "--threshold",
    "merge_queue_threshold",
    type=int,
    help="Set the number of queued merges from which on merge pressure counts.",
)
@click.option("--penalty", "merge_pressure_penalty", type=float, help="Set the points that merge pressure subtracts.")
@click.option(
    "--skip/--no-skip",
    "skip_on_merge_pressure",
    default=None,
    help="Skip tasks under merge pressure, or only rank them lower.",
)
@click.option(
    "--limit",
    "limits",
    metavar="NAME=N",
    multiple=True,
    help="Set a limit: total, per_graph, per_repository, per_agent or tokens (repeatable).",
)
@click.option(
    "--set", "others", metavar="KEY=VALUE", multiple=True, help="Set any other key; the value is YAML (repeatable)."
)
@reading
@printing("policy")
@click.pass_obj
def set_(start: str, /, **options: Any) -> int:
    """Set values in the policy file; comments and order stay. If there is no file, one is written."""
    from git_sched.operations.policy import set_policy
    from git_sched.operations.read import read_workspace

    if options["rev"] is not None:
        raise RequestError("policy set edits the work tree; --rev has no place here")
    how, question = printing_from(options), question_from(start, options)
    workspace = read_workspace(question)
    changes = _changes(options)
    if not changes:
        raise RequestError("there is nothing to set", hint="git sched policy set --weight urgency=3")
    set_policy(workspace, changes, announce=lambda path: write_err(f"writing {path}"))
    return _show(question, how)


def _changes(options: Mapping[str, Any]) -> list[Change]:
    from git_sched.formats.policy_edit import Change

    head = ("graph_overrides", options["graph_id"]) if options["graph_id"] else ("weights",)
    changes = [Change((*head, name), _number(value, name)) for name, value in map(_pair, options["weights"])]
    if options["graph_id"] and not changes:
        raise RequestError("--graph-id needs a --weight to set for it")
    changes += [Change(("limits", name), _number(value, name)) for name, value in map(_pair, options["limits"])]
    for key in ("preset", "merge_queue_threshold", "merge_pressure_penalty", "skip_on_merge_pressure"):
        if options[key] is not None:
            changes.append(Change((key,), options[key]))
    changes += [Change(tuple(name.split(".")), _value(value)) for name, value in map(_pair, options["others"])]
    return changes


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise RequestError(f"{text!r} is not NAME=VALUE")
    if not is_text(text):
        raise RequestError(f"{quote(text)} is not text in UTF-8", hint="a policy is UTF-8; write the name as text")
    return name.strip(), value.strip()


def _number(text: str, name: str) -> float | int:
    try:
        found = float(text)
    except ValueError:
        found = nan
    if not isfinite(found):
        raise RequestError(f"{name}={text} is not a number")
    return int(found) if text.lstrip("+-").isdigit() else found


def _value(text: str) -> object:
    from git_sched.formats.reading import yaml_text

    value, problems = yaml_text.read(text, "the command line")
    if problems:
        raise RequestError(f"{text!r} cannot be read: {problems[0].message}")
    return value
