"""Prints an answer to stdout or a file, notes to stderr, and finds the exit code."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from git_sched.model.phrases import UNNAMED
from git_sched.model.problems import WorldError
from git_sched.model.screen import Screen
from git_sched.model.times import LATEST, format_time
from git_sched.render import ON_SCREEN, renderer
from git_sched.render.counts import count_edited, format_pointer
from git_sched.render.outcome import TIMES
from git_sched.render.tasks import name_task
from git_sched.render.terminal import RED
from git_sched.workspace.streams import has_stdout, measure_screen, write_err, write_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.graph import Graph
    from git_sched.operations.answer import Recorded


class Printing(NamedTuple):
    """How an answer is printed: in which format, to which file, and with how many notes."""

    format_name: str
    output: str | None = None
    quiet: bool = False
    verbose: bool = False

    @property
    def screen(self) -> Screen:
        """The screen that the answer is printed on; a file takes all characters and has neither colors nor a width."""
        if self.output is not None:
            return Screen(utf8=True, verbose=self.verbose)
        return measure_screen(sys.stdout, os.environ, paged=True)._replace(verbose=self.verbose)

    @property
    def for_people(self) -> bool:
        """Whether notes for people are printed."""
        return self.format_name == "text" and not self.quiet


def print_answer(found: Mapping[str, Any], printing: Printing, *, quiet_format: str | None = "ids") -> bool:
    """Render a record as the options require, and write it; return whether its reader was still there.

    Raises:
        WorldError: the output file cannot be written.
    """
    kind, name = str(found["kind"]), printing.format_name
    if name == "text" and printing.quiet and quiet_format:
        name = quiet_format
    render = renderer(kind, name)
    text = render(found, printing.screen) if name == "text" and kind in ON_SCREEN else render(found)
    is_read = True
    if printing.output is None:
        is_read = write_out(text, utf8=name != "text")
    else:
        _write(text, printing.output)
    if name == "matrix":
        from git_sched.render.data.matrix import describe_cut

        write_err(describe_cut(cast("record.DecisionsRecord | record.ComparisonRecord", found)))
    return is_read


def print_taken(found: Mapping[str, Any], printing: Printing, recorded: Recorded) -> bool:
    """Print a recorded answer; where that fails, or its reader has left, give back what it has taken.

    Raises:
        WorldError: the answer cannot be written.
    """
    try:
        is_read = print_answer(found, printing) and (printing.output is not None or not recorded.taken or has_stdout())
    except WorldError as error:
        raise WorldError(error.message, hint=_give_back(recorded) or error.hint) from None
    except BaseException:
        write_err(_give_back(recorded))
        raise
    if not is_read:
        write_err(_give_back(recorded))
    return is_read


def _give_back(recorded: Recorded) -> str:
    if not recorded.taken:
        return ""
    from git_sched.operations.log import give_back

    return give_back(recorded)


def _write(text: str, output: str) -> None:
    """Write text in one step to a file, whose path is relative to the folder that ``-C`` names."""
    from git_sched.workspace import writing

    full = os.path.abspath(os.path.join(click.get_current_context().obj, output))
    data = text.encode(errors="backslashreplace")
    try:
        writing.replace(os.path.realpath(os.path.dirname(full)), os.path.basename(full), data)
    except OSError as error:
        raise WorldError(f"{output} cannot be written: {error.strerror or error}") from None


def exit_code(answer: Answer, *, strict: bool, nothing: bool = False) -> int:
    """Return the exit code of an answer.

    1 if the policy is in error, a file named by ``--graph`` cannot be read, or, with ``strict``, anything in the input
    is an error; else 3 if nothing was picked and ``--exit-code`` is given (``nothing``); else 0.
    """
    errors = [problem for problem in answer.problems if problem.severity == "error"]
    unread = {path for path in answer.request.graphs if not _is_read(path, answer.inputs.graphs)}
    is_unread = any(_is_or_is_below(path, problem.path) for path in unread for problem in errors if problem.path)
    if answer.outcome == "refused" or (strict and errors) or is_unread:
        return 1
    return 3 if nothing else 0


def _is_or_is_below(path: str, other: str) -> bool:
    """Return whether a path is another one, or leads through it."""
    return f"{path}/".startswith(f"{other}/")


def _is_read(path: str, graphs: Sequence[Graph]) -> bool:
    """Whether a graph was read from this file, or from a folder that it is in, and the file could be read."""
    sources = [graph for graph in graphs if _is_or_is_below(path, graph.path)]
    return bool(sources) and not any(path in graph.unread for graph in sources)


def point_to_problems(problems: Sequence[Any], *, only_errors: bool = False) -> None:
    """Print the number of problems and the command that shows them; with ``only_errors`` if one is an error."""
    has_errors = any(problem["severity"] == "error" for problem in problems)
    if only_errors and not has_errors:
        return
    write_err(format_pointer(problems), style=RED if has_errors else "")


def format_basis(found: Mapping[str, Any], *, branch: str | None) -> str:
    """Write what the answer was computed from, and as of when, if a time was used."""
    basis = found["basis"]
    at = f"at {basis['revision'][:7]}" if basis["revision"] else "outside any commit"
    dirty = f", {count_edited(basis)} changed since" if basis["dirty"] else ""
    on = f" on {branch}" if branch and basis["revision"] else ""
    where = f" in {basis['workspace']}" if basis["workspace"] else ""
    policy = basis["policy"]["path"] or f"preset {basis['policy']['preset']}"
    time = f", as of {basis['now']}{TIMES.get(basis['now_source'], '')}" if basis["now"] else ""
    return f"{at}{on}{where}{dirty}, policy {policy}{time}"


def format_taken(found: record.DecisionsRecord, answer: Answer) -> str:
    """Write until when the picks of an answer are held for their agents, and how to give one back."""
    from git_sched.operations.log import find_hold_start

    after, picks = answer.metrics.policy.redispatch_after, found["decisions"]
    if after is None or not picks:
        return ""
    ends = [min(find_hold_start(answer, pick) + after, LATEST) for pick in picks]
    until = format_time(min(ends))
    if len(picks) > 1:
        first = "" if len(set(ends)) == 1 else ", the first of them"
        return f"{len(picks)} tasks are held{first} until {until}; git sched release NODE --agent NAME gives one back"
    who = picks[0]["agent_id"]
    name = name_task(picks[0]["graph_id"], picks[0]["node_id"], qualified=found["qualified"])
    flag = f" --agent {who}" if who else ""
    return f"held for {who or UNNAMED} until {until}; git sched release {name}{flag} gives it back"


def format_signals(found: Mapping[str, Any]) -> list[str]:
    """Write each signal with its source, for ``-v``."""
    lines = []
    for name, signal in found.get("signals", {}).items():
        state = "known" if signal["known"] else "unknown"
        lines.append(f"signal {name.replace('_', ' ')}: {state}, {signal['source']}")
    return lines
