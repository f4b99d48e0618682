"""Reads the task files of a folder through the registry of formats, as far as the network, without git."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from git_sched.decide.dependency_graph import build
from git_sched.decide.diagnose import diagnose
from git_sched.decide.ready import assess
from git_sched.formats import claim_all
from git_sched.formats.base import Source
from git_sched.formats.graph_ids import assign_graph_ids
from git_sched.model.blob import Blob
from git_sched.model.problems import sort_problems

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from git_sched.decide.dependency_graph import DependencyGraph
    from git_sched.decide.ready.readiness import Readiness
    from git_sched.model.graph import Graph
    from git_sched.model.problems import Problem

NOW = 1_793_610_000
"""2026-11-02T09:00:00Z."""


class Reading(NamedTuple):
    """What a folder holds."""

    graphs: tuple[Graph, ...]
    network: DependencyGraph
    readiness: Readiness
    problems: tuple[Problem, ...]

    @property
    def ready(self) -> list[str]:
        """The full names of the nodes that are ready, sorted."""
        return sorted(self.network.nodes[i].name for i in self.readiness.ready)


def files_of(folder: Path) -> dict[str, bytes]:
    """Give the files below a folder by path."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items()}


def read(files: Mapping[str, bytes]) -> Reading:
    """Read files as the workspace would that holds nothing else."""
    graphs: list[Graph] = []
    problems: list[Problem] = []
    for known, claim in claim_all(files):
        blobs = tuple(Blob(path, files[path]) for path in claim.paths)
        parsed = known.parse(Source(known.name, claim.root, blobs))
        graphs.extend(parsed.graphs)
        problems.extend(parsed.problems)
    network = build(assign_graph_ids(graphs, own_repository=None))
    readiness = assess(network, now=NOW, on_cancelled="block")
    problems.extend(diagnose(network, readiness))
    return Reading(tuple(graphs), network, readiness, sort_problems(problems))
