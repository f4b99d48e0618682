"""Lets git-sched's real pipeline drive a simulated project: a request in the lab's shape, picks in the lab's shape.

The same functions serve this lab (``--rule git-sched=benchmarks.adapter:decide``) and any other simulator that
speaks the same request.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if __package__ in {None, ""} or "git_sched" not in sys.modules:
    for folder in ("tests", "sched"):
        sys.path.insert(0, str(Path(__file__).resolve().parents[2] / folder))

from git_sched.decide.pipeline import decide as run_pipeline
from git_sched.model.basis import Basis
from git_sched.model.graph import Graph, Node, Place
from git_sched.model.inputs import Inputs
from git_sched.model.policy import Limits, Policy
from git_sched.model.request import Request as Ask
from git_sched.model.signals import Signals, Worktree, Worktrees

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from benchmarks.request import PickRow, Request, TaskRow
    from git_sched.model.graph import Spot

LOOKAHEAD = 30
"""Plans that ``decide_lookahead`` compares at every decision."""

_STATUS = {"done": "completed", "running": "running", "ready": "pending"}


def decide(request: Request) -> list[PickRow]:
    """Answer one request with the default policy: the best (task, agent) pairs for the idle agents."""
    return _answer(request, Policy(limits=Limits(per_repository=request["repo_cap"])))


def decide_lookahead(request: Request) -> list[PickRow]:
    """Answer one request with a look-ahead of 30 plans."""
    policy = Policy(
        limits=Limits(per_repository=request["repo_cap"]),
        lookahead=LOOKAHEAD,
        lookahead_agents=len(request["agents"]),
        cold_start_minutes=request["warmup"],
    )
    return _answer(request, policy)


def _answer(request: Request, policy: Policy) -> list[PickRow]:
    idle = tuple(_agent(row["id"]) for row in request["agents"] if row["task"] is None)
    at_work: dict[str | None, str] = {
        row["task"]: _agent(row["id"]) for row in request["agents"] if row["task"] is not None
    }
    trees = tuple(Worktree(row["warm"], _agent(row["id"])) for row in request["agents"] if row["warm"])
    inputs = Inputs(
        (_graph(request["tasks"], at_work),),
        policy,
        Signals(worktrees=Worktrees(trees, known=True, source="the lab")),
        Basis(now=0),
    )
    answer = run_pipeline(inputs, Ask(limit=min(len(idle), request["max"]), agents=idle))
    return [
        {"task": answer.metrics.node(pick.node).node_id, "agent": int((pick.context.agent_id or "agent-0")[6:])}
        for pick in answer.choice.picks
    ]


def _agent(number: int) -> str:
    return f"agent-{number}"


def _graph(tasks: Collection[TaskRow], at_work: Mapping[str | None, str]) -> Graph:
    done = {task["id"] for task in tasks if task["status"] == "done"}
    nodes = tuple(
        Node(
            "project",
            task["id"],
            index,
            depends_on=tuple(task["depends_on"]),
            status=_STATUS.get(task["status"]) or _blocked(task, done),
            priority=task["priority"],
            estimated_minutes=task["estimate"],
            repository=task["repository"],
            agent_id=at_work.get(task["id"]),
        )
        for index, task in enumerate(tasks)
    )
    return Graph("project", "project", "native", _nowhere, nodes)


def _blocked(task: TaskRow, done: set[str]) -> str:
    """Give the status of a task that cannot start: the graph shows who waits for others, not for a resource."""
    return "blocked" if done.issuperset(task["depends_on"]) else "pending"


def _nowhere(spots: Collection[Spot]) -> dict[Spot, Place]:
    """Find everything in the lab: a simulated project has no file."""
    return dict.fromkeys(spots, Place("the lab"))
