"""Compares the tasks of two answers: which are finished, freed, newly blocked, or can no longer be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from git_sched.model.graph import Spot
from git_sched.model.policy import Policy
from git_sched.model.problems import KEPT_OUT
from git_sched.report.basis import build_problems
from git_sched.report.ranking import LISTED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.problems import Problem

_State = Literal["absent", "error", "done", "cancelled", "ready", "running", "blocked"]
Name = tuple[str, str]

TEXT: Final = 200
"""Characters of a title, a reason or a policy's value that a comparison keeps, so that stored ones stay small."""

UNREADABLE: Final = frozenset({
    "unreadable", "encoding", "syntax", "conflict-marker", "duplicate-key", "yaml-feature", "too-deep",
    "outside-workspace", "missing-key", "bad-id",
})  # fmt: skip
"""Codes of errors that make single tasks of a file disappear while its other tasks are still read."""


class _Loss(NamedTuple):
    """Why a task is unknown on one side: its file, and what is wrong with that file there."""

    path: str
    problem: Problem


def compare_nodes(before: Answer, after: Answer) -> record.ChangesRecord:
    """Compare the tasks of two answers; each task that changed is in one list."""
    old, new = _states(before), _states(after)
    lost = _find_losses(before, after, _find_missing(old, new))
    regained = _find_losses(after, before, _find_missing(new, old))
    unknown = lost.keys() | regained.keys() | _find_out_of_reach(before, after, old.keys() ^ new.keys())
    titles = _titles(before) | _titles(after)
    found: dict[str, list[record.NamedTaskRecord]] = {}
    for name in sorted((old.keys() | new.keys()) - unknown):
        one, other = old.get(name, "absent"), new.get(name, "absent")
        if one != other and (kind := _change(one, other)) is not None:
            found.setdefault(kind, []).append({"name": "/".join(name), "title": titles.get(name, "")})
    policy, old_policy = _find_policy_error(before, after), _find_policy_error(after, before)
    repaired = [*(loss.path for loss in regained.values()), *(problem.path for problem in old_policy)]
    return {
        "broken": [*(_broken(problem.path, 0, problem) for problem in policy), *_count_losses(lost)][:LISTED],
        "repaired": sorted(set(repaired))[:LISTED],
        "deleted": _find_deleted(before, after, old.keys() - new.keys() - unknown)[:LISTED],
        "added": _names(found.get("added", [])),
        "removed": _names(found.get("removed", [])),
        "finished": _names(found.get("finished", [])),
        "cancelled": _names(found.get("cancelled", [])),
        "reopened": _names(found.get("reopened", [])),
        "begun": _names(found.get("begun", [])),
        "returned": _names(found.get("returned", [])),
        "freed": _names(found.get("freed", [])),
        "newly_blocked": _names(found.get("newly_blocked", [])),
    }


def compare_problems(before: Answer, after: Answer, changes: record.ChangesRecord) -> tuple[set[Problem], set[Problem]]:
    """Return the problems that are new and those that are fixed; problems that a broken file hides are not fixed."""
    one, other = ([p for p in answer.problems if p.code != KEPT_OUT] for answer in (before, after))
    old, new = ({_strip_place(p) for p in problems} for problems in (one, other))
    hidden = {row["path"] for row in changes["broken"]}
    fixed = {p for p in one if _strip_place(p) not in new and p.path not in hidden}
    return {p for p in other if _strip_place(p) not in old}, fixed


def _strip_place(problem: Problem) -> tuple[str, str, str, str]:
    """Return what identifies a problem on both sides: everything but its line, which moves with every line above."""
    return problem.severity, problem.code, problem.message, problem.path


def shorten_problem(row: record.ProblemRecord) -> record.ProblemRecord:
    """Return a problem with its texts cut to a limited length."""
    return {**row, "message": row["message"][: 2 * TEXT], "hint": row["hint"][: 2 * TEXT]}


# States


def _states(answer: Answer) -> dict[Name, _State]:
    network, state = answer.metrics.network, answer.metrics.readiness.state
    found: dict[Name, _State] = {}
    for graph_id, broken in network.broken:
        if broken.node_id is not None:
            found[graph_id, broken.node_id] = "error"
    for i, node in enumerate(network.nodes):
        found[node.graph_id, node.node_id] = _state(state[i], is_open=network.is_open[i])
    return found


def _state(state: str, *, is_open: bool) -> _State:
    match state:
        case "completed":
            return "done"
        case "ready" | "running" if is_open:
            return "ready" if state == "ready" else "running"
        case _:
            return "blocked" if is_open else "cancelled"


def _change(old: _State, new: _State) -> str | None:
    """Return the list that a task belongs to, or ``None`` where its change does not matter."""
    match old, new:
        case ("absent", _):
            return "added"
        case (_, "absent"):
            return "removed"
        case (_, "done"):
            return "finished"
        case (_, "cancelled"):
            return "cancelled"
        case ("done" | "cancelled", _):
            return "reopened"
        case ("ready" | "running", "blocked" | "error"):
            return "newly_blocked"
        case (_, "running"):
            return "begun"
        case ("running", "ready"):
            return "returned"
        case (_, "ready"):
            return "freed"
        case _:
            return None


def _titles(answer: Answer) -> dict[Name, str]:
    return {(node.graph_id, node.node_id): node.title[:TEXT] for node in answer.metrics.network.nodes}


def _names(found: list[record.NamedTaskRecord]) -> record.NamesRecord:
    return {"tasks": found[:LISTED], "more": max(0, len(found) - LISTED)}


# Files


def _find_missing(one: Mapping[Name, _State], other: Mapping[Name, _State]) -> dict[Name, _State]:
    """Find the tasks of one side that the other does not have, or has only in error, with their state."""
    there = {name: other.get(name, "absent") for name in one}
    return {name: now for name, now in there.items() if now == "absent" or (now == "error" != one[name])}


def _find_losses(before: Answer, after: Answer, missing: Mapping[Name, _State]) -> dict[Name, _Loss]:
    """Find the tasks, of those that are sound only in the first answer, whose file the second one could not read.

    A task in error with a file of its own could not be read; one among others might just have a wrong value.
    """
    errors = _new_errors(before, after)
    if not missing or not errors:
        return {}
    read = {graph.path for graph in after.metrics.network.graphs if graph.nodes or graph.broken}
    found = {}
    for name, path in _find_files(before, missing).items():
        own = [p for p in errors if _concerns(p, path)]
        if missing[name] == "absent" and path not in read:
            wrong = own
        elif missing[name] == "absent" or path not in read:
            wrong = [p for p in own if p.code in UNREADABLE]
        else:
            wrong = []
        if wrong:
            found[name] = _Loss(path, wrong[0])
    return found


def _new_errors(before: Answer, after: Answer) -> list[Problem]:
    """Return the errors in reading files that only the second answer has."""
    known = {_strip_place(problem) for problem in before.inputs.problems}
    return [p for p in after.inputs.problems if p.severity == "error" and _strip_place(p) not in known]


def _concerns(problem: Problem, path: str) -> bool:
    """Whether a problem is about a file or a folder above it."""
    return problem.path == path or path.startswith(f"{problem.path}/")


def _find_files(answer: Answer, names: Collection[Name]) -> dict[Name, str]:
    """Find the file of each task."""
    found: dict[Name, str] = {}
    for graph in answer.metrics.network.graphs:
        members = [(node.node_id, node.number) for node in graph.nodes]
        members += [(broken.node_id, broken.number) for broken in graph.broken if broken.node_id is not None]
        numbers = {(graph.graph_id, node_id): Spot(number) for node_id, number in members}
        numbers = {name: spot for name, spot in numbers.items() if name in names}
        places = graph.locate(set(numbers.values())) if numbers else {}
        found |= {name: places[spot].path for name, spot in numbers.items()}
    return found


def _count_losses(lost: Mapping[Name, _Loss]) -> Iterable[record.BrokenFileRecord]:
    by_path: dict[str, list[_Loss]] = {}
    for loss in lost.values():
        by_path.setdefault(loss.path, []).append(loss)
    return [_broken(path, len(losses), losses[0].problem) for path, losses in sorted(by_path.items())]


def _broken(path: str, tasks: int, problem: Problem) -> record.BrokenFileRecord:
    return {"path": path, "tasks": tasks, "problem": shorten_problem(build_problems([problem])[0])}


def _find_deleted(before: Answer, after: Answer, names: Collection[Name]) -> list[str]:
    """Find the files of removed tasks that no longer exist, unless the two policies read different files."""
    if _reach(before) != _reach(after):
        return []
    old, new = dict(before.inputs.basis.inputs), dict(after.inputs.basis.inputs)
    return sorted({path for path in _find_files(before, names).values() if path in old and path not in new})


# The policy


def _find_policy_error(before: Answer, after: Answer) -> list[Problem]:
    """Find the errors of a policy that is in error in the second answer and not in the first."""
    if before.inputs.policy is None or after.inputs.policy is not None:
        return []
    errors = _new_errors(before, after)
    return [*(p for p in errors if p.path == before.inputs.basis.policy_path), *errors][:1]


def _find_out_of_reach(before: Answer, after: Answer, names: Iterable[Name]) -> set[Name]:
    """Return tasks that one side lacks perhaps only because a policy in error would decide which files are read."""
    trusted = before.inputs.policy and after.inputs.policy
    return set() if trusted or _reach(before) == _reach(after) else set(names)


def _reach(answer: Answer) -> tuple[object, object]:
    """Return the policy's keys that decide which files are read."""
    policy = answer.inputs.policy or Policy()
    return policy.sources, policy.exclude
