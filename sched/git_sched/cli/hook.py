"""``git sched hook``: installs, removes and runs git hooks that show what comes next after each merge."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from git_sched.hooks import NAMES
from git_sched.workspace.streams import escape_line, give_up, write_err, write_out

EXAMPLES = """Examples:

\b
  git sched hook install
  git sched hook uninstall
"""


@click.group("hook", epilog=EXAMPLES)
def command() -> None:
    """Show what comes next after each merge, with git hooks."""


@command.command("run", context_settings={"ignore_unknown_options": True})
@click.argument("name", metavar="NAME")
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def run(start: str, /, name: str, args: tuple[str, ...]) -> int:
    """Run the hook NAME with the arguments ARGS that git passes to it.

    It prints nothing unless the merge, rebase or switch changed a task file or the policy. It writes nothing, takes at
    most five seconds and always exits with 0, so that it never stops a merge.
    """
    from git_sched.hooks import time_limit

    if name not in NAMES:
        write_err(f"sched: no hook of git-sched is called {name!r}; there are {', '.join(NAMES)}")
        return 0
    with time_limit.limit_time():
        try:
            from git_sched.hooks.head_moves import parse_call
            from git_sched.hooks.run import is_silenced, run

            if not is_silenced(os.environ):
                said = run(parse_call(name, args, os.environ), start=os.path.abspath(start), environment=os.environ)
                time_limit.stand_by()
                write_out(said)
        except Exception as error:  # noqa: BLE001 - a merge is not the place to report a bug in this program
            time_limit.stand_by()
            _hush(error)
    return 0


def _hush(error: Exception) -> None:
    """Print in one line that there is no answer, and the command that gives one."""
    from git_sched.render.layout import clean

    with suppress(Exception):
        write_out(f"sched: no answer after this merge ({clean(str(error), limit=120)}); git sched next asks again\n")
    give_up(sys.stdout)


@command.command("install", epilog=EXAMPLES)
@click.pass_obj
def install(start: str, /) -> int:
    """Install the hooks; existing ones still run, before these.

    Nothing is written to a hook folder inside a work tree, since a merge could change what is in it. Instead, the lines
    to add by hand are printed.
    """
    from git_sched.hooks.hooks_path import find_hooks_path
    from git_sched.hooks.install import install
    from git_sched.hooks.script import manual_instructions

    place = find_hooks_path(start, os.environ)
    if place.manager is not None:
        write_out(manual_instructions(place.manager, where=place.shown))
        return 0
    for said in install(place.folder):
        write_out(f"{escape_line(said)}\n")
    return 0


@command.command("uninstall", epilog=EXAMPLES)
@click.pass_obj
def uninstall(start: str, /) -> int:
    """Remove the hooks, and restore those that were there before."""
    from git_sched.hooks.hooks_path import find_hooks_path
    from git_sched.hooks.install import uninstall

    place = find_hooks_path(start, os.environ)
    said = tuple(dict.fromkeys(line for folder in place.folders for line in uninstall(folder)))
    write_out(
        "".join(f"{escape_line(line)}\n" for line in said)
        or "nothing to remove: no hook of git-sched is installed here\n"
    )
    return 0
