"""Answers a question: reads the workspace and decides, and measures the time of both for ``-v``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from git_sched.model.problems import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched.decide.pipeline import Answer
    from git_sched.model.signals import HistoryRow
    from git_sched.record import DecisionsRecord
    from git_sched.workspace.gather import Workspace
    from git_sched.workspace.question import Question


class Result(NamedTuple):
    """An answer with its workspace, and the seconds that each phase took."""

    answer: Answer
    workspace: Workspace
    seconds: tuple[tuple[str, float], ...]

    @property
    def times(self) -> str:
        """Write how long each phase took, for ``-v``."""
        return "\n".join(f"{name}: {1000 * took:.0f} ms" for name, took in self.seconds)


class Recorded(NamedTuple):
    """A recorded answer, its record, and what to report about the log; ``taken`` are the lines that took its tasks."""

    result: Result
    found: DecisionsRecord
    notes: tuple[str, ...]
    taken: tuple[HistoryRow, ...] = ()


def answer_question(question: Question) -> Result:
    """Read the workspace and decide.

    Raises:
        RequestError: no graph has a requested graph id, no single task an id of ``assume_done``, or an agent is no id.
        WorldError: git or the files cannot be read.
    """
    from git_sched.operations.read import read_workspace

    begun = time.perf_counter()
    workspace = read_workspace(question)
    read = time.perf_counter() - begun
    found = decide_question(workspace, question)
    return found._replace(seconds=(("read", read), *found.seconds))


def decide_question(workspace: Workspace, question: Question) -> Result:
    """Decide on a workspace that was read for this question; raises what :func:`answer_question` does."""
    from git_sched.decide.pipeline import decide
    from git_sched.decide.what_if import assume_done
    from git_sched.model.request import Request

    begun = time.perf_counter()
    graph_ids = tuple(dict.fromkeys(question.graph_ids))
    require_graphs(workspace, graph_ids)
    graphs, assumed = assume_done(workspace.inputs.graphs, question.assume_done)
    agents = workspace.agents
    request = Request(
        limit=max(1, len(agents)) if question.limit is None else question.limit,
        agents=agents,
        own_repository=workspace.own_repository,
        tracked=workspace.tracked,
        graphs=tuple(workspace.location.relative(path) or path for path in question.graphs),
        assumed_done=assumed,
        lookahead=question.lookahead,
    )
    answer = decide(workspace.inputs._replace(graphs=graphs), request, graph_ids=graph_ids)
    return Result(answer, workspace, (("decide", time.perf_counter() - begun),))


def require_graphs(workspace: Workspace, graph_ids: Sequence[str]) -> None:
    """Check that the workspace has all these graphs.

    Raises:
        RequestError: no graph has one of the ids; the hint has the nearest one.
    """
    from git_sched.model.ids import did_you_mean

    known = sorted({graph.graph_id for graph in workspace.inputs.graphs})
    for graph_id in graph_ids:
        if graph_id not in known:
            hint = did_you_mean(graph_id, known) or (f"graphs here: {', '.join(known[:10])}" if known else "")
            raise RequestError(f"no graph is called {graph_id}", hint=hint)
