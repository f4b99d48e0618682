"""The options that commands share, and what they become."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, TypeVar

import click

from git_sched.ids import is_id
from git_sched.moment import read_moment
from git_sched.problems import RequestError, WorldError
from git_sched.render import RENDERERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched.ground import Options

F = TypeVar("F", bound="Callable[..., Any]")


def reading(command: F) -> F:
    """Add the options that say what is read."""
    rev = click.option("--rev", metavar="REV", help="Read from this revision instead of the work tree.")
    return rev(reading_commits(command))


def reading_commits(command: F) -> F:
    """Add the options that say what is read besides the revisions, which are named otherwise."""
    for option in reversed(
        (
            click.option("--workspace", metavar="DIR", help="The workspace; found from where you are if not given."),
            click.option("--graph", "graphs", metavar="PATH", multiple=True, help="Read this task file as well."),
            click.option("--policy", metavar="PATH", help="Use this policy file."),
            click.option("--worktrees", metavar="FILE", help="Read the worktrees from this file."),
            click.option("--merge-queue", metavar="FILE", help="Read the merge queues from this file."),
            click.option("--decisions", metavar="PATH", help="The decisions log, if it lies elsewhere."),
            click.option("--now", metavar="TIME|wall", help="The time to reckon with; the commit's if not given."),
        )
    ):
        command = option(command)
    return command


def printing(kind: str) -> Callable[[F], F]:
    """Add the options that say how the answer is printed: in any format that renders its kind of record."""
    formats = tuple(RENDERERS[kind])

    def add(command: F) -> F:
        for option in reversed(
            (
                click.option("--json", "as_json", is_flag=True, help="Print the record as one JSON object."),
                click.option("--format", "format_", type=click.Choice(formats), help="Print in this format."),
                click.option("-o", "output", metavar="FILE", help="Write to FILE instead of the standard output."),
                click.option("-q", "--quiet", is_flag=True, help="Print ids alone, or nothing but the answer."),
                click.option("-v", "--verbose", is_flag=True, help="Add signals and times on the standard error."),
            )
        ):
            command = option(command)
        return command

    return add


def for_agents(text: str) -> Callable[[F], F]:
    """Add the option that names agents, with a help text of the command's own."""
    return click.option("--agent", "agents", metavar="ID", multiple=True, callback=_ids, help=text)


def _ids(_: click.Context, __: click.Parameter, agents: tuple[str, ...]) -> tuple[str, ...]:
    for agent in agents:
        if not is_id(agent):
            raise RequestError(f"--agent {agent!r} cannot be an id")
    return agents


graph_filter = click.option(
    "--graph-id", "graph_ids", metavar="ID", multiple=True, help="Ask for tasks of this graph only."
)


def options_from(start: str, given: dict[str, Any]) -> Options:
    """Turn the reading options into what the workspace is read with."""
    from git_sched.ground import Options

    if given.get("as_json") and given.get("format_") not in {None, "json"}:
        raise RequestError(f"--json and --format {given['format_']} cannot both be met", hint="leave one out")
    now, source = read_now(given.get("now"))
    try:
        full = os.path.abspath(start)
    except FileNotFoundError:
        raise WorldError("the folder this was started in is gone", hint="cd to one that exists") from None
    return Options(
        start=full,
        workspace=given.get("workspace"),
        rev=given.get("rev"),
        graphs=tuple(given.get("graphs") or ()),
        policy=given.get("policy"),
        worktrees=given.get("worktrees"),
        merge_queue=given.get("merge_queue"),
        decisions=given.get("decisions"),
        now=now,
        now_source=source,
        environment=os.environ,
    )


def read_now(text: str | None) -> tuple[int | None, str]:
    """Read ``--now``: a time, ``wall`` for the clock (the one place that looks at it), or nothing."""
    if text is None:
        return None, "commit"
    if text == "wall":
        return int(time.time()), "wall"
    seconds = read_moment(text)
    if seconds is None:
        raise RequestError(f"--now {text} is no time", hint="write 2026-11-03T09:30:00Z, or wall for the clock")
    return seconds, "given"
