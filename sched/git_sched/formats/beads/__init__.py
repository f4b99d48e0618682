"""beads: ``.beads/issues.jsonl``, one issue a line, with typed edges between them."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from git_sched.formats.base import Claim, Format, Parsed, Source, below_any_folder
from git_sched.formats.beads.edges import link
from git_sched.formats.beads.export import CONFIG, METADATA, database, named_export
from git_sched.formats.beads.issues import Issue, read_issue
from git_sched.formats.beads.lines import LineLocate, read_lines
from git_sched.formats.places import PLACES
from git_sched.formats.reading import json_text
from git_sched.formats.reading.findings import Findings
from git_sched.formats.reading.text import read_text
from git_sched.formats.reading.words import Tally, safe_id
from git_sched.model.graph import BrokenNode, Graph
from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.model.blob import Blob

LISTS: Final[tuple[str, ...]] = ("issues.jsonl", "beads.jsonl")
"""The names that beads gives to its list of issues, the current one first."""

_PLACE: Final = below_any_folder(PLACES["beads"])
_SIDE_FILE: Final = re.compile(
    r"(?:deletions|interactions|events|comments|labels|dependencies|config|routes|memor.*|audit.*|molecules|formulas"
    r"|.*\.(?:base|left|right|bak|backup|old|orig)|sync_base)\.jsonl"
)
_SAMPLE: Final = 20
"""Number of lines that are read to tell a list of issues from other files."""


def claim(paths: Iterable[str]) -> tuple[Claim, ...]:
    """Claim each folder ``.beads`` as one source: its list of issues, and the files that tell if that is up to date."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        if ".beads/" in path and _PLACE.fullmatch(path):
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder, []).append(name)
    claims = []
    for folder, names in sorted(folders.items()):
        lists = [name for name in LISTS if name in names]
        lists = lists or sorted(name for name in names if name.endswith(".jsonl") and not _SIDE_FILE.fullmatch(name))
        sides = [name for name in (CONFIG, METADATA) if name in names]
        if lists or METADATA in sides:
            claims.append(Claim(folder, tuple(f"{folder}/{name}" for name in (*lists, *sides))))
    return tuple(claims)


def parse(source: Source) -> Parsed:
    """Read the list of issues of a source as one graph."""
    by_name = {blob.path.rpartition("/")[2]: blob for blob in source.blobs}
    config, metadata = by_name.get(CONFIG), by_name.get(METADATA)
    stale = database(config, metadata)
    by_hand = source.root in {blob.path for blob in source.blobs}
    chosen = _chosen(by_name, metadata, by_hand=by_hand)
    if chosen is None:
        return Parsed((), (_no_list(source.root, stale),) if stale else ())
    parsed = _parse_list(chosen)
    if not stale:
        return parsed
    message = f"{chosen.path} is an export of a database, as {stale} shows, and may be older than that"
    warning = Problem("warning", "stale-export", message, chosen.path, hint="run bd export before you rely on it")
    return parsed._replace(problems=(*parsed.problems, warning))


def _no_list(root: str, stale: str) -> Problem:
    message = f"beads keeps its issues in a database, as {stale} shows; {root} holds no list of them that could be read"
    hint = f"run bd export -o {root}/{LISTS[0]}, or exclude {root} in the policy"
    return Problem("warning", "stale-export", message, stale, hint=hint)


def _chosen(by_name: dict[str, Blob], metadata: Blob | None, *, by_hand: bool) -> Blob | None:
    for name in (named_export(metadata), *LISTS):
        if name.endswith(".jsonl") and name in by_name and not _SIDE_FILE.fullmatch(name):
            return by_name[name]
    others = [blob for name, blob in sorted(by_name.items()) if name.endswith(".jsonl")]
    return next((blob for blob in others if by_hand or _holds_issues(blob)), None)


def _holds_issues(blob: Blob) -> bool:
    """Return whether most of the first lines have the keys that every issue has."""
    sample = list(islice((line for line in blob.data.split(b"\n") if line.strip()), _SAMPLE))
    fitting = 0
    for line in sample:
        row, _, _ = json_text.read(line.decode(errors="replace"), blob.path)
        fitting += (
            isinstance(row, dict) and {"id", "title"} <= row.keys() and bool({"status", "issue_type"} & row.keys())
        )
    return bool(sample) and 2 * fitting >= len(sample)


def _parse_list(blob: Blob) -> Parsed:
    text = read_text(blob)
    if isinstance(text, Problem):
        return Parsed((), (text,))
    texts = text.split("\n")
    lines = read_lines(texts, blob.path)
    graph_id = _graph_id(blob.path)
    items: dict[int, tuple[int, ...]] = {}
    locate = LineLocate(blob.path, texts, items)
    found, tally = Findings(locate), Tally()
    issues: list[Issue] = []
    broken = [BrokenNode(None, index) for index in lines.broken]
    for line in lines.read:
        one = read_issue(line, graph_id, found, tally=tally)
        if isinstance(one, Issue):
            issues.append(one)
        elif one is not None:
            broken.append(one)
    nodes = link(issues, broken, items=items, tally=tally)
    tally.report(found)
    unread = tuple(f"line {index + 1} of {blob.path}" for index in lines.broken)
    graph = Graph(graph_id, blob.path, "beads", locate, nodes, tuple(broken), numbered=True, unread=unread)
    return Parsed((graph,), (*lines.problems, *found.problems()))


def _graph_id(path: str) -> str:
    """Name the graph after the folder that holds ``.beads``; at the top of a workspace that name is not known."""
    found = _PLACE.fullmatch(path)
    folder = found["base"].rstrip("/").rpartition("/")[2] if found else ""
    return safe_id(folder, otherwise="beads")


def suits(blob: Blob) -> bool:
    """Return whether a file named by the user is a list of issues."""
    return blob.path.endswith(".jsonl") and _holds_issues(blob)


FORMAT: Final = Format("beads", claim, suits, parse)
