"""The lab that judges the ranking must itself be right: its quick laws."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from benchmarks import bounds, table
from benchmarks.measures import measure
from benchmarks.peers import PEERS, REFERENCES, metagit
from benchmarks.projects import PRIORITY_SHARES, Project, Task, suite
from benchmarks.shapes import SHAPES
from benchmarks.simulate import PickError, Run, simulate

if TYPE_CHECKING:
    from benchmarks.request import Pick, Request

RULES = {**PEERS, **REFERENCES}
PROJECTS = suite(projects=6, tasks=40, base=31)
MANY = suite(projects=60, tasks=100, base=31)


def played(project: Project) -> list[tuple[str, int, list[Run]]]:
    """Every rule's log of the project, for one, three and nine agents."""
    return [
        (name, agents, simulate(project, rule, agents=agents))
        for (name, rule), agents in itertools.product(RULES.items(), (1, 3, 9))
    ]


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
class TestSimulation:
    """What holds for every log, whatever the rule."""

    def test_each_task_runs_once_after_what_it_waits_for(self, project: Project) -> None:
        """No rule can start early, twice, or never."""
        for _, _, runs in played(project):
            end = {run.task: run.end for run in runs}
            start = {run.task: run.start for run in runs}
            assert len(runs) == len(end) == len(project.tasks)
            for task in project.tasks:
                assert all(end[before] <= start[task.id] for before in task.depends_on)

    def test_an_agent_does_one_task_at_a_time(self, project: Project) -> None:
        """And there are no more agents than asked for."""
        for _, agents, runs in played(project):
            own: dict[int, list[Run]] = {agent: [] for agent in range(agents)}
            for run in runs:
                own[run.agent].append(run)
            for visits in own.values():
                assert all(one.end <= two.start for one, two in itertools.pairwise(visits))

    def test_a_run_takes_its_minutes_and_a_cold_start_where_due(self, project: Project) -> None:
        """An agent pays when it enters a repository, its first one included."""
        task = {one.id: one for one in project.tasks}
        for _, _, runs in played(project):
            warm: dict[int, str] = {}
            for run in runs:
                here = task[run.task].repository
                due = 0.0 if warm.get(run.agent) == here else project.cold_start
                assert math.isclose(run.end - run.start, task[run.task].minutes + due)
                warm[run.agent] = here

    def test_no_rule_beats_a_lower_bound(self, project: Project) -> None:
        """Otherwise the bound would be wrong, and every ratio with it."""
        for _, agents, runs in played(project):
            found = measure(project, runs, agents=agents)
            assert found.makespan >= bounds.makespan(project, agents=agents) - 1e-6
            least = bounds.weighted_completion(project, agents=agents)
            assert found.weighted_completion >= least * (1 - 1e-9)
            assert found.idle >= -1e-6


def test_the_bounds_are_met_where_they_can_be() -> None:
    """One agent, one repository, equal priorities, shortest task first: nothing is better."""
    tasks = tuple(
        Task(
            id=f"t{number}",
            minutes=number,
            estimate=number,
            priority=1,
            repository="lab/one",
            depends_on=(),
            created=number,
        )
        for number in range(1, 5)
    )
    project = Project("four tasks", tasks, cold_start=2.0)
    found = measure(project, simulate(project, RULES["by id"], agents=1), agents=1)
    assert found.makespan == bounds.makespan(project, agents=1) == 2 + 10
    weighted = 2 * (3 + 5 + 8 + 12)
    assert found.weighted_completion == weighted
    assert bounds.weighted_completion(project, agents=1) == weighted
    assert (found.cold_starts, found.idle) == (0, 0)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (["nobody"], "not ready"),
        ([{"task": "t000000", "agent": 5}, {"task": "t000000", "agent": 5}], "not"),
        ([], "nothing picked"),
    ],
)
def test_an_impossible_answer_is_refused(answer: list[Pick], complaint: str) -> None:
    """A decision maker with a fault must not pass for a slow one."""

    def decide(_: Request) -> list[Pick]:
        return answer

    with pytest.raises(PickError, match=complaint):
        simulate(PROJECTS[0], decide, agents=2)


def test_a_request_never_shows_the_true_minutes() -> None:
    """Estimates are all that a decision maker may know, and only some of them."""
    seen: list[Request] = []

    def watching(request: Request) -> list[Pick]:
        seen.append(request)
        return metagit(request)

    simulate(PROJECTS[0], watching, agents=3)
    minutes = {task.minutes for task in PROJECTS[0].tasks}
    values = {value for row in seen[0]["tasks"] for value in row.values() if type(value) is float}
    assert values
    assert not values & minutes


class TestGenerator:
    """What invented projects look like."""

    def test_the_same_base_gives_the_same_projects(self) -> None:
        """And another base gives others."""
        assert suite(projects=6, tasks=40, base=31) == PROJECTS
        assert not set(suite(projects=6, tasks=40, base=32)) & set(PROJECTS)

    def test_every_shape_is_there_and_can_be_worked_through(self) -> None:
        """Whoever is written later is never waited for by whoever is written earlier."""
        assert {project.name.split()[0] for project in PROJECTS} == set(SHAPES)
        for project in MANY:
            written = {task.id: task.created for task in project.tasks}
            for task in project.tasks:
                assert all(written[before] < task.created for before in task.depends_on)

    def test_ids_do_not_tell_the_order(self) -> None:
        """The rank of the id and the rank in the plan are unrelated."""
        related = [statistics.correlation(range(100), [task.created for task in project.tasks]) for project in MANY]
        assert abs(statistics.fmean(related)) < 0.05

    def test_shares_are_as_stated(self) -> None:
        """Priorities, missing estimates, repositories."""
        tasks = [task for project in MANY for task in project.tasks]
        found = Counter(task.priority for task in tasks)
        for priority, share in PRIORITY_SHARES.items():
            assert found[priority] / len(tasks) == pytest.approx(share, abs=0.03)
        missing = sum(task.estimate is None for task in tasks) / len(tasks)
        assert missing == pytest.approx(0.3, abs=0.03)
        counts = {len({task.repository for task in project.tasks}) for project in MANY}
        assert {3, 5, 8} >= {max(counts), min(counts)}

    def test_estimates_are_right_on_average_but_noisy(self) -> None:
        """The mean of actual over estimated minutes is 1, the spread of its logarithm 0.5."""
        tasks = [task for project in MANY for task in project.tasks]
        noise = [task.minutes / task.estimate for task in tasks if task.estimate is not None]
        assert statistics.fmean(noise) == pytest.approx(1, abs=0.03)
        assert statistics.stdev(map(math.log, noise)) == pytest.approx(0.5, abs=0.03)

    def test_most_tasks_stay_in_the_repository_of_their_predecessors(self) -> None:
        """60 % inherit; the others may land in the same one by chance."""
        stays = [
            task.repository in {one.repository for one in project.tasks if one.id in before}
            for project in MANY
            for task in project.tasks
            if (before := set(task.depends_on))
        ]
        assert 0.6 < statistics.fmean(stays) < 0.8


def test_the_table_is_the_same_every_time(capsys: pytest.CaptureFixture[str]) -> None:
    """Also: one line a rule, and a rule of one's own comes last."""
    asked = ["--tasks", "12", "--projects", "3", "--agents", "2", "--base", "1,2"]
    own = ["--rule", "mine=benchmarks.peers:bottom_level"]
    assert table.main([*asked, *own]) == 0
    first = capsys.readouterr().out
    assert table.main([*asked, *own]) == 0
    assert capsys.readouterr().out == first
    lines = first.splitlines()
    assert lines[0].startswith("6 projects of 12 tasks (base 1, 2), 2 agents.")
    assert [line.split(" | ")[0] for line in lines[4:]] == [f"| {name}" for name in [*RULES, "mine"]]
    assert lines[-1].removeprefix("| mine") == lines[-2].removeprefix("| bottom level")
