"""Scale: 200 000 nodes in a chain, a star or a cycle are answered, and every pass is linear in nodes and edges."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from git_sched.decide.dependency_graph import build
from git_sched.decide.diagnose import diagnose
from git_sched.decide.metrics.estimates import estimate
from git_sched.decide.metrics.passes import sweep
from git_sched.decide.pick.collisions import Footprints
from git_sched.decide.ready import assess
from git_sched.model.graph import Graph, Node, Place
from git_sched.render.text import status
from git_sched.report import explain
from git_sched.report.next import build_next
from git_sched.report.status import build_status, select_tasks
from sandbox import start, write
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from git_sched.decide.dependency_graph import DependencyGraph

MANY: Final = 200_000
Waits = list[list[int]]
"""For each node, by number, the numbers of those it waits for."""


def chain(size: int) -> Waits:
    """Each node waits for the one after it, so that the order of ids helps nobody."""
    return [[number + 1] for number in range(size - 1)] + [[]]


def star(size: int) -> Waits:
    """All nodes wait for one."""
    return [[]] + [[0]] * (size - 1)


def funnel(size: int) -> Waits:
    """One node waits for all others."""
    return [list(range(1, size))] + [[]] * (size - 1)


def cycle(size: int) -> Waits:
    """Each node waits for the next, the last for the first."""
    return [[(number + 1) % size] for number in range(size)]


def pairs(size: int) -> Waits:
    """Each two nodes wait for each other."""
    return [[number ^ 1] for number in range(size)]


def ladder(size: int) -> Waits:
    """Each node waits for the next two: the number of paths is astronomical."""
    return [[next_ for next_ in (number + 1, number + 2) if next_ < size] for number in range(size)]


SHAPES: Final[Mapping[str, Callable[[int], Waits]]] = {
    "chain": chain,
    "star": star,
    "funnel": funnel,
    "cycle": cycle,
    "pairs": pairs,
    "ladder": ladder,
}


def task_graph(waits: Waits) -> dict[str, Any]:
    """Write a shape as a native graph."""
    return {
        "graph_id": "g",
        "nodes": [
            {"node_id": f"n{number}", "depends_on": [f"n{need}" for need in needs]}
            for number, needs in enumerate(waits)
        ],
    }


# The whole command, at 200 000 nodes


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("shape", "outcome", "pick"),
    [("chain", "decided", f"n{MANY - 1}"), ("star", "decided", "n0"), ("cycle", "stuck", None)],
)
def test_200_000_nodes_are_answered(shape: str, outcome: str, pick: str | None, tmp_path: Path) -> None:
    """Without a recursion error, and within a time that only a quadratic step could exceed."""
    text = json.dumps(task_graph(SHAPES[shape](MANY)))
    write(tmp_path, {".metagit/tasks/graphs/g.json": text})
    said = start(tmp_path, "next", "--json", seconds=300)
    record = json.loads(said.out)
    assert record["outcome"] == outcome
    assert [row["node_id"] for row in record["decisions"]] == ([pick] if pick else [])
    assert record["counts"]["open"] == MANY
    assert len(said.out) < 100_000


# Every pass, by how often it looks at an edge


class Counted(tuple[int, ...]):
    """The needs of one node, which count each edge that is looked at."""

    __slots__ = ()
    looks = 0

    def __iter__(self) -> Iterator[int]:
        """Count as many looks as there are edges, however many are taken."""
        Counted.looks += len(self)
        return super().__iter__()

    def __contains__(self, item: object) -> bool:
        """Count as for a search that finds nothing."""
        Counted.looks += len(self)
        return super().__contains__(item)


def counted(waits: Waits, *, parents: Mapping[int, int] | None = None) -> DependencyGraph:
    """Build the network of a shape, with edges that count."""
    nodes = tuple(
        Node("g", f"n{number}", number, depends_on=tuple(f"n{need}" for need in needs), parent=parent)
        for number, needs in enumerate(waits)
        for parent in [f"n{parents[number]}" if parents and number in parents else None]
    )
    network = build([Graph("g", "g.json", "native", lambda spots: dict.fromkeys(spots, Place("g.json")), nodes)])
    return network._replace(needs=[Counted(needs) for needs in network.needs])


def looks(network: DependencyGraph) -> float:
    """Give how often the passes look at an edge, over the number of nodes and edges."""
    edges = sum(map(len, network.needs))
    Counted.looks = 0
    readiness = assess(network, now=0, on_cancelled="block")
    sweep(network, readiness, estimate(network, tokens_per_minute=500))
    diagnose(network, readiness)
    return Counted.looks / (edges + len(network.needs))


def nested(size: int) -> dict[int, int]:
    """Each node is a part of the one before it."""
    return {number: number - 1 for number in range(1, size)}


def parts(size: int) -> dict[int, int]:
    """All nodes are parts of one."""
    return dict.fromkeys(range(1, size), 0)


@pytest.mark.parametrize("shape", SHAPES)
def test_each_edge_is_looked_at_a_few_times_whatever_the_size(shape: str) -> None:
    few, many = (looks(counted(SHAPES[shape](size))) for size in (1_000, 4_000))
    assert few < 12
    assert many < few * 1.1


@pytest.mark.parametrize("hierarchy", [nested, parts])
@pytest.mark.parametrize("blocked", [False, True])
def test_containers_cost_no_more(hierarchy: Callable[[int], dict[int, int]], *, blocked: bool) -> None:
    """Nested ones, and one of many parts; also where the outermost waits for something."""
    ratios = []
    for size in (1_000, 4_000):
        waits: Waits = [[] for _ in range(size + 1)]
        if blocked:
            waits[0] = [size]
        ratios.append(looks(counted(waits, parents=hierarchy(size))))
    assert ratios[0] < 12
    assert ratios[1] < ratios[0] * 1.1


# What is said about it


def test_what_is_said_stays_short() -> None:
    """However many wait: counts are exact up to 1 000, then 1 000+, and lists are cut."""
    answer = answer_to({"graphs": [task_graph(star(3_000))], "request": {"limit": 1}})
    record = build_next(answer)
    assert record["waiting"] == [
        {
            "nodes": ["g/n1", "g/n10", "g/n100", "g/n1000"],
            "titles": [""] * 4,
            "more": 2_995,
            "why": "wait for n0",
            "waits_for": ["g/n0"],
            "kind": "waits_for",
        }
    ]
    found = explain.build_explanation(answer, "n0")
    assert (len(found["frees"]), found["frees_later"]) == (2_999, 0)


def test_a_thousand_more_are_counted_as_more() -> None:
    """A running node that holds up a long chain."""
    graph = task_graph(chain(3_000))
    graph["nodes"][-1]["status"] = "running"
    answer = answer_to({"graphs": [graph]})
    [root] = build_next(answer)["roots"]
    assert (root["node_id"], root["frees"], root["freed"]) == ("n2999", 1_001, ["g/n2998"])


def test_a_ring_of_many_is_reported_once_and_in_short() -> None:
    answer = answer_to({"graphs": [task_graph(cycle(3_000))]})
    [problem] = answer.problems
    assert problem.code == "cycle"
    assert len(problem.message) < 200


def test_long_lists_are_cut_and_counted() -> None:
    """Of the ready nodes, and of those held, the first 50 are named."""
    free = [{"node_id": f"free-{number:02}"} for number in range(60)]
    held = [{"node_id": f"held-{number:02}", "agent_id": "bob"} for number in range(60)]
    scene = {"graphs": [{"graph_id": "g", "nodes": free}], "request": {"agents": ["ann"]}}
    record = build_next(answer_to(scene))
    assert (len(record["ranking"]), record["counts"]["ready"]) == (50, 60)
    text = status.render(build_status(answer_to(scene), sources=(), log_rows=()))
    assert "  free-49\n  and 10 more: --all\n" in text

    scene["graphs"] = [{"graph_id": "g", "nodes": held}]
    answer = answer_to(scene)
    record = build_next(answer)
    assert (len(record["held"]), record["counts"]["held"]) == (50, 60)
    assert explain.build_explanation(answer, "held-59")["held"] is not None


@pytest.mark.parametrize("states", [["ready"], ["blocked"], ["ready", "held", "running", "blocked"]])
def test_what_was_asked_for_is_listed_to_the_last_task(states: list[Any]) -> None:
    nodes = [*({"node_id": f"free-{number:03}"} for number in range(300)),
             *({"node_id": f"late-{number:03}", "depends_on": ["free-000"]} for number in range(300))]  # fmt: skip
    answer = answer_to({"graphs": [{"graph_id": "g", "nodes": nodes}]})
    found = build_status(answer, sources=(), log_rows=(), selection=select_tasks(states))
    listed = {"ready": len(found["ranking"]), "blocked": len(found["blocked_tasks"])}
    assert listed == {state: 300 if state in states else 0 for state in listed}
    assert status.render(found).count("\n  ") == sum(listed.values())
    ids = status.ids(found).splitlines()
    assert len(ids) == len(set(ids)) == sum(listed.values())


def test_many_causes_are_cut_and_counted() -> None:
    """Of what blocks, the first 12 causes are named, and all others counted; roots are looked for among 1 000."""
    running = [{"node_id": f"r{number:04}", "status": "running"} for number in range(1_100)]
    waiting = [{"node_id": f"w{number:04}", "depends_on": [f"r{number:04}"]} for number in range(1_100)]
    record = build_next(answer_to({"graphs": [{"graph_id": "g", "nodes": [*running, *waiting]}]}))
    assert len(record["waiting"]) == 13
    assert sum(len(row["nodes"]) + row["more"] for row in record["waiting"]) == 1_100
    assert [row["frees"] for row in record["roots"]] == [1] * 5


def test_of_many_that_collide_only_the_files_of_the_taken_one_are_listed() -> None:
    nodes = [Node("g", f"n{i}", i, repository="o/r", paths=("src/**", f"**/{i}.py", "!x")) for i in range(200)]
    footprints = Footprints([f"src/{i}.py" for i in range(200)], "o/r")
    assert {footprints.collide(node, nodes[0]) for node in nodes[1:]} == {"src/0.py"}
    assert footprints.listed.keys() == {"g/n0"}
