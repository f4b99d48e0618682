"""The pipeline: computes an answer from graphs, policy and signals, one step after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from git_sched.decide.dependency_graph import build
from git_sched.decide.diagnose import diagnose
from git_sched.decide.finished_work import split_problems
from git_sched.decide.metrics import Metrics, measure
from git_sched.decide.pick import choose
from git_sched.decide.rank import Scoring, prepare
from git_sched.model.policy import Policy
from git_sched.model.problems import sort_problems
from git_sched.model.request import Choice

if TYPE_CHECKING:
    from git_sched.decide.lookahead import Outlook
    from git_sched.model.inputs import Inputs
    from git_sched.model.problems import Problem
    from git_sched.model.request import Request

Outcome = Literal["decided", "nothing-ready", "stuck", "all-done", "empty", "refused"]


class Answer(NamedTuple):
    """An answer: its outcome, and all that explains it. If the policy is in error there are only problems.

    ``problems`` are those to report; ``finished_problems`` are about finished tasks that no open task waits for.
    """

    outcome: Outcome
    inputs: Inputs
    request: Request
    graph_ids: tuple[str, ...]
    metrics: Metrics
    scoring: Scoring
    choice: Choice
    outlook: Outlook | None
    problems: tuple[Problem, ...]
    finished_problems: tuple[Problem, ...]


def decide(inputs: Inputs, request: Request, *, graph_ids: tuple[str, ...] = ()) -> Answer:
    """Decide which nodes come next.

    ``graph_ids`` filters candidates; it never changes what is read or how nodes are rated. If the policy is in error,
    the outcome is ``refused`` and nothing is picked.
    """
    policy = inputs.policy or Policy()
    network = build(inputs.graphs, as_metagit=policy.exact_rfc)
    asked = frozenset(graph_ids)
    metrics = measure(
        network, policy=policy, signals=inputs.signals, basis=inputs.basis, graph_ids=asked, agents=request.agents
    )
    inputs = inputs._replace(basis=inputs.basis._replace(now_used=metrics.uses_now()))
    scoring = prepare(metrics)
    request = set_plans(request, policy)
    choice, outlook = choose_by(scoring, request) if inputs.policy else (Choice((), (), (), {}), None)
    found = sort_problems((*inputs.problems, *diagnose(network, metrics.readiness)))
    problems, finished = split_problems(found, network)
    outcome: Outcome = judge(metrics, choice) if inputs.policy else "refused"
    return Answer(outcome, inputs, request, graph_ids, metrics, scoring, choice, outlook, problems, finished)


def set_plans(request: Request, policy: Policy) -> Request:
    """Set the number of alternative plans: the policy's where the request has none, and 0 under RFC-0012."""
    plans = policy.lookahead if request.lookahead is None else request.lookahead
    return request._replace(lookahead=0 if policy.exact_rfc else plans)


def choose_by(scoring: Scoring, request: Request) -> tuple[Choice, Outlook | None]:
    """Choose, with a look-ahead where the request has a number of plans."""
    if not request.lookahead:
        return choose(scoring, request), None
    from git_sched.decide.lookahead import look_ahead

    return look_ahead(scoring, request, plans=request.lookahead)


def judge(metrics: Metrics, choice: Choice) -> Outcome:
    """Return the outcome: decided, stuck, nothing ready, all done or empty."""
    network, readiness = metrics.network, metrics.readiness
    if choice.picks:
        return "decided"
    if not network.nodes and not network.broken:
        return "empty"
    open_nodes = [i for i in range(len(network.nodes)) if network.is_open[i]]
    if not open_nodes and not network.broken:
        return "all-done"
    at_work = any(readiness.state[i] == "running" for i in open_nodes)
    busy = choice.skipped or choice.held or metrics.ready or at_work
    return "nothing-ready" if busy or not readiness.stuck.issuperset(open_nodes) else "stuck"
