"""The comparison, as one Markdown table.

    PYTHONPATH=tests python -m benchmarks.table
    PYTHONPATH=tests python -m benchmarks.table --tasks 200 --agents 4,8,16 --projects 6
    PYTHONPATH=sched:tests python -m benchmarks.table --rule git-sched=benchmarks.adapter:decide

Every cell is a mean over all projects and all numbers of agents. The same options give the same
bytes. Cold starts and idle time have no lower bound but zero, so they are not ratios.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks import bounds
from benchmarks.measures import measure
from benchmarks.peers import PEERS, REFERENCES
from benchmarks.projects import Project, suite
from benchmarks.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.request import Decide


class Case(NamedTuple):
    """One project for one number of agents, with what cannot be beaten there."""

    project: Project
    agents: int
    makespan: float
    """Lower bound, minutes."""
    weighted_completion: float
    """Lower bound, weighted minutes."""


class Row(NamedTuple):
    """The columns of the table for one rule, lower is better in each."""

    makespan: float
    """Over its lower bound."""
    weighted_completion: float
    """Over its lower bound."""
    cold_starts: float
    """Changes of repository per task."""
    idle: float
    """Share of the agents' time without a task."""
    urgent_start: float
    """Mean start of the tasks of priority 3 over the lower bound of the makespan."""


HEADINGS: Final = ("makespan", "weighted completion", "cold starts", "idle", "priority 3 start")


def cases(*, projects: Iterable[Project], agents: Sequence[int]) -> list[Case]:
    """Every project with every number of agents."""
    return [
        Case(
            project=project,
            agents=k,
            makespan=bounds.makespan(project, agents=k),
            weighted_completion=bounds.weighted_completion(project, agents=k),
        )
        for project in projects
        for k in agents
    ]


def compare(rule: Decide, against: Sequence[Case]) -> Row:
    """Let the rule run every case and average."""
    rows = [_result(rule, case) for case in against]
    return Row(*(statistics.fmean(column) for column in zip(*rows, strict=True)))


def _result(rule: Decide, case: Case) -> Row:
    runs = simulate(case.project, rule, agents=case.agents)
    found = measure(case.project, runs, agents=case.agents)
    return Row(
        makespan=found.makespan / case.makespan,
        weighted_completion=found.weighted_completion / case.weighted_completion,
        cold_starts=found.cold_starts / len(case.project.tasks),
        idle=found.idle / (case.agents * found.makespan),
        urgent_start=found.urgent_start / case.makespan,
    )


def markdown(rows: dict[str, Row]) -> str:
    """Lay out the rows as a table, the lowest figure of each column in bold."""
    lowest = [min(column) for column in zip(*rows.values(), strict=True)]
    lines = [("rule", *HEADINGS), ("---", *("---:" for _ in HEADINGS))]
    for name, row in rows.items():
        figures = zip(row, lowest, strict=True)
        lines.append((name, *(_figure(value, least=least) for value, least in figures)))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _figure(value: float, *, least: float) -> str:
    shown = f"{value:.3f}"
    return f"**{shown}**" if shown == f"{least:.3f}" else shown


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table that the options ask for."""
    options = _parser().parse_args(argv)
    projects = [
        project for base in options.base for project in suite(projects=options.projects, tasks=options.tasks, base=base)
    ]
    asked = cases(projects=projects, agents=options.agents)
    rules = {**PEERS, **REFERENCES, **dict(options.rule)}
    rows = {name: compare(rule, asked) for name, rule in rules.items()}
    sys.stdout.write(f"{_caption(options)}\n\n{markdown(rows)}")
    return 0


def _caption(options: argparse.Namespace) -> str:
    return (
        f"{options.projects * len(options.base)} projects of {options.tasks} tasks "
        f"(base {_listed(options.base)}), {_listed(options.agents)} agents. Makespan and weighted "
        "completion over their lower bounds, cold starts per task, idle share of the agents' "
        "time, mean start of the priority 3 tasks over the bound of the makespan."
    )


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.table", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--tasks", type=_count, default=60, help="tasks in a project (60)")
    parser.add_argument("--agents", type=_counts, default=[2, 4, 8], help="numbers (2,4,8)")
    parser.add_argument("--projects", type=_count, default=12, help="projects for a base (12)")
    parser.add_argument("--base", type=_numbers, default=[0], help="families of seeds (0)")
    parser.add_argument(
        "--rule",
        type=_rule,
        action="append",
        default=[],
        metavar="NAME=MODULE:FUNCTION",
        help="one more decision maker, shown under this name; may be repeated",
    )
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        message = f"{text} is not a number from 1 on"
        raise argparse.ArgumentTypeError(message)
    return number


def _split(convert: Callable[[str], int]) -> Callable[[str], list[int]]:
    return lambda text: [convert(part) for part in text.split(",")]


_counts = _split(_count)
_numbers = _split(int)


def _rule(text: str) -> tuple[str, Decide]:
    name, _, place = text.rpartition("=")
    module, _, function = place.partition(":")
    if not (name and module and function):
        message = f"{text!r} is not NAME=MODULE:FUNCTION"
        raise argparse.ArgumentTypeError(message)
    decide: Decide = getattr(importlib.import_module(module), function)
    return name, decide


if __name__ == "__main__":
    raise SystemExit(main())
