"""Shows and edits the policy; an edit is written only if the result is a valid policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.factors import FACTOR_NAMES
from git_sched.formats import policy_file
from git_sched.formats.policy_edit import EditError, edit
from git_sched.model.blob import Blob
from git_sched.model.policy import Policy
from git_sched.model.problems import RequestError, WorldError
from git_sched.operations.answer import require_graphs
from git_sched.report.basis import build_problems
from git_sched.report.policy import build_policy
from git_sched.workspace import files, places, writing
from git_sched.workspace.metagit_marks import is_metagits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from git_sched import record
    from git_sched.formats.policy_edit import Change
    from git_sched.model.problems import Problem
    from git_sched.workspace.gather import Workspace
    from git_sched.workspace.locate import Location


class PolicyEdit(NamedTuple):
    """A checked edit: the workspace's folder, the file's path below it, and its new bytes."""

    root: str
    path: str
    data: bytes


def show_policy(workspace: Workspace) -> record.PolicyRecord:
    """Build the record of ``policy show``: the policy in force, and the problems of its file."""
    policy = workspace.inputs.policy
    named = workspace.location.question.policy
    own = {*policy_file.POLICY_PATHS, named, workspace.location.relative(named or "")}
    return {
        "schema_version": 1,
        "kind": "policy",
        "path": policy.path if policy else "",
        "policy": build_policy(policy) if policy else {},
        "presets": {"in_force": (policy or Policy()).preset},
        "problems": build_problems(p for p in workspace.inputs.problems if p.path in own),
    }


def edit_policy(workspace: Workspace, changes: Sequence[Change]) -> PolicyEdit:
    """Edit the policy's text without writing it.

    Raises:
        RequestError: the policy would be in error after the change, it is not clear which file to edit, or the file is
            committed and not checked out.
        WorldError: there is no work tree, or the policy cannot be read.
    """
    root = workspace.location.root
    if root is None:
        raise WorldError("a bare repository has no work tree to write to")
    for change in changes:
        if change.path[0] == "graph_overrides" and len(change.path) > 1:
            require_graphs(workspace, change.path[1:2])
    location = workspace.location
    path = _file(location, root)
    place = location.look(path)
    places.refuse_to_write(place, path, prefix=location.prefix)
    old = files.read(root, path) if place.state == "there" else _new(root, path)
    if isinstance(old, files.Refusal):
        raise WorldError(old.message, hint=old.hint)
    before = policy_file.parse(Blob(path, old), factors=FACTOR_NAMES)
    _refuse(path, before.problems, "is in error already")
    try:
        new = edit(old, changes, name=path)
    except EditError as error:
        raise RequestError(f"{path} cannot be edited: {error}", hint="edit it by hand") from None
    after = policy_file.parse(Blob(path, new), factors=FACTOR_NAMES)
    _refuse(path, after.problems, "would be in error")
    if after.policy and before.policy and after.policy.sources != before.policy.sources:
        _refuse_outside([entry.path for entry in after.policy.sources], root)
    new_warnings = {p.message for p in after.problems} - {p.message for p in before.problems}
    if new_warnings:
        raise RequestError(
            f"{min(new_warnings)}: metagit does not know it, and this is metagit's policy",
            hint="add version: 1 to the file to use git-sched's own keys",
        )
    return PolicyEdit(root, path, new)


def set_policy(workspace: Workspace, changes: Sequence[Change], *, announce: Callable[[str], None]) -> None:
    """Edit the policy and write it in one step, while nobody else edits it; ``announce`` gets the path before that.

    Raises:
        RequestError: as :func:`edit_policy`.
        WorldError: as :func:`edit_policy`, or the file cannot be written.
    """
    planned = edit_policy(workspace, changes)  # what is in error is refused before any folder is created
    try:
        with writing.open_to_replace(planned.root, planned.path) as part:
            change = edit_policy(workspace, changes)  # others may have edited it before the lock was there
            if change.path != planned.path:
                raise RequestError(f"{change.path} was created meanwhile", hint="try again")
            announce(change.path)
            part.write(change.data)
            part.place()
    except OSError as error:
        raise WorldError(f"{planned.path} cannot be written: {error.strerror or error}") from None


def _new(root: str, path: str) -> bytes:
    if path == policy_file.METAGIT_PATH and is_metagits(root):
        return b"{}\n"
    return b'{\n  "version": 1\n}\n' if path.endswith(".json") else b"version: 1\n"


def _file(location: Location, root: str) -> str:
    named = location.question.policy
    if named is not None:
        path = location.relative(named)
        if path is None:
            raise RequestError(f"{named} is outside the workspace")
        return path
    found = {path: location.look(path) for path in policy_file.POLICY_PATHS}
    for path, place in found.items():
        places.refuse_to_write(place, path, prefix=location.prefix)
    present = [path for path, place in found.items() if place.state == "there"]
    if conflict := policy_file.find_conflict(present):
        raise RequestError(conflict.message, hint=conflict.hint)
    return present[0] if present else policy_file.METAGIT_PATH if is_metagits(root) else policy_file.OWN_PATH


def _refuse_outside(sources: Sequence[str], root: str) -> None:
    """Refuse sources of the policy that leave the workspace, by their path or through a link."""
    for source in sources:
        plain = files.inside(source)
        if plain is None or files.is_link(root, plain):
            why = "leads out of the workspace" if plain is None else "is reached through a symbolic link"
            hint = "name a file or folder below the workspace, without a link, .. or a leading /"
            raise RequestError(f"the source {source} {why}, so nothing was written", hint=hint)


def _refuse(path: str, problems: Sequence[Problem], what: str) -> None:
    errors = [p for p in problems if p.severity == "error"]
    if errors:
        raise RequestError(f"{path} {what}: {errors[0].message}, so nothing was written", hint=errors[0].hint)
