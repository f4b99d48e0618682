"""A fragment of any format, repeated: four times as much costs about four times the CPU, wherever it is in the file."""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

import pytest

from cost import grow
from git_sched.decide.factors import FACTOR_NAMES
from git_sched.decide.pipeline import decide
from git_sched.formats import by_name, policy_file
from git_sched.formats.base import Source
from git_sched.formats.graph_ids import assign_graph_ids
from git_sched.model.basis import Basis
from git_sched.model.blob import Blob
from git_sched.model.inputs import Inputs
from git_sched.model.policy import Policy
from git_sched.model.request import Request
from git_sched.model.signals import Signals
from git_sched.render.text import next as next_text
from git_sched.report.next import build_next

FOUR_TIMES: Final = 8
"""The ratio of CPU above which a cost at four times the size is not linear."""

TEN_TIMES: Final = 15

EVERYWHERE: Final = (
    "<<<<<<<\n", "<<<<<<< a\n", "<<<<<<< a\n>>>>>>>", "a", "9", "9.", " ", "\t", "\n", "\r\n", "-", "- ", "#", "# ",
    "## # ", "`", "```\n", '"', "'", "\\", "[", "]", "[]", "{", "}", "(", ")", "|", "&a ", "*a ", "!a ", "_", "*",
    "~", ":", "a: ", "a: b\n", ",", "a, ", "é", "\u2028", "<", "<a> ", "@", "/", "..", "- - ", "? ", "- a\n", "%",
    "---\n", "null, ", "{},", "[],", "1,", '"a",', '"a":1,',
)  # fmt: skip
"""Fragments that some format gives a meaning to, tried in all."""


class Place(NamedTuple):
    """A place in a file: its format and path, the text before and after what is repeated."""

    format: str
    path: str
    before: str = ""
    after: str = ""


_TM, _BD = ".taskmaster/tasks/tasks.json", ".beads/issues.jsonl"
_NATIVE, _JSON = ".metagit/tasks/graphs/g.yml", ".metagit/tasks/graphs/g.json"
_BACKLOG, _KIRO, _SPEC = "backlog/tasks/task-1 - a.md", ".kiro/specs/a/tasks.md", "specs/a/tasks.md"

PLACES: Final = (
    Place("speckit", _SPEC),
    Place("speckit", _SPEC, "# ", "x"),
    Place("speckit", _SPEC, "- [ ] T001 ", "x"),
    Place("speckit", _SPEC, "- [ ] T", " x"),
    Place("speckit", _SPEC, "- [ ] T001 a (after", "x)"),
    Place("speckit", _SPEC, "- [ ] T001 a\n  ", "x"),
    Place("kiro", _KIRO),
    Place("kiro", _KIRO, "- [ ] 1", "1a x"),
    Place("kiro", _KIRO, "- [ ] 1. a ", "x"),
    Place("kiro", _KIRO, "- [ ] 1. a\n  _Depends: ", "1a_"),
    Place("backlog", _BACKLOG),
    Place("backlog", _BACKLOG, "---\nid: TASK-1\ntitle: a", "x\n---\n"),
    Place("backlog", _BACKLOG, "---\nid: TASK-1\nassignee:\n  - @a", "x\n---\n"),
    Place("backlog", _BACKLOG, "---\nid: TASK-1\ndependencies: [", "x]\n---\n"),
    Place("backlog", _BACKLOG, "---\nid: ", "\n---\n"),
    Place("backlog", "backlog/config.yml", "a: [\nstatuses: ", "x"),
    Place("taskmaster", _TM),
    Place("taskmaster", _TM, '{"master":{"tasks":[', "]}}"),
    Place("taskmaster", _TM, '{"master":{"tasks":[{"id":1,"title":"', '"}]}}'),
    Place("taskmaster", _TM, '{"master":{"tasks":[{"id":1,"dependencies":[', "1]}]}}"),
    Place("beads", _BD),
    Place("beads", _BD, '{"id":"a-1","status":"open","dependencies":[', "1]}"),
    Place("beads", _BD, '{"id":"a-1","assignee":"', '"}'),
    Place("native", _NATIVE),
    Place("native", _NATIVE, "graph_id: g\nnodes: [", "]"),
    Place("native", _NATIVE, "graph_id: g\nnodes:\n  - node_id: a\n    depends_on: [", "x]"),
    Place("native", _NATIVE, "graph_id: g\nnodes:\n  - node_id: a\n    title: |\n      ", "\n"),
    Place("native", _JSON, '{"graph_id":"g","nodes":[{"node_id":"a",', '"title":"x"}]}'),
    Place("native", _JSON, '{"graph_id":"g","nodes":[{"node_id":"a","depends_on":[', "1]}]}"),
    Place("policy", ".metagit/schedule/policy.yml"),
    Place("policy", ".metagit/schedule/policy.yml", "version: 1\nexclude: [", "]"),
)

OWN: Final = {
    "speckit": ("- [ ] ", "- [ ] T001 a\n", "T1-", "T001 ", "[P] ", "(depends on T001) ", "after ", "# #", "**"),
    "kiro": ("- [ ] 1. a\n", "1.1", ".1", "_Depends: 1_\n", "- [ ] 1.1 a\n  - [ ] 1.1.1 b\n", "\\*", "(P)"),
    "backlog": ("TASK-1, ", "1.1", "- [a]\n", "  - [a]\n", "@a, ", "2026-01-01"),
    "taskmaster": ('{"id":1},', '{"id":1,"x":1},', "1.5,", '{"subtasks":[', '\\"', "\\ud800", "NaN,", '"a":1,"a":1,'),
    "beads": ('{"id":"a-1"}\n', "{}\n", '{"x":1},', '{"depends_on_id":"a-2","type":"odd"},', "null\n"),
    "native": ("  - node_id: a\n", "  - {}\n", "{a: b}, ", "[a],", '"b",', '{"node_id":"a"},', "**/"),
    "policy": ("preset: a\n", "**/", "weights: {}\n"),
}
"""Fragments of one format."""


def answer(place: Place, fragment: str, size: int) -> None:
    """Read a file with a fragment repeated to a number of bytes; decide and print, where it is no policy."""
    text = place.before + fragment * (size // len(fragment.encode())) + place.after
    blob = Blob(place.path, text.encode())
    if place.format == "policy":
        policy_file.parse(blob, factors=FACTOR_NAMES)
        return
    found = by_name(place.format)
    assert found is not None
    task = Blob("backlog/tasks/task-1 - a.md", b"---\nid: TASK-1\nstatus: x\n---\n")
    blobs = (blob, task) if place.path.endswith("config.yml") else (blob,)
    parsed = found.parse(Source(place.format, "backlog" if place.format == "backlog" else place.path, blobs))
    graphs = assign_graph_ids(parsed.graphs, own_repository="o/r")
    basis = Basis(inputs=((place.path, "0" * 40),), now=0, now_source="commit", clock=0)
    decided = decide(Inputs(graphs, Policy(), Signals(), basis, parsed.problems), Request())
    next_text.render(build_next(decided))


def measure(place: Place, few: int, many: int, *, most: float) -> dict[str, float]:
    """Return the fragments whose cost grows faster than it may, with the ratio of each."""
    answer(place, "a", few)  # imports and caches
    fragments = dict.fromkeys((*EVERYWHERE, *OWN[place.format]))
    ratios = {
        one: grow(lambda size, one=one: answer(place, one, size), few, many, most=most)  # type: ignore[misc]
        for one in fragments
    }
    return {one: round(ratio, 1) for one, ratio in ratios.items() if ratio > most}


every_place = pytest.mark.parametrize(
    "place", PLACES, ids=[f"{place.format}-{number}" for number, place in enumerate(PLACES)]
)


@every_place
def test_four_times_a_fragment_costs_about_four_times_the_cpu(place: Place) -> None:
    assert measure(place, 6_000, 24_000, most=FOUR_TIMES) == {}


@pytest.mark.heavy
@every_place
def test_100_000_bytes_of_a_fragment_cost_at_most_fifteen_times_10_000(place: Place) -> None:
    assert measure(place, 10_000, 100_000, most=TEN_TIMES) == {}


@pytest.mark.heavy
@every_place
def test_pairs_of_fragments_cost_no_more(place: Place) -> None:
    fragments = OWN[place.format]
    joined = ["".join(pair) for pair in product(fragments, fragments)]
    ratios = {
        one: grow(lambda size, one=one: answer(place, one, size), 10_000, 40_000, most=FOUR_TIMES)  # type: ignore[misc]
        for one in joined
    }
    assert {one: ratio for one, ratio in ratios.items() if ratio > FOUR_TIMES} == {}
