"""Look-ahead: what it may change, what it must not, and that it finds a better first step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.adapter import _nowhere as nowhere
from git_sched.decide.lookahead import SAMPLES, _Search
from git_sched.decide.pipeline import Answer, decide
from git_sched.decide.simulation import NOWHERE, Scores, Work, Workers, simulate
from git_sched.model.basis import Basis
from git_sched.model.graph import Graph, Node
from git_sched.model.inputs import Inputs
from git_sched.model.policy import Limits, Policy
from git_sched.model.request import Request
from git_sched.model.screen import Screen
from git_sched.model.signals import MergeQueue, Signals, Worktree, Worktrees
from git_sched.render.text.next import render
from git_sched.report.next import build_next

if TYPE_CHECKING:
    from collections.abc import Sequence

AGENTS = ("ann", "bob")
PLAIN = Policy()
CHAIN = ("dig", "pour", "build")


def node(name: str, minutes: float, *needs: str, priority: int = 1, repository: str | None = None) -> Node:
    return Node(
        "g",
        name,
        0,
        depends_on=needs,
        status="pending",
        priority=priority,
        estimated_minutes=minutes,
        repository=repository,
    )


def decided(
    nodes: Sequence[Node], *, plans: int, policy: Policy = PLAIN, queued: tuple[tuple[str, int], ...] = ()
) -> Answer:
    """Decide for two agents who are warm in ``api`` and ``web``."""
    graph = Graph("g", "g", "native", nowhere, tuple(n._replace(number=i) for i, n in enumerate(nodes)))
    trees = (Worktree("api", "ann"), Worktree("web", "bob"))
    signals = Signals(
        worktrees=Worktrees(trees, known=True, source="this test"),
        merge_queue=MergeQueue(queued, known=True, source="this test"),
    )
    inputs = Inputs((graph,), policy._replace(lookahead=plans), signals, Basis(now=0))
    return decide(inputs, Request(limit=len(AGENTS), agents=AGENTS))


def picks(answer: Answer) -> list[tuple[str, str | None, int]]:
    return [(answer.metrics.node(p.node).node_id, p.context.agent_id, p.score) for p in answer.choice.picks]


def chain_among_errands() -> list[Node]:
    """A long chain that nobody called urgent, and a few urgent errands: scores put the chain last."""
    chain = [node(name, 100, *CHAIN[max(0, i - 1) : i], priority=0) for i, name in enumerate(CHAIN)]
    return [*chain, *(node(f"errand-{i}", 20, priority=1) for i in range(4))]


def backlog(count: int = 40) -> list[Node]:
    """Tasks of three repositories that wait for each other in a tangle, without a random number."""
    rows = []
    for i in range(count):
        needs = sorted({f"t{j:02}" for j in (i - 7 - i % 5, i - 11) if j >= 0 and i % 3})
        where = ("api", "web", "docs")[(i * i) % 3]
        rows.append(node(f"t{i:02}", 5 + (i * 37) % 50, *needs, priority=(i * 5) % 4, repository=where))
    return rows


def test_it_begins_the_chain_that_scores_put_last() -> None:
    plain, ahead = decided(chain_among_errands(), plans=0), decided(chain_among_errands(), plans=30)
    assert "dig" not in {name for name, _, _ in picks(plain)}
    assert "dig" in {name for name, _, _ in picks(ahead)}
    assert ahead.outlook is not None
    assert ahead.outlook.plans == 30
    assert ahead.outlook.chosen in range(1, 31)
    assert ahead.outlook.gain == pytest.approx(
        0.5 * (40 / 340 - 40 / 960), abs=0.01
    )  # 300 instead of 340 minutes, but errands later
    instead = [ahead.metrics.node(i).node_id for i in ahead.outlook.instead_of]
    assert instead
    assert set(instead) < {name for name, _, _ in picks(plain)}


def test_no_plans_is_the_plain_answer() -> None:
    plain = decided(backlog(), plans=0)
    assert plain.outlook is None
    one = decided([node("only", 10)], plans=30)
    assert one.outlook is not None
    assert (one.outlook.chosen, one.outlook.gain, one.outlook.instead_of) == (0, 0.0, ())
    assert picks(one) == picks(decided([node("only", 10)], plans=0))


def test_nothing_to_pick_is_nothing_to_look_at() -> None:
    found = decided([node("done", 10)._replace(status="completed")], plans=30)
    assert found.outcome == "all-done"
    assert found.outlook is not None
    assert (found.outlook.chosen, found.outlook.gain) == (0, 0.0)


def test_the_same_backlog_gets_the_same_answer() -> None:
    once, again = decided(backlog(), plans=30), decided(backlog(), plans=30)
    assert (picks(once), once.outlook) == (picks(again), again.outlook)


def test_neither_order_in_the_file_nor_finished_nodes_matter() -> None:
    whole = decided(backlog(), plans=30)
    assert whole.outlook is not None
    assert whole.outlook.chosen, "a backlog on which the look-ahead changes nothing shows nothing here"
    turned = [n._replace(depends_on=n.depends_on[::-1]) for n in reversed(backlog())]
    finished = [
        node(f"{place}-finished", 3, repository="api", priority=3)._replace(status="completed") for place in "az"
    ]
    waiting = [n._replace(depends_on=(*n.depends_on, "a-finished")) for n in backlog()]
    for nodes in (turned, [*finished, *backlog()], [*finished, *waiting]):
        other = decided(nodes, plans=30)
        assert picks(other) == picks(whole)
        assert other.outlook is not None
        assert other.outlook[:3] == whole.outlook[:3]


def test_scores_are_those_without_look_ahead_and_add_up() -> None:
    plain, ahead = decided(backlog(), plans=0, queued=(("web", 3),)), decided(backlog(), plans=30, queued=(("web", 3),))
    assert ahead.choice.ranking == plain.choice.ranking
    for pick in ahead.choice.picks:
        assert pick.score == sum(row.points for row in ahead.scoring.rows(pick.node, pick.context))


@pytest.mark.parametrize("limits", [Limits(per_repository=1), Limits(total=1), Limits(tokens=1500)])
def test_gates_hold_whatever_the_plans(limits: Limits) -> None:
    nodes = [n._replace(agent_id="zoe") if n.priority == 3 else n for n in backlog()]
    answer = decided(nodes, plans=30, policy=Policy(limits=limits))
    taken = [answer.metrics.node(p.node) for p in answer.choice.picks]
    assert taken
    assert all(n.agent_id is None for n in taken)
    assert len({n.repository for n in taken}) == len(taken) or limits.per_repository is None
    assert len(taken) <= (limits.total or 2)
    assert sum(n.tokens for n in taken) <= (limits.tokens or 10**9)


def test_a_pressed_repository_is_skipped_in_every_plan() -> None:
    answer = decided(backlog(), plans=30, queued=(("web", 3), ("docs", 3)), policy=Policy(skip_on_merge_pressure=True))
    assert {answer.metrics.node(p.node).repository for p in answer.choice.picks} == {"api"}


def test_one_factor_alone_is_still_searched() -> None:
    weights = (("urgency", 0.0), ("affinity", 0.0), ("payoff", 0.0))
    found = [decided(backlog()[start:], plans=60, policy=Policy(weights=weights)).outlook for start in range(6)]
    assert any(outlook is not None and outlook.chosen for outlook in found)


def test_what_can_never_end_is_left_out() -> None:
    stuck = [node("later", 10)._replace(status="blocked"), node("after", 500, "later", priority=3)]
    answer = decided([*chain_among_errands(), *stuck], plans=30)
    search = _Search(answer.scoring, answer.request)
    found = search.outcome(search.plain, answer.choice)
    assert 300 * SAMPLES * 0.5 < found.makespan < 500 * SAMPLES


# A simulation computed by hand: two nodes in a chain, in two repositories, a third anywhere; ten minutes to move.

WORK = Work([1.0, 2.0, 4.0], [0, 1, NOWHERE], [[1], [], []], [0, 1, 0], frozenset(), (0, 2))
MINUTES = [5.0, 6.0, 7.0]
PLAN = Scores([3.0, 1.0, 2.0], 0.5, {})
HERE, THERE = frozenset({0}), frozenset({1})
"""What an agent has checked out: the repository of the first node, and that of the second."""


def test_playout_of_one_agent() -> None:
    crew = Workers((), (HERE,), (), 10.0, None)
    found = simulate(WORK, crew, PLAN, MINUTES)
    assert found.makespan == 5 + 7 + 10 + 6
    assert found.weighted == 1 * 5 + 4 * 12 + 2 * 28


def test_playout_of_two_agents() -> None:
    crew = Workers((), (HERE, THERE), (), 10.0, None)
    found = simulate(WORK, crew, PLAN, MINUTES)
    assert found.makespan == 5 + 10 + 6, "nobody waits for who is warm"
    assert found.weighted == 1 * 5 + 4 * 7 + 2 * 21


def test_a_running_node_takes_half_its_minutes_and_its_agent() -> None:
    work = WORK._replace(ready=(2,))
    found = simulate(work, Workers((0,), (), (frozenset(),), 10.0, None), PLAN, MINUTES)
    assert found.makespan == 2.5 + 7 + 10 + 6


def test_all_worktrees_of_an_agent_stay_warm() -> None:
    """Whether it is idle or busy now, and whether it comes from another repository."""
    idle, busy = Workers((), (HERE | THERE,), (), 10.0, None), Workers((0,), (), (THERE,), 10.0, None)
    assert simulate(WORK, idle, PLAN, MINUTES).makespan == 5 + 7 + 6
    assert simulate(WORK._replace(ready=(2,)), busy, PLAN, MINUTES).makespan == 2.5 + 7 + 6
    away = WORK._replace(homes=[1, 0, 0], ready=(0, 2))
    assert simulate(away, Workers((), (HERE,), (), 10.0, None), PLAN, MINUTES).makespan == 10 + 5 + 7 + 6


def test_first_picks_come_first() -> None:
    crew = Workers((), (HERE,), (), 10.0, None)
    found = simulate(WORK, crew, PLAN._replace(first={2: 0}), MINUTES)
    assert found.weighted == 4 * 7 + 1 * 12 + 2 * 28


def test_more_picks_than_agents_bring_their_own() -> None:
    found = simulate(WORK, Workers((), (), (), 10.0, None), PLAN._replace(first={2: None}), MINUTES)
    assert found.makespan == 7 + 10 + 5 + 10 + 6


def test_the_answer_says_what_looking_ahead_changed() -> None:
    found = build_next(decided(chain_among_errands(), plans=30))
    outlook = found["outlook"]
    assert outlook is not None
    assert (outlook["plans"], outlook["instead_of"], outlook["gain"] > 0) == (30, ["g/errand-0"], True)
    said = render(found)
    assert f"look-ahead over 30 plans: {100 * outlook['gain']:.1f} % less time and waiting is expected" in said
    assert "instead of errand-0" in said
    numbers = render(found, Screen(verbose=True))
    assert "  1.409 behind errand-0 (2.567): the look-ahead put it first\n" in numbers
    assert "  level with errand-0 (2.567): the look-ahead put it first\n" in numbers


def test_the_answer_says_when_looking_ahead_changed_nothing() -> None:
    found = build_next(decided([node("only", 5)], plans=3))
    assert "look-ahead over 3 plans: none is better than the plain ranking" in render(found)
    assert build_next(decided([node("only", 5)], plans=0))["outlook"] is None


def test_a_request_may_ask_for_other_plans_than_the_policy() -> None:
    inputs = decided(chain_among_errands(), plans=30).inputs
    answer = decide(inputs, Request(limit=2, agents=AGENTS, lookahead=0))
    assert (answer.outlook, build_next(answer)["request"]["lookahead"]) == (None, 0)
