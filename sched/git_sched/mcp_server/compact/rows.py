"""The rows that several compact records share: tasks, held tasks, totals, counts and problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from git_sched.mcp_server.compact.fit import Part, row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_sched import record
    from git_sched.mcp_server.compact.fit import Row

PROBLEMS = 2
"""Number of problems that an answer about tasks shows; ``schedule_check`` shows more."""


def name(task: Mapping[str, Any]) -> str:
    """Return the full name of a task, which every tool takes."""
    return f"{task['graph_id']}/{task['node_id']}"


def place(found: Mapping[str, Any]) -> str:
    """Return the file in which something is written, with its line where it is known."""
    return found["path"] if found["line"] is None else f"{found['path']}:{found['line']}"


def brief(task: Mapping[str, Any], **others: Any) -> Row:  # noqa: ANN401 - values of JSON
    """Return a task as id and title, with other keys."""
    return row(id=name(task), title=task["title"], **others)


def task(task: record.TaskRecord, **others: Any) -> Row:  # noqa: ANN401 - values of JSON
    """Return a task with repository, size and assignee, and other keys."""
    facts = {key: task[key] for key in ("repository", "minutes", "assigned_to")}
    return brief(task, **others, **facts)


def held(found: record.HeldRecord) -> Row:
    """Return a held task: which gate holds it, why, and until when."""
    return brief(found, gate=found["gate"], why=found["why"], until=found["until"])


def counts(found: Mapping[str, object]) -> Row:
    """Return counts without those that are 0."""
    return {key: number for key, number in found.items() if number}


def total(found: record.TotalRecord) -> Row:
    """Return a total; its minutes are left out where the unit of the answer is the task."""
    return row(tasks=found["tasks"], minutes=found["minutes"])


def severities(problems: Iterable[record.ProblemRecord]) -> Row:
    """Count the problems by how serious they are."""
    found = [problem["severity"] for problem in problems]
    return counts({"errors": found.count("error"), "warnings": found.count("warning")})


def problems(found: Sequence[record.ProblemRecord], *, most: int = PROBLEMS) -> Part:
    """Return the list of problems, errors first."""
    ordered = sorted(found, key=lambda problem: problem["severity"] != "error")
    return Part("problems", [_problem(one) for one in ordered], most)


def _problem(found: record.ProblemRecord) -> Row:
    facts = {key: found[key] for key in ("severity", "code", "message", "hint")}
    return row(place=place(found), **facts)
