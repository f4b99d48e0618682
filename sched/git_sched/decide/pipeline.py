"""The pipeline: graphs, policy and signals become an answer in one line of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from git_sched.decide.dependency_graph import build
from git_sched.decide.diagnose import diagnose
from git_sched.decide.metrics import Survey, take
from git_sched.decide.pick import choose
from git_sched.decide.rank import Scoring, prepare
from git_sched.model.policy import Policy
from git_sched.model.problems import in_order
from git_sched.model.request import Choice

if TYPE_CHECKING:
    from git_sched.decide.lookahead import Outlook
    from git_sched.model.basis import Basis
    from git_sched.model.graph import Graph
    from git_sched.model.problems import Problem
    from git_sched.model.request import Request
    from git_sched.model.signals import Signals

Outcome = Literal["decided", "nothing-ready", "stuck", "all-done", "empty", "refused"]


class Inputs(NamedTuple):
    """Everything an answer is computed from. ``policy`` is ``None`` where it cannot be trusted."""

    graphs: tuple[Graph, ...]
    policy: Policy | None
    signals: Signals
    basis: Basis
    problems: tuple[Problem, ...] = ()


class Answer(NamedTuple):
    """An answer: its outcome, and all that explains it. Without a trusted policy there is nothing but problems."""

    outcome: Outcome
    inputs: Inputs
    request: Request
    graph_ids: tuple[str, ...]
    survey: Survey
    scoring: Scoring
    choice: Choice
    outlook: Outlook | None
    problems: tuple[Problem, ...]


def decide(inputs: Inputs, request: Request, *, graph_ids: tuple[str, ...] = ()) -> Answer:
    """Decide which nodes come next.

    ``graph_ids`` filters candidates; it never changes what is read or how nodes are rated. A policy that cannot be
    trusted refuses: the outcome says so, nothing is picked, and the problems are all there.
    """
    policy = inputs.policy or Policy()
    network = build(inputs.graphs)
    asked = frozenset(graph_ids)
    survey = take(network, policy=policy, signals=inputs.signals, basis=inputs.basis, graph_ids=asked)
    scoring = prepare(survey)
    request = _with_plans(request, policy)
    choice, outlook = choose_by(scoring, request) if inputs.policy else (Choice((), (), (), {}), None)
    problems = in_order((*inputs.problems, *diagnose(network, survey.readiness)))
    outcome: Outcome = judge(survey, choice) if inputs.policy else "refused"
    return Answer(outcome, inputs, request, graph_ids, survey, scoring, choice, outlook, problems)


def _with_plans(request: Request, policy: Policy) -> Request:
    """Settle how many plans are played: the policy's number where the request has none, and none under RFC-0012."""
    plans = policy.lookahead if request.lookahead is None else request.lookahead
    return request._replace(lookahead=0 if policy.exact_rfc else plans)


def choose_by(scoring: Scoring, request: Request) -> tuple[Choice, Outlook | None]:
    """Choose as a request says: with a look-ahead where it asks for plans."""
    if not request.lookahead:
        return choose(scoring, request), None
    from git_sched.decide.lookahead import look_ahead

    return look_ahead(scoring, request, plans=request.lookahead)


def judge(survey: Survey, choice: Choice) -> Outcome:
    """Give the outcome (rule B7)."""
    network, readiness = survey.network, survey.readiness
    if choice.picks:
        return "decided"
    if not network.nodes and not network.broken:
        return "empty"
    open_nodes = [i for i in range(len(network.nodes)) if network.is_open[i]]
    if not open_nodes and not network.broken:
        return "all-done"
    at_work = any(readiness.state[i] == "running" for i in open_nodes)
    busy = choice.skipped or choice.held or survey.ready or at_work
    return "nothing-ready" if busy or not readiness.doomed.issuperset(open_nodes) else "stuck"
