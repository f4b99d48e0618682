"""``git sched action``: the steps of action.yml; hidden from the help, since only the Action runs them."""

from __future__ import annotations

import os
from typing import Any

import click

from git_sched.github.runner_files import read, write
from git_sched.model.problems import SchedError
from git_sched.workspace.streams import write_out


class Steps(click.Group):
    """The group of steps; an error that ends one becomes an annotation, since a job's log is rarely read."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a step."""
        try:
            return super().invoke(ctx)
        except SchedError as error:
            from git_sched.github.runner_files import format_annotation as annotation

            hint = f" ({error.hint})" if error.hint else ""
            write_out(annotation("error", error.message + hint))
            return error.exit_code


@click.group("action", cls=Steps)
def command() -> None:
    """Run one step of action.yml, as the variables that it sets require."""


@command.command("queue")
def queue() -> int:
    """Ask GitHub once for the depth of the merge queue, and store the answer."""
    from git_sched.github.api import Http, query_depth
    from git_sched.github.runner import Runner
    from git_sched.github.runner_files import format_annotation as annotation
    from git_sched.model.json_codec import dump

    runner = Runner.from_environ(os.environ)
    found: dict[str, object] = {"unknown": "no token was given, so GitHub was not asked for the merge queue"}
    if runner.token:
        found = query_depth(Http(runner), runner.repository, runner.target_branch)
    write("merge-queue.json", dump(found))
    if "unknown" in found:
        write_out(annotation("notice", f"merge queue unknown: {found['unknown']}"), utf8=True)
    return 0


@command.command("decide")
def decide() -> int:
    """Decide, and write record, report, outputs and summary. Needs no token and no network."""
    from git_sched.github.decide import run

    return run(os.environ)


@command.command("comment")
def comment() -> int:
    """Update the pull request comment from the stored comparison."""
    from git_sched.github.comment_step import run

    return run(os.environ)


@command.command("gate")
def gate() -> int:
    """Fail if the input fail-on requires it."""
    from git_sched.github.gate import verdict
    from git_sched.github.inputs import Inputs
    from git_sched.github.runner_files import format_annotation as annotation
    from git_sched.model.json_codec import load

    fail_on = Inputs.from_environ(os.environ).fail_on
    found: Any = load(read("record.json"))
    why = verdict(found, fail_on)
    if not why:
        return 0
    write_out(annotation("error", why), utf8=True)
    return 1
