"""k agents work through a project, asking a decision maker whenever one of them is idle.

Time jumps from one end of a task to the next. Nobody is interrupted, no task fails, none comes
late. An agent that starts a task outside the repository it is warm in loses the project's cold
start first, on its first task too.
"""

from __future__ import annotations

import heapq
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from benchmarks.projects import Project, Task
    from benchmarks.request import AgentRow, Decide, Pick, Request, Status, TaskRow


class Run(NamedTuple):
    """One agent did one task. The log of a simulation is the list of its runs, by start."""

    task: str
    agent: int
    start: float
    """When the agent took the task, before any cold start."""
    end: float


class PickError(Exception):
    """A decision maker's answer cannot be carried out, or would leave work undone for ever."""


def simulate(project: Project, decide: Decide, *, agents: int) -> list[Run]:
    """Work through the whole project and return what was done.

    Raises PickError for a pick that is not ready, an agent that is not idle, and an answer
    without picks while everybody is idle.
    """
    floor = _Floor(project, agents)
    while len(floor.done) < len(project.tasks):
        _hand_out(floor, decide)
        if not floor.ends:
            message = f"{project.name}: nothing picked at minute {floor.time:.1f}, all are idle"
            raise PickError(message)
        floor.advance()
    return floor.runs


def _hand_out(floor: _Floor, decide: Decide) -> None:
    """Ask until agents or ready tasks run out, or an answer starts nothing."""
    started = True
    while started and floor.ready and floor.idle:
        request = floor.request()
        picks = decide(request)[: request["max"]]
        for pick in picks:
            floor.start(pick)
        started = bool(picks)


class _Floor:
    """What changes while a project runs."""

    def __init__(self, project: Project, agents: int) -> None:
        self.project = project
        self.task = {task.id: task for task in project.tasks}
        self.waits = {task.id: set(task.depends_on) for task in project.tasks}
        self.ready = {task for task, waits in self.waits.items() if not waits}
        self.done: set[str] = set()
        self.time = 0.0
        self.idle = set(range(agents))
        self.warm: list[str | None] = [None] * agents
        self.busy: dict[int, str] = {}
        self.ends: list[tuple[float, int]] = []
        self.history: Counter[str] = Counter()
        self.runs: list[Run] = []

    def start(self, pick: Pick) -> None:
        """Carry out a pick; without an agent, the task goes to whom it suits best."""
        wanted = pick if isinstance(pick, str) else pick["task"]
        if wanted not in self.ready:
            message = f"{self.project.name}: {wanted!r} was picked but is not ready"
            raise PickError(message)
        task = self.task[wanted]
        named = None if isinstance(pick, str) else pick.get("agent")
        agent = self._suited(task) if named is None else named
        if agent not in self.idle:
            message = f"{self.project.name}: {wanted!r} was given to agent {agent}, not idle"
            raise PickError(message)
        self._begin(task, agent)

    def _suited(self, task: Task) -> int:
        """Choose the agent, in the same way for every rule that names none.

        First an agent warm in the task's repository, then one that is warm nowhere, then any;
        the lowest number of those. This is kind to rules that do not think of agents.
        """
        preference = {task.repository: 0, None: 1}
        return min(self.idle, key=lambda agent: (preference.get(self.warm[agent], 2), agent))

    def _begin(self, task: Task, agent: int) -> None:
        entering = self.warm[agent] != task.repository
        end = self.time + task.minutes + (self.project.cold_start if entering else 0.0)
        self.ready.remove(task.id)
        self.idle.remove(agent)
        self.warm[agent] = task.repository
        self.busy[agent] = task.id
        self.history[task.repository] += 1
        self.runs.append(Run(task.id, agent, self.time, end))
        heapq.heappush(self.ends, (end, agent))

    def advance(self) -> None:
        """Go to the next end of a task, and take all that end at that very moment."""
        self.time = self.ends[0][0]
        while self.ends and self.ends[0][0] == self.time:
            agent = heapq.heappop(self.ends)[1]
            self.idle.add(agent)
            self._finish(self.busy.pop(agent))

    def _finish(self, finished: str) -> None:
        self.done.add(finished)
        for task, waits in self.waits.items():
            if finished in waits:
                waits.remove(finished)
                if not waits:
                    self.ready.add(task)

    def request(self) -> Request:
        """Describe the moment to a decision maker, who may keep or change all of it."""
        return {
            "max": len(self.idle),
            "time": self.time,
            "warmup": self.project.cold_start,
            "repo_cap": None,
            "history": dict(self.history),
            "agents": [self._agent_row(agent) for agent in range(len(self.warm))],
            "tasks": [self._task_row(task) for task in self.project.tasks],
        }

    def _agent_row(self, agent: int) -> AgentRow:
        return {"id": agent, "warm": self.warm[agent], "task": self.busy.get(agent)}

    def _task_row(self, task: Task) -> TaskRow:
        return {
            "id": task.id,
            "status": self._status(task.id),
            "estimate": task.estimate,
            "priority": task.priority,
            "repository": task.repository,
            "depends_on": list(task.depends_on),
            "created": task.created,
        }

    def _status(self, task: str) -> Status:
        if task in self.done:
            return "done"
        if task in self.ready:
            return "ready"
        return "blocked" if self.waits[task] else "running"
