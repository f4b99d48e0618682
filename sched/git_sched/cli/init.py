"""``git sched init``: writes an example graph, a policy and the ignore lines for the logs; or the lines for agents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import click

from git_sched.model.problems import RequestError, WorldError
from git_sched.workspace import files, places, writing
from git_sched.workspace.question import Question, resolve_start
from git_sched.workspace.streams import escape_line, write_err, write_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from git_sched.model.problems import Problem
    from git_sched.workspace.locate import Location

SHOWN = 5
"""Number of existing files that are named."""


class _Files(NamedTuple):
    """What is to be written: new files with their text, and the lines to add to the ignore file.

    ``hidden`` says what keeps the task files out of every commit.
    """

    new: tuple[tuple[str, str], ...]
    ignore: tuple[str, ...]
    found: tuple[str, ...]
    hidden: Problem | None


EXAMPLES = """Examples:

\b
  git sched init
  git sched init --workspace services/shop
  git sched init --agents -o AGENTS.md
"""


@click.command("init", epilog=EXAMPLES)
@click.option("--workspace", metavar="DIR", help="Workspace folder (default: the nearest one at or above this folder).")
@click.option("--agents", is_flag=True, help="Only print the lines that an AGENTS.md or a system prompt needs.")
@click.option("-o", "output", metavar="FILE", help="With --agents, add the lines to FILE, unless it has them already.")
@click.pass_obj
def command(start: str, /, workspace: str | None, output: str | None, *, agents: bool) -> int:
    """Write an example graph, a policy and the ignore lines for the logs.

    Nothing is overwritten. If there are task files already, they are used and no example is written.
    """
    if agents:
        return _tell_agents(start, output)
    if output is not None:
        raise RequestError("-o needs --agents: the other files have fixed places")
    from git_sched.workspace import git
    from git_sched.workspace.locate import locate

    question = resolve_start(Question(start, workspace=workspace, environment=os.environ))
    found = git.find_repository(question.start, question.environment)
    try:
        location = locate(question, found)
        if location.root is None:
            raise RequestError("there is no work tree here to write to", hint="run this in a clone")
        plan = _plan(location, location.root)
    finally:
        if found is not None:
            found.close()
    write_out("".join(f"{escape_line(line)}\n" for line in (*_found(plan), *_announced(plan))))
    _write(location.root, plan)
    if plan.hidden:
        write_err(f"{plan.hidden.message}\nhint: {plan.hidden.hint}")
    write_out(f"\n{_next(plan)}\n")
    return 0


def _tell_agents(start: str, output: str | None) -> int:
    """Print the lines for agents, or add them to a file, whose path is relative to the folder that ``-C`` names."""
    from git_sched.operations.agent_lines import AGENT_LINES

    if output is None:
        write_out(AGENT_LINES)
        return 0
    full = os.path.abspath(os.path.join(start, output))
    root, name = os.path.realpath(os.path.dirname(full)), os.path.basename(full)
    lines = AGENT_LINES.rstrip().encode()
    _refuse_committed(root, name)
    try:
        text = files.read(root, name) if files.exists(root, name) else b""
        if isinstance(text, files.Refusal):
            raise WorldError(text.message, hint=text.hint)
        if lines not in text:
            writing.append(root, name, b"\n" * bool(text) + lines + b"\n")
    except OSError as error:
        raise WorldError(f"{output} cannot be written: {error.strerror or error}") from None
    write_out(f"{'found   the lines in' if lines in text else 'adds    the lines to'} {escape_line(output)}\n")
    return 0


def _refuse_committed(root: str, name: str) -> None:
    """Refuse to write a file that is committed, and not checked out, in the repository that a folder belongs to."""
    from git_sched.workspace import git
    from git_sched.workspace.locate import locate

    found = git.find_repository(root, os.environ) if places.is_folder(root) else None
    if found is None:
        return
    try:
        location = locate(Question(root, environment=os.environ), found)
        if location.checkout is not None:
            path = os.path.relpath(os.path.join(root, name), os.path.realpath(location.checkout.top))
            places.refuse_to_write(location.checkout.look(path), path)
    finally:
        found.close()


def _plan(location: Location, root: str) -> _Files:
    from git_sched.formats.places import EVERY_PLACE
    from git_sched.formats.policy_file import POLICY_PATHS
    from git_sched.operations.starter_files import GRAPH, GRAPH_PATH
    from git_sched.workspace.hidden import find_hiding
    from git_sched.workspace.locate import list_committed_tasks

    seen = places.expand_all(root, EVERY_PLACE)
    for block in seen.blocked:
        if not block.is_link:
            raise WorldError(f"{block.why}, so nothing was written", hint=places.HINT)
    found = (
        *seen.paths,
        *(path for path in list_committed_tasks(location, location.prefix) if location.look(path).kept_out),
    )
    policies = [path for path in POLICY_PATHS if location.look(path).state == "there"]
    new = (*([] if found else [(GRAPH_PATH, GRAPH)]), *([] if policies else [_policy(root)]))
    for path in (*(name for name, _ in new), *([] if policies else POLICY_PATHS)):
        places.refuse_to_write(location.look(path), path, prefix=location.prefix)
        if files.is_link(root, path):
            raise RequestError(f"{path} is reached through a symbolic link, which is not followed")
    hidden = find_hiding(location, found or [GRAPH_PATH])
    return _Files(new, _unignored(location, root), (*found, *policies), hidden)


def _policy(root: str) -> tuple[str, str]:
    """Return the path and text of a new policy: git-sched's own or, where metagit made the workspace, one for both."""
    from git_sched.formats.policy_file import METAGIT_PATH
    from git_sched.operations.starter_files import POLICY_PATH, build_metagit_policy, build_policy
    from git_sched.workspace.metagit_marks import is_metagits

    return (METAGIT_PATH, build_metagit_policy()) if is_metagits(root) else (POLICY_PATH, build_policy())


def _unignored(location: Location, root: str) -> tuple[str, ...]:
    """Find the ignore lines that are missing; outside git there are none.

    A tracked log is not ignored whatever the lines are, so lines that are there are not added again.
    """
    from git_sched.operations.starter_files import IGNORE_PATH, LOGS

    if location.git is None or location.top is None:
        return ()
    text = files.read(root, IGNORE_PATH) if files.exists(root, IGNORE_PATH) else b""
    if isinstance(text, files.Refusal):  # checked before git is, which would wait for a pipe
        raise WorldError(text.message, hint=text.hint)
    logs = {log: f"{location.prefix}{log}{'scheduler.jsonl' if log.endswith('/') else ''}" for log in LOGS}
    ignored = location.git.ignored(location.top, tuple(logs.values()))
    there = text.decode(errors="replace").splitlines()
    missing = tuple(log for log, path in logs.items() if path not in ignored and log not in there)
    if missing:
        places.refuse_to_write(location.look(IGNORE_PATH), IGNORE_PATH, prefix=location.prefix)
    return missing


def _found(plan: _Files) -> Iterator[str]:
    for path in plan.found[:SHOWN]:
        yield f"found   {path}"
    if len(plan.found) > SHOWN:
        yield f"found   {len(plan.found) - SHOWN} more"


def _announced(plan: _Files) -> Iterator[str]:
    from git_sched.operations.starter_files import IGNORE_PATH

    for path, _ in plan.new:
        yield f"writes  {path}"
    if plan.ignore:
        yield f"adds    {', '.join(plan.ignore)} to {IGNORE_PATH}"
    if not plan.new and not plan.ignore:
        yield "nothing to write: all of it is there"


def _write(root: str, plan: _Files) -> None:
    from git_sched.operations.starter_files import IGNORE, IGNORE_PATH

    path = IGNORE_PATH
    try:
        for path, text in plan.new:
            writing.create(root, path, text.encode())
        if plan.ignore:
            path = IGNORE_PATH
            _append(root, path, (IGNORE, *plan.ignore))
    except OSError as error:
        raise WorldError(f"{path} cannot be written: {error.strerror or error}") from None


def _append(root: str, path: str, lines: Sequence[str]) -> None:
    writing.append(root, path, "".join(f"{line}\n" for line in lines).encode())


def _next(plan: _Files) -> str:
    from git_sched.operations.starter_files import GRAPH_PATH

    if any(path == GRAPH_PATH for path, _ in plan.new):
        return f"next: put your own tasks into {GRAPH_PATH}, commit it, and ask: git sched next"
    return "next: git sched next says which task comes first, git sched check what is wrong in the files"
