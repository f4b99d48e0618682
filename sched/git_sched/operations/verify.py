"""Checks recorded decisions for ``verify``: computes each again from its own commit, and compares."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from git_sched.decide.pipeline import decide
from git_sched.formats.policy_file import POLICY_PATHS
from git_sched.model.problems import MissingRevisionError, SchedError, WorldError
from git_sched.model.request import Request
from git_sched.operations.read import read_files
from git_sched.report.verify import Uncheckable, compare_line, compare_release, name_row, read_line
from git_sched.workspace import files, places
from git_sched.workspace.observe.history import LOG, read_row, unknown_line
from git_sched.workspace.observe.json_files import unreadable
from git_sched.workspace.observe.log_lines import lines_in_order, parse_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_sched import record
    from git_sched.model.problems import Problem
    from git_sched.model.signals import HistoryRow
    from git_sched.report.verify import RecordedDecision, Verdict
    from git_sched.workspace.gather import Workspace

ROWS = 50
"""The largest number of lines in the record that are not reproduced or cannot be checked."""


class Verified(NamedTuple):
    """What came of the check of a log: its record, and the lines that are not recorded decisions."""

    found: record.VerificationRecord
    problems: tuple[Problem, ...]


class _LogLine(NamedTuple):
    """A line of the log, by path and number from 1; ``row`` is ``None`` if it is not a recorded decision."""

    path: str
    number: int
    row: HistoryRow | None
    raw: dict[str, Any]


def verify_log(workspace: Workspace) -> Verified:
    """Compute all decisions of a workspace's log again; the record has those that differ or cannot be checked.

    The log is read twice, line by line, so that a long one takes no more memory than a short one.

    Raises:
        WorldError: the log cannot be read, at none of its places.
    """
    cache: dict[tuple[object, ...], Workspace] = {}
    counts: Counter[Verdict] = Counter()
    bad: dict[Verdict, list[record.VerifiedRowRecord]] = {"mismatch": [], "not-checkable": [], "verified": []}
    with _open(workspace) as (opened, problems):
        dispatched = {name_row(line.raw) for line in _read(opened) if line.row is not None and line.row.dispatched}
        for line in _read(opened):
            if line.row is None:
                problems.append(unknown_line(line.path, line.number))
                continue
            released = line.row.released
            result, why = compare_release(line.raw, dispatched) if released else _check(line, workspace, cache)
            counts[result] += 1
            if result != "verified" and len(bad[result]) < ROWS:
                bad[result].append(
                    {"line": line.number, "decision_id": line.row.decision_id, "result": result, "why": why,
                     "node": f"{line.row.graph_id}/{line.row.node_id}"}
                )  # fmt: skip
    found: record.VerificationRecord = {
        "schema_version": 1,
        "kind": "verification",
        "log": " and ".join(path for path, _ in opened) or next((path for _, path in workspace.log.files), LOG),
        "checked": counts.total(),
        "verified": counts["verified"],
        "mismatched": counts["mismatch"],
        "not_checkable": counts["not-checkable"],
        "rows": [*bad["mismatch"], *bad["not-checkable"]][:ROWS],
    }
    return Verified(found, tuple(problems))


@contextmanager
def _open(workspace: Workspace) -> Iterator[tuple[list[tuple[str, int]], list[Problem]]]:
    """Open the log at the places where it is; yield the path of each, the open file, and problems of the others.

    Raises:
        WorldError: it cannot be read, at none of them.
    """
    problems: list[Problem] = []
    refused = None
    with ExitStack() as stack:
        opened: list[tuple[str, int]] = []
        for root, path in workspace.log.files:
            if places.look(root, path).state != "absent":
                found = files.open_file(root, path, limit=None)
                if isinstance(found, files.Refusal):
                    refused = refused or found
                    problems.append(unreadable(path, found.message))
                    continue
                stack.callback(os.close, found)
                opened.append((path, found))
        if refused is not None and not opened:
            raise WorldError(refused.message, hint=refused.hint)
        yield opened, problems


def _read(opened: Iterable[tuple[str, int]]) -> Iterator[_LogLine]:
    """Yield the lines of the log in the order in which they were written."""
    for path, descriptor in opened:
        for number, line in enumerate(lines_in_order(descriptor), 1):
            if line.strip():
                raw = parse_line(line)
                yield _LogLine(path, number, None if raw is None else read_row(raw), raw or {})


def _check(line: _LogLine, workspace: Workspace, cache: dict[tuple[object, ...], Workspace]) -> tuple[Verdict, str]:
    try:
        recorded = read_line(line.raw)
        then = _gather(recorded, workspace, cache)
    except Uncheckable as reason:
        return "not-checkable", str(reason)
    except MissingRevisionError:
        return "not-checkable", f"commit {line.raw['basis']['revision'][:7]} is not here"
    except SchedError as error:
        return "not-checkable", error.message
    request = Request(
        limit=max(1, recorded.limit),
        agents=recorded.agents,
        own_repository=then.own_repository,
        tracked=then.tracked,
        graphs=recorded.graphs,
        lookahead=recorded.lookahead,
    )
    return compare_line(
        line.raw, decide(then.inputs._replace(signals=recorded.signals), request, graph_ids=recorded.graph_ids)
    )


def _gather(recorded: RecordedDecision, workspace: Workspace, cache: dict[tuple[object, ...], Workspace]) -> Workspace:
    """Read the commit of a line, once for consecutive lines of one commit, and take the time from the line."""
    key = (recorded.revision, recorded.workspace, recorded.policy_path, recorded.graphs)
    if key not in cache:
        top, question = workspace.location.top, workspace.location.question
        root = os.path.join(top, recorded.workspace) if top is not None else None
        usual = recorded.policy_path in {"", *POLICY_PATHS}
        cache.clear()  # lines of one commit are next to each other; only one commit is kept in memory
        cache[key] = read_files(
            question._replace(
                start=root if root is not None and places.is_folder(root) else question.start,
                workspace=root,
                revision=recorded.revision,
                policy=None if usual else recorded.policy_path,
                graphs=recorded.graphs,
            )
        )
    inputs = cache[key].inputs
    basis = inputs.basis._replace(now=recorded.now, now_source=recorded.now_source, clock=recorded.clock)
    return cache[key]._replace(inputs=inputs._replace(basis=basis))
