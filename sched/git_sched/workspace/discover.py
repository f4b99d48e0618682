"""Discovers, reads and parses the files that hold the tasks and the policy of a workspace."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from git_sched.formats import by_name, claim_all, detect, policy_file
from git_sched.formats.base import Claim, Source
from git_sched.formats.places import EVERY_PLACE, FOLDERS, PLACES
from git_sched.formats.policy_file import PolicyRead
from git_sched.model.basis import digest
from git_sched.model.blob import Blob
from git_sched.model.policy import Policy
from git_sched.model.problems import Problem
from git_sched.workspace import files
from git_sched.workspace.locate import MARKER, named_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.formats.base import Format
    from git_sched.model.graph import Graph
    from git_sched.workspace.locate import Location
    from git_sched.workspace.reader import Reader


class ListedSource(NamedTuple):
    """A source that was read: its path, its format and the ids of its graphs as they are in the file."""

    path: str
    format: str
    graph_ids: tuple[str, ...]


class DiscoveredGraphs(NamedTuple):
    """All graphs of a workspace, the sources they came from, and the problems of their files."""

    listed: tuple[ListedSource, ...]
    graphs: tuple[Graph, ...]
    problems: tuple[Problem, ...]


def read_policy(reader: Reader, location: Location, *, factors: tuple[str, ...]) -> PolicyRead:
    """Read the policy: the one that was named, or the one in its usual place, or the defaults. Two are an error."""
    named = location.question.policy
    if named is not None:
        path = location.relative(named)
        if path is not None and reader.exists(path):
            return _parse_policy(reader.read(path), factors)
        return _parse_policy(_named_on_disk(reader, location, named), factors)
    folder = policy_file.POLICY_PATHS[0].rpartition("/")[0]
    if not (reader.lists(folder) and all(map(reader.sees, policy_file.POLICY_PATHS))):
        return PolicyRead(None, ())
    present = [path for path in policy_file.POLICY_PATHS if reader.exists(path)]
    if conflict := policy_file.find_conflict(present):
        return PolicyRead(None, (conflict,))
    if not present:
        return PolicyRead(Policy(), ())
    return _parse_policy(reader.read(present[0]), factors)


def _parse_policy(found: Blob | Problem | None, factors: tuple[str, ...]) -> PolicyRead:
    """Parse a policy; what cannot be read is a problem, either this one or one that the reader has."""
    if isinstance(found, Blob):
        return policy_file.parse(found, factors=factors)
    return PolicyRead(None, (found,) if found else ())


def _named_on_disk(reader: Reader, location: Location, named: str) -> Blob | Problem:
    """Read a policy from the disk that was named explicitly and is not in the commit that is read, for a what-if."""
    data = files.read(*named_file(location.question.start, named))
    if isinstance(data, files.Refusal):
        return Problem("error", data.code, data.message, named, hint=data.hint)
    blob = Blob(named, data, digest(data.decode("latin-1")))
    reader.inputs[named] = blob.object_id
    if location.commit is not None:
        reader.dirty.add(named)
    return blob


def read_graphs(reader: Reader, location: Location, policy: Policy) -> DiscoveredGraphs:
    """Find and read every task file: the policy's ``sources`` or all that are discovered, and those that were named."""
    problems: list[Problem] = []
    listed: list[ListedSource] = []
    graphs: list[Graph] = []
    for format_, claim in _claims(reader, location, policy, problems=problems):
        read = {path: reader.read(path) for path in claim.paths}
        blobs = tuple(blob for blob in read.values() if blob)
        if blobs:
            unread = tuple(path for path, blob in read.items() if not blob and reader.has(path))
            parsed = format_.parse(Source(format_.name, claim.root, blobs, unread))
            graphs.extend(parsed.graphs)
            problems.extend(parsed.problems)
            listed.append(ListedSource(claim.root, format_.name, tuple(graph.graph_id for graph in parsed.graphs)))
    return DiscoveredGraphs(tuple(listed), tuple(graphs), tuple(problems))


def _claims(
    reader: Reader, location: Location, policy: Policy, *, problems: list[Problem]
) -> list[tuple[Format, Claim]]:
    names, blocked = reader.find(EVERY_PLACE)
    graphs = {named: location.relative(named) or named for named in location.question.graphs}
    named_folders = [*graphs.values(), *(entry.path for entry in policy.sources)]
    if policy.sources:
        found = [c for entry in policy.sources for c in _claim_one(reader, names, entry.path, entry.format, problems)]
    else:
        found = list(claim_all(path for path in names if not is_excluded(path, policy.exclude)))
    for block in blocked:
        if is_excluded(block.at, named_folders) or not (policy.sources or is_excluded(block.at, policy.exclude)):
            is_error = not block.is_link or block.at.startswith(MARKER)
            reader.report_blocked(block, severity="error" if is_error else "warning")
    if not policy.sources:
        _look_into(reader, names, exclude=(*policy.exclude, *(block.at for block in blocked)))
    for path in graphs.values():
        more = _claim_one(reader, names, path, None, problems)
        claimed = {path for _, claim in found for path in claim.paths}
        found.extend(one for one in more if not claimed.issuperset(one[1].paths))
    return list(dict.fromkeys(found))


def _look_into(reader: Reader, names: tuple[str, ...], *, exclude: tuple[str, ...]) -> None:
    """Report what is in the place of a tracker's folder and hides everything that may be in it."""
    for folder in FOLDERS:
        at = bisect_left(names, f"{folder}/")
        if names[at : at + 1] and names[at].startswith(f"{folder}/"):
            continue  # reading a file that was found reports what is wrong on the way to it
        if not is_excluded(folder, exclude):
            reader.lists(folder, severity="error" if folder.startswith(MARKER) else "warning")


def is_excluded(path: str, exclude: Iterable[str]) -> bool:
    """Whether a path is one that the policy excludes, or below one."""
    return any(path == out or path.startswith(f"{out.rstrip('/')}/") for out in exclude)


def _claim_one(
    reader: Reader, names: tuple[str, ...], path: str, name: str | None, problems: list[Problem]
) -> list[tuple[Format, Claim]]:
    """Claim a file, or all of a folder, that was named by the user."""
    wanted = by_name(name) if name is not None else None
    if name is not None and wanted is None:
        known = ", ".join(PLACES)
        problems.append(Problem("error", "unknown-word", f"{name} is no format", path, hint=f"known: {known}"))
        return []
    below = [p for p in names if p.startswith(f"{path.rstrip('/')}/")]
    if below:
        return [(format_, claim) for format_, claim in claim_all(below) if wanted in {None, format_}]
    blob = reader.read(path)
    chosen = (wanted or detect(blob)) if blob else None
    if blob and chosen is None:
        hint = "name its format in the policy's sources"
        problems.append(Problem("error", "not-a-tracker", "this file is in no known format", path, hint=hint))
    return [(chosen, Claim(path, (path,)))] if chosen else []
