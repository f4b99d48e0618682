"""``git sched policy show`` and ``git sched policy set``."""

from __future__ import annotations

import os
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

import click

from git_sched import files
from git_sched.cli.options import options_from, printing, reading
from git_sched.cli.publish import exit_code, point_at, publish
from git_sched.cli.streams import talk
from git_sched.problems import RequestError, WorldError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.policy_edit import Change
    from git_sched.workspace import Gathered


@click.group("policy")
def command() -> None:
    """Show or edit the policy."""


@command.command("show")
@reading
@printing("text", "json")
@click.pass_obj
def show(start: str, /, **given: Any) -> int:
    """Show the policy in force: what each factor weighs, and the limits and gates."""
    from git_sched import report
    from git_sched.answers import policy_record
    from git_sched.formats.policy_file import PLACES
    from git_sched.policy import Policy
    from git_sched.workspace import gather

    gathered = gather(options_from(start, given))
    policy = gathered.inputs.policy
    own = {*PLACES, given["policy"], gathered.ground.relative(given["policy"] or "")}
    problems = report.problems(p for p in gathered.inputs.problems if p.path in own)
    found = {
        "schema_version": 1,
        "kind": "policy",
        "path": policy.path if policy else "",
        "policy": policy_record(policy) if policy else {},
        "presets": {"in_force": (policy or Policy()).preset},
        "problems": problems,
    }
    publish(found, given, quiet_format=None)
    point_at(problems)
    return exit_code(problems)


@command.command("set")
@click.option("--weight", "weights", metavar="FACTOR=N", multiple=True, help="What a factor weighs.")
@click.option("--graph-id", "graph_id", metavar="ID", help="Set the weights for this graph alone.")
@click.option("--preset", metavar="NAME", help="balanced or rfc-0012.")
@click.option("--threshold", "merge_queue_threshold", type=int, help="Merges queued before pressure counts.")
@click.option("--penalty", "merge_pressure_penalty", type=float, help="Points that merge pressure costs.")
@click.option("--skip/--no-skip", "skip_on_merge_pressure", default=None, help="Pass over nodes under pressure.")
@click.option("--limit", "limits", metavar="NAME=N", multiple=True, help="A limit: total, per_repository, ...")
@click.option("--set", "others", metavar="KEY=VALUE", multiple=True, help="Any other key; the value as in YAML.")
@reading
@printing("text", "json")
@click.pass_obj
def set_(start: str, /, **given: Any) -> int:
    """Set values in the policy file; comments and order stay. Without a file, make one."""
    from git_sched.workspace import gather

    if given["rev"] is not None:
        raise RequestError("policy set edits the work tree; --rev has no place here")
    gathered = gather(options_from(start, given))
    changes = _changes(given)
    if not changes:
        raise RequestError("there is nothing to set", hint="git sched policy set --weight urgency=3")
    _known_graph(gathered, given["graph_id"])
    _edit(gathered, changes, named=given["policy"])
    return show.callback(**{name: given.get(name) for name in _SHOWN}) if show.callback else 0


_SHOWN = (
    "workspace", "rev", "graphs", "policy", "worktrees", "merge_queue", "decisions", "now",
    "as_json", "format_", "output", "quiet", "verbose",
)  # fmt: skip


def _changes(given: dict[str, Any]) -> list[Change]:
    from git_sched.policy_edit import Change

    head = ("graph_overrides", given["graph_id"]) if given["graph_id"] else ("weights",)
    changes = [Change((*head, name), _number(value, name)) for name, value in map(_pair, given["weights"])]
    if given["graph_id"] and not changes:
        raise RequestError("--graph-id needs a --weight to set for it")
    changes += [Change(("limits", name), _number(value, name)) for name, value in map(_pair, given["limits"])]
    for key in ("preset", "merge_queue_threshold", "merge_pressure_penalty", "skip_on_merge_pressure"):
        if given[key] is not None:
            changes.append(Change((key,), given[key]))
    changes += [Change(tuple(name.split(".")), _value(value)) for name, value in map(_pair, given["others"])]
    return changes


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise RequestError(f"{text!r} is not NAME=VALUE")
    return name.strip(), value.strip()


def _number(text: str, name: str) -> float | int:
    try:
        found = float(text)
    except ValueError:
        found = nan
    if not isfinite(found):
        raise RequestError(f"{name}={text} is no number")
    return int(found) if text.lstrip("+-").isdigit() else found


def _value(text: str) -> object:
    from git_sched.formats import yaml_text

    value, problems = yaml_text.read(text, "the command line")
    if problems:
        raise RequestError(f"{text!r} cannot be read: {problems[0].message}")
    return value


def _known_graph(gathered: Gathered, graph_id: str | None) -> None:
    from git_sched.ids import did_you_mean

    known = sorted({graph.graph_id for graph in gathered.inputs.graphs})
    if graph_id is not None and graph_id not in known:
        raise RequestError(f"no graph is called {graph_id}", hint=did_you_mean(graph_id, known))


def _edit(gathered: Gathered, changes: Sequence[Change], *, named: str | None) -> None:
    """Edit the file, make sure that the result is a good policy, and only then write it."""
    from git_sched.formats import policy_file
    from git_sched.formats.base import Blob
    from git_sched.policy_edit import EditError, edit

    root = gathered.ground.root
    if root is None:
        raise WorldError("a bare repository has no work tree to write to")
    path = _file(gathered, root, named)
    old = files.read(root, path) if files.exists(root, path) else _new(path)
    if isinstance(old, files.Refusal):
        raise WorldError(old.message, hint=old.hint)
    before = policy_file.parse(Blob(path, old))
    _refuse(path, before.problems, "is in error already")
    try:
        new = edit(old, changes, name=path)
    except EditError as error:
        raise RequestError(f"{path} cannot be edited: {error}", hint="edit it by hand") from None
    after = policy_file.parse(Blob(path, new))
    _refuse(path, after.problems, "would be in error")
    new_warnings = {p.message for p in after.problems} - {p.message for p in before.problems}
    if new_warnings:
        raise RequestError(
            f"{min(new_warnings)}: metagit does not know it, and this is metagit's policy",
            hint="add version: 1 to the file to use git-sched's own keys",
        )
    talk(f"writing {path}")
    try:
        files.replace(root, path, new)
    except OSError as error:
        raise WorldError(f"{path} cannot be written: {error.strerror or error}") from None


def _new(path: str) -> bytes:
    return b'{\n  "version": 1\n}\n' if path.endswith(".json") else b"version: 1\n"


def _file(gathered: Gathered, root: str, named: str | None) -> str:
    from git_sched.formats.policy_file import PLACES

    if named is not None:
        path = gathered.ground.relative(named)
        if path is None:
            raise RequestError(f"{named} lies outside the workspace")
        return path
    present = [path for path in PLACES if os.path.lexists(os.path.join(root, path))]
    if len(present) > 1:
        raise RequestError(f"there are {len(present)} policies: {', '.join(present)}", hint="keep one of them")
    return present[0] if present else PLACES[0]


def _refuse(path: str, problems: Sequence[Any], what: str) -> None:
    errors = [p for p in problems if p.severity == "error"]
    if errors:
        raise RequestError(f"{path} {what}: {errors[0].message}, so nothing was written", hint=errors[0].hint)
