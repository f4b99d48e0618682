"""``git sched hook install``, ``uninstall`` and ``run``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from git_sched.hooks import NAMES
from git_sched.workspace.streams import escape_line, give_up, write_err, write_out


@click.group("hook")
def command() -> None:
    """Say what comes next after each merge, by git's hooks."""


@command.command("run", context_settings={"ignore_unknown_options": True})
@click.argument("name", metavar="NAME")
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def run(start: str, /, name: str, args: tuple[str, ...]) -> int:
    """Do what the hook NAME does; git gives ARGS.

    Says nothing unless the move changed a task file or the policy. Writes nothing, takes five seconds at most and
    always ends with 0, whatever happens: a merge is never held up.
    """
    from git_sched.hooks import time_limit

    time_limit.start_timer()
    if name not in NAMES:
        write_err(f"sched: no hook of git-sched is called {name!r}; there are {', '.join(NAMES)}")
        return 0
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
    """Say in one line that there is no answer, and where to ask for it."""
    from git_sched.render.layout import clean

    with suppress(Exception):
        write_out(f"sched: no answer after this merge ({clean(str(error), limit=120)}); git sched next asks again\n")
    give_up(sys.stdout)


@command.command("install")
@click.pass_obj
def install(start: str, /) -> int:
    """Put the hooks into git's hook folder; hooks that are there already are kept and run first.

    Writes only where the folder is outside every work tree: what is inside can be changed by a merge. Elsewhere
    prints the lines to add by hand.
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


@command.command("uninstall")
@click.pass_obj
def uninstall(start: str, /) -> int:
    """Take the hooks away again, and put those that were there before back."""
    from git_sched.hooks.hooks_path import find_hooks_path
    from git_sched.hooks.install import uninstall

    place = find_hooks_path(start, os.environ)
    said = tuple(dict.fromkeys(line for folder in place.folders for line in uninstall(folder)))
    write_out(
        "".join(f"{escape_line(line)}\n" for line in said)
        or "nothing to remove: no hook of git-sched is installed here\n"
    )
    return 0
