"""Publishes an answer: the record to where it is asked for, talk beside it, and the exit code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from git_sched.model.problems import WorldError
from git_sched.render import renderer
from git_sched.render.counts import count_edited, format_pointer
from git_sched.workspace.streams import write_err, write_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched import record


class Printing(NamedTuple):
    """How an answer is printed: in which format, to which file, and how much is said beside it."""

    format_name: str
    output: str | None = None
    quiet: bool = False
    verbose: bool = False


def print_answer(found: Mapping[str, Any], printing: Printing, *, quiet_format: str | None = "ids") -> None:
    """Render a record as the options say, and write it."""
    name = printing.format_name
    if name == "text" and printing.quiet and quiet_format:
        name = quiet_format
    text = renderer(str(found["kind"]), name)(found)
    if printing.output is None:
        write_out(text, utf8=name != "text")
    else:
        _write(text, printing.output)
    if name == "matrix":
        from git_sched.render.data.matrix import describe_cut

        write_err(describe_cut(cast("record.DecisionsRecord | record.ComparisonRecord", found)))


def _write(text: str, output: str) -> None:
    """Write text in one step to a file, which is named from where the command was told to start."""
    from git_sched.workspace import writing

    full = os.path.abspath(os.path.join(click.get_current_context().obj, output))
    data = text.encode(errors="backslashreplace")
    try:
        writing.replace(os.path.realpath(os.path.dirname(full)), os.path.basename(full), data)
    except OSError as error:
        raise WorldError(f"{output} cannot be written: {error.strerror or error}") from None


def exit_code(problems: Sequence[Mapping[str, Any]], *, nothing: bool = False, strict: bool = False) -> int:
    """Give the exit code of an answer: 1 for errors in the input, 3 where nothing was picked and that was asked."""
    if any(strict or problem["severity"] == "error" for problem in problems):
        return 1
    return 3 if nothing else 0


def point_to_problems(problems: Sequence[Any]) -> None:
    """Point at the problems, after the answer, unless the answer is alone on purpose."""
    write_err(format_pointer(problems))


def basis_line(found: Mapping[str, Any], *, branch: str | None) -> str:
    """Say on a terminal what the answer was computed from."""
    basis = found["basis"]
    at = f"at {basis['revision'][:7]}" if basis["revision"] else "outside any commit"
    dirty = f", {count_edited(basis)} changed since" if basis["dirty"] else ""
    on = f" on {branch}" if branch and basis["revision"] else ""
    where = f" in {basis['workspace']}" if basis["workspace"] else ""
    return f"{at}{on}{where}{dirty}, policy {basis['policy']['path'] or 'preset ' + basis['policy']['preset']}"


def signals_lines(found: Mapping[str, Any]) -> list[str]:
    """Say each signal with its source, for ``-v``."""
    lines = []
    for name, signal in found.get("signals", {}).items():
        state = "known" if signal["known"] else "unknown"
        lines.append(f"signal {name.replace('_', ' ')}: {state}, {signal['source']}")
    return lines
