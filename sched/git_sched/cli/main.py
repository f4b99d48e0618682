"""The entry point: finds the command, and turns its result or error into an exit code."""

from __future__ import annotations

import gc
import os
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final, NoReturn

import click

from git_sched import __version__
from git_sched.model.problems import SchedError, WorldError
from git_sched.workspace import streams

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS: Final[dict[str, str]] = {
    "next": "Show which task to start next, and why.",
    "status": "List the open tasks by state: ready, held, running and blocked.",
    "explain": "Show why a task is or is not next, and what would change that.",
    "plan": "Forecast who would do which task, from when to when.",
    "take": "Take a task, so that nobody else gets it.",
    "release": "Give back a task that was taken.",
    "diff": "Show what a change finishes, frees, blocks and reorders.",
    "verify": "Check that recorded decisions can be reproduced.",
    "log": "Show how large the decisions log is, or remove its old lines.",
    "render": "Print a stored record in another format.",
    "check": "Find what is wrong in task files and policy.",
    "policy": "Show or edit the policy.",
    "init": "Write an example graph, a policy and the ignore lines for the logs.",
    "hook": "Show what comes next after each merge.",
    "schema": "Print a JSON Schema.",
    "mcp": "Answer agents through the Model Context Protocol.",
}
"""The commands in the order of the help; each is ``command`` in a module of its name, imported when it is used."""

HIDDEN: Final = frozenset({"action"})
"""Commands that no help lists: the steps of action.yml."""

ELSEWHERE: Final = {
    "list": "status --all",
    "ls": "status --all",
    "ready": "status --ready",
    "show": "explain NODE",
    "why": "explain NODE",
    "claim": "take NODE",
}
"""Names of commands in other tools, with the command that does the same here."""

BUG: Final = 70

SHOWN: Final = 200
"""Number of characters of a very long word that an error shows."""

_LONG_WORD: Final = re.compile(rf"\S{{{2 * SHOWN},}}")


class LazyGroup(click.Group):
    """A group whose commands are imported when they are needed, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import a command."""
        if cmd_name not in COMMANDS and cmd_name not in HIDDEN:
            return None
        command: click.Command = import_module(f"git_sched.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command.

        Raises:
            click.UsageError: there is no such command; the message has the one that was probably meant.
        """
        from git_sched.model.ids import did_you_mean

        if args and args[0] not in COMMANDS and args[0] not in HIDDEN and not args[0].startswith("-"):
            hint = _elsewhere(args[0]) or did_you_mean(args[0], COMMANDS) or f"commands: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


def _elsewhere(word: str) -> str:
    """Name the command that does what other tools call by this name."""
    return f"git sched {ELSEWHERE[word]} does that" if word in ELSEWHERE else ""


EXAMPLES = """Examples:

\b
  git sched next
  git sched status
  git sched explain api-contract
"""


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXAMPLES)
@click.version_option(__version__, prog_name="git-sched", message="%(prog)s %(version)s")
@click.option("-C", "starts", metavar="DIR", multiple=True, help="Run as if started in DIR (repeatable).")
@click.pass_context
def group(ctx: click.Context, starts: tuple[str, ...]) -> None:
    """Show which task to start next, from the task files and the policy committed in a repository.

    No command changes git's data. Only take, release, policy set, init, hook install and uninstall,
    log --prune, --record, --dispatch and -o write files.
    """
    ctx.obj = os.path.join(".", *starts)


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run a command and end the process with its exit code."""
    gc.disable()  # the process is short, and a large graph is millions of objects to look at
    streams.prepare()
    code = run(argv)
    gc.freeze()  # so that the end of the process does not look at every object once more
    sys.exit(code)


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code."""
    try:
        code = group.main(args=None if argv is None else list(argv), prog_name="git sched", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # of click 8.2 and later: its message is the whole help
            streams.write_err(error.format_message())
            return 2
        _say(error.format_message(), "" if error.ctx is None else f"{error.ctx.command_path} -h")
        return 2
    except click.ClickException as error:
        _say(error.format_message(), "")
        return 2
    except SchedError as error:
        _say(error.message, error.hint)
        return error.exit_code
    except SystemExit:  # click's, where the reader of a help text has left
        return 0
    except (KeyboardInterrupt, click.Abort):
        return 130
    except OSError as error:
        streams.give_up(sys.stdout)
        _say(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error), "")
        return WorldError.exit_code
    except Exception:  # noqa: BLE001 - the last resort: a bug is reported, never dumped
        return _bug()
    return code if isinstance(code, int) else 0


def _say(message: str, hint: str) -> None:
    shown = _LONG_WORD.sub(lambda found: f"{found[0][:SHOWN]}...", message)  # an argument can have any length
    streams.write_err(f"error: {streams.escape_line(shown)}")
    if hint:
        streams.write_err(f"hint: {streams.escape_line(hint)}")


def _bug() -> int:
    import platform
    import traceback

    lines = traceback.format_exc().rstrip().splitlines()
    _say("git-sched has a bug; please report what follows", "")
    streams.write_err(f"  git-sched {__version__}, Python {platform.python_version()}, {sys.platform}")
    for line in lines[-12:]:
        streams.write_err(f"  | {line}")  # so that no message begins a line, which GitHub's runner could obey
    return BUG
