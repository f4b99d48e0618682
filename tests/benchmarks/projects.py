"""Invented agent projects: what a backlog for several agents in several repositories looks like.

Each distribution is stated at its constant. The same name, size and base always give the same project.
"""

from __future__ import annotations

import itertools
from typing import Final, NamedTuple

from benchmarks.dice import Dice
from benchmarks.shapes import SHAPES, Edges

REPOSITORY_COUNTS: Final = (3, 5, 8)
"""How many repositories a project touches; each entry is equally likely."""

SAME_REPOSITORY: Final = 0.6
"""How often a task is in the repository of a task it waits for, rather than in any."""

TYPICAL_MINUTES: Final = 20.0
"""The median estimate. Only ratios matter to the lab, so the unit is for the reader."""

ESTIMATE_SIGMA: Final = 0.8
"""Spread of the estimates (lognormal): two thirds lie between 9 and 45 minutes."""

NOISE_SIGMA: Final = 0.5
"""Spread of actual over estimated minutes (lognormal, mean 1): two thirds between 0.5 and 1.5."""

MISSING_ESTIMATES: Final = 0.3
"""The share of tasks that nobody estimated."""

PRIORITY_SHARES: Final = {0: 0.25, 1: 0.45, 2: 0.20, 3: 0.10}
"""The share of tasks of each priority; 3 is the most urgent."""

COLD_START: Final = 0.5
"""What an agent loses when it enters a repository, in mean estimated tasks."""


class Task(NamedTuple):
    """One task, with what only the simulator may know beside what a plan would say."""

    id: str
    """Says nothing about the order of the plan."""
    minutes: float
    """What the work really takes; hidden from decision makers."""
    estimate: float | None
    """Minutes as planned, None when nobody estimated."""
    priority: int
    """0 to 3, higher is more urgent."""
    repository: str
    depends_on: tuple[str, ...]
    """Ids of the tasks that must be finished first."""
    created: int
    """Rank in the order in which the plan was written down, a possible order of work."""

    @property
    def weight(self) -> int:
        """What finishing a minute earlier is worth: 2 to the power of the priority."""
        return 1 << self.priority


class Project(NamedTuple):
    """Tasks in the order of their ids, and the price of entering a repository."""

    name: str
    tasks: tuple[Task, ...]
    cold_start: float
    """Minutes an agent loses when it starts a task outside the repository it is warm in."""


def suite(*, projects: int, tasks: int, base: int) -> list[Project]:
    """Invent projects of so many tasks each, the three shapes in turn.

    ``base`` selects a family of seeds: two bases share no project.
    """
    shapes = itertools.islice(itertools.cycle(SHAPES), projects)
    return [invent(f"{shape} {base}/{number}", shape=shape, tasks=tasks) for number, shape in enumerate(shapes)]


def invent(name: str, *, shape: str, tasks: int) -> Project:
    """Invent the project of this shape and size that belongs to the name, its seed."""
    dice = Dice(f"{name}, {tasks} tasks")
    edges = SHAPES[shape](tasks, dice)
    planned = [dice.skewed(median=TYPICAL_MINUTES, sigma=ESTIMATE_SIGMA) for _ in edges]
    repositories = _repositories(edges, dice)
    ids = [f"t{number:06d}" for number in dice.sample(range(tasks), tasks)]
    invented = (
        Task(
            id=ids[position],
            minutes=planned[position] * dice.noise(NOISE_SIGMA),
            estimate=None if dice.chance(MISSING_ESTIMATES) else planned[position],
            priority=dice.drawn(PRIORITY_SHARES),
            repository=repositories[position],
            depends_on=tuple(sorted(ids[before] for before in waits)),
            created=position,
        )
        for position, waits in enumerate(edges)
    )
    return Project(name, tuple(sorted(invented)), COLD_START * sum(planned) / tasks)


def _repositories(edges: Edges, dice: Dice) -> list[str]:
    """Place each task; the first repository is the busiest, the n-th has 1/n of its share."""
    count = dice.choice(REPOSITORY_COUNTS)
    shares = {f"lab/repository-{rank}": 1 / rank for rank in range(1, count + 1)}
    chosen: list[str] = []
    for waits in edges:
        inherits = bool(waits) and dice.chance(SAME_REPOSITORY)
        chosen.append(chosen[dice.choice(waits)] if inherits else dice.drawn(shares))
    return chosen
