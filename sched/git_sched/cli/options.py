"""The options that commands share, and the question and printing that they are turned into."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from git_sched.cli.output import Printing
from git_sched.model.problems import RequestError
from git_sched.render import RENDERERS
from git_sched.workspace.asker import VARIABLE, check_agent
from git_sched.workspace.question import Question, parse_now

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

F = TypeVar("F", bound="Callable[..., Any]")


_NOW = (
    "Use TIME as the current time, commit for the commit's or wall for the clock "
    "(default: the clock; with --rev, the commit's)."
)


def reading(command: F) -> F:
    """Add the options for what is read."""
    rev = click.option(
        "--rev", metavar="REV", help="Read this revision instead of the work tree; nothing is checked out."
    )
    return rev(reading_commits(command))


def reading_commits(command: F) -> F:
    """Add the options for what is read, except ``--rev``, for commands with other arguments for revisions."""
    for option in reversed(
        (
            click.option(
                "--workspace",
                metavar="DIR",
                help="Workspace folder (default: the nearest one at or above this folder).",
            ),
            click.option(
                "--graph", "graphs", metavar="PATH", multiple=True, help="Read this task file as well (repeatable)."
            ),
            click.option(
                "--policy", metavar="PATH", help="Use this policy file (default: the one in .metagit/schedule)."
            ),
            click.option(
                "--worktrees", metavar="FILE", help="Read the worktrees from this file (default: from git and metagit)."
            ),
            click.option(
                "--merge-queue",
                metavar="FILE",
                help="Read the depths of merge queues from this file (default: metagit's merges).",
            ),
            click.option(
                "--decisions",
                metavar="PATH",
                help="Use this decisions log (default: .metagit/schedule/decisions.jsonl).",
            ),
            click.option("--now", metavar="TIME|commit|wall", help=_NOW),
        )
    ):
        command = option(command)
    return command


def printing(kind: str) -> Callable[[F], F]:
    """Add the options for how the answer is printed, with the formats of its kind of record."""
    formats = tuple(RENDERERS[kind])

    def add(command: F) -> F:
        for option in reversed(
            (
                click.option("--json", "as_json", is_flag=True, help="Print the record as one JSON object."),
                click.option(
                    "--format", "format_", type=click.Choice(formats), help="Print in this format (default: text)."
                ),
                click.option("-o", "output", metavar="FILE", help="Write to FILE (default: stdout)."),
                click.option("-q", "--quiet", is_flag=True, help="Print only ids, or only the answer."),
                click.option(
                    "-v", "--verbose", is_flag=True, help="Add the numbers, the signals and the time each phase took."
                ),
            )
        ):
            command = option(command)
        return command

    return add


strict = click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 if anything in the input is an error (default: only if the policy or a --graph file is).",
)


ASKER: Final = f"(repeatable; default: the owner of the linked worktree, else {VARIABLE})"
"""Which agents an answer for whoever asks is for, in the help of ``--agent``."""


def for_agents(text: str) -> Callable[[F], F]:
    """Add the option that names agents, with the command's own help text."""
    return click.option("--agent", "agents", metavar="ID", multiple=True, callback=_ids, help=text)


def for_agent(text: str) -> Callable[[F], F]:
    """Add the option that names one agent, with the command's own help text."""
    return click.option("--agent", "agent", metavar="ID", callback=_id, help=text)


def _id(ctx: click.Context, parameter: click.Parameter, agent: str | None) -> str | None:
    _ids(ctx, parameter, () if agent is None else (agent,))
    return agent


def _ids(_: click.Context, __: click.Parameter, agents: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(check_agent(agent, source="--agent") for agent in agents)


graph_filter = click.option(
    "--graph-id",
    "graph_ids",
    metavar="ID",
    multiple=True,
    help="Use only tasks of this graph (repeatable; default: all graphs).",
)


def question_from(start: str, options: Mapping[str, Any], *, for_asker: bool = False) -> Question:
    """Turn the shared options into a question; options that a command does not have keep their defaults.

    With ``for_asker`` the answer is for whoever asks, unless agents are named.

    Raises:
        RequestError: ``--now`` is not a time.
    """
    now, source = parse_now(options.get("now"))
    return Question(
        start=start,
        workspace=options.get("workspace"),
        revision=options.get("rev"),
        graphs=tuple(options.get("graphs") or ()),
        policy=options.get("policy"),
        worktrees=options.get("worktrees"),
        merge_queue=options.get("merge_queue"),
        decisions=options.get("decisions"),
        now=now,
        now_source=source,
        environment=os.environ,
        limit=options.get("limit"),
        agents=tuple(options.get("agents") or filter(None, [options.get("agent")])),
        for_asker=for_asker,
        graph_ids=tuple(options.get("graph_ids") or ()),
        assume_done=tuple(options.get("assume_done") or ()),
        lookahead=options.get("lookahead"),
    )


def printing_from(options: Mapping[str, Any]) -> Printing:
    """Turn the printing options into how the answer is printed.

    Raises:
        RequestError: ``--json`` and another ``--format`` are given.
    """
    as_json, name = options["as_json"], options["format_"]
    if as_json and name not in {None, "json"}:
        raise RequestError(f"--json and --format {name} cannot both be met", hint="leave one out")
    return Printing(
        name or ("json" if as_json else "text"),
        output=options["output"],
        quiet=options["quiet"],
        verbose=options["verbose"],
    )
