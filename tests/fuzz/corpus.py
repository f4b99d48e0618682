"""What is mutated: the small workspaces of the other tests, those of `shared` where it is, policies and side files."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import repos
from sandbox import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Files = dict[str, bytes]

TESTS: Final = repos.ROOT / "tests"
LARGEST: Final = 60_000
"""Number of bytes of the largest workspace that is used; larger ones take long and reach nothing else."""

POLICIES: Final[tuple[Files, ...]] = (
    {repos.POLICY: b"version: 1\nweights: {urgency: 3, age: 1, deadline: 1}\nlimits: {total: 3, per_agent: 1}\n"},
    {repos.POLICY: b"version: 1\npreset: balanced\ngraph_overrides:\n  work: {cost: 2}\nredispatch_after: 90m\n"},
    {repos.POLICY: b"version: 1\nmerge_queue_threshold: 1\nskip_on_merge_pressure: true\nagent_pool: [ada, bo]\n"},
    {repos.POLICY: b"version: 1\nlookahead: 4\nlimits: {per_graph: 1}\nsources:\n  - path: more.json\n"},
    {".metagit/schedule/policy.json": b'{"weights": {"priority": 2.0}, "redispatch_after": "4h"}'},
)

SIDE_FILES: Final[Files] = {
    ".metagit/worktrees.json": b'{"worktrees": [{"path": "/w/ada", "repository": "web", "agent_id": "ada"}]}',
    ".metagit/merges/1.json": b'{"merge_id": "1", "repository": "web", "status": "queued"}',
    ".taskmaster/state.json": b'{"currentTag": "master"}',
    ".taskmaster/config.json": b'{"global": {"defaultTag": "master"}}',
    ".specify/feature.json": b'{"feature_directory": "specs/001-a"}',
    ".beads/redirect": b"../.beads\n",
    ".beads/metadata.json": b'{"database": "dolt"}',
    ".gitmodules": b'[submodule "a"]\n\tpath = a\n',
}

ROW: Final = (
    b'{"decision_id": "d1", "at": "2026-11-02T08:00:00Z", "graph_id": "work", "node_id": "first", "agent_id": "ada", '
    b'"skipped": false, "dispatched": true, "dispatch_hints": {"repository": "web"}, "reasons": []}\n'
)
LOGS: Final = (ROW, ROW * 30, b"\xef\xbb\xbf" + ROW, b"{}\n", b"")


@cache
def own_workspaces() -> tuple[Files, ...]:
    """Give the workspaces of this repository."""
    broken = ({f"{repos.GRAPHS}/{path.name}": path.read_bytes()} for path in (TESTS / "invalid").glob("*/*.y*ml"))
    return _sorted([*_below(TESTS / "formats" / "cases", "*/*/repo"), *_below(repos.ROOT, "docs/example"), *broken])


@cache
def all_workspaces() -> tuple[Files, ...]:
    """Give the workspaces of this repository, and those of ``shared`` where it is."""
    others = [files for kind in ("bugcases", "realcases", "real-files") for files in _below(SHARED / kind, "*/repo")]
    return _sorted([*own_workspaces(), *others])


def _sorted(found: list[Files]) -> tuple[Files, ...]:
    """Sort by what is in them, which is the same wherever the files are."""
    return tuple(sorted(filter(None, found), key=lambda files: (sum(map(len, files.values())), sorted(files.items()))))


def _below(root: Path, pattern: str) -> Iterator[Files]:
    for folder in root.glob(pattern):
        plain = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in plain if ".git" not in path.parts}
        yield files if sum(map(len, files.values())) <= LARGEST else {}
