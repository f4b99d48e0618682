"""Checks recorded decisions for ``verify``: computes each again from its own commit, and compares."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from git_sched.decide.pipeline import decide
from git_sched.formats.policy_file import POLICY_PATHS
from git_sched.model.problems import MissingRevisionError, SchedError, WorldError
from git_sched.model.request import Request
from git_sched.operations.read import read_files
from git_sched.report.verify import Uncheckable, compare_line, compare_release, name_row, read_line
from git_sched.workspace import files, places
from git_sched.workspace.observe.history import entries

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.model.signals import HistoryRow
    from git_sched.report.verify import RecordedDecision, Verdict
    from git_sched.workspace.gather import Workspace

ROWS = 50
"""The largest number of lines in the record that are not reproduced or cannot be checked."""


class _LogLine(NamedTuple):
    """A line of the log, by number from 1."""

    number: int
    row: HistoryRow
    raw: dict[str, Any]


def verify_log(workspace: Workspace) -> record.VerificationRecord:
    """Compute all decisions of a workspace's log again; the record has those that differ or cannot be checked."""
    cache: dict[tuple[object, ...], Workspace] = {}
    rows: list[record.VerifiedRowRecord] = []
    lines = _lines(workspace)
    dispatched = {name_row(line.raw) for line in lines if line.row.dispatched}
    for line in lines:
        released = line.row.released
        result, why = compare_release(line.raw, dispatched) if released else _check(line, workspace, cache)
        rows.append(
            {"line": line.number, "decision_id": line.row.decision_id, "result": result, "why": why,
             "node": f"{line.row.graph_id}/{line.row.node_id}"}
        )  # fmt: skip
    present = [path for root, path in workspace.log.files if files.exists(root, path)]
    bad = [row for kind in ("mismatch", "not-checkable") for row in rows if row["result"] == kind]
    return {
        "schema_version": 1,
        "kind": "verification",
        "log": " and ".join(present) or workspace.log.files[0][1],
        "checked": len(rows),
        "verified": sum(row["result"] == "verified" for row in rows),
        "mismatched": sum(row["result"] == "mismatch" for row in rows),
        "not_checkable": sum(row["result"] == "not-checkable" for row in rows),
        "rows": bad[:ROWS],
    }


def _lines(workspace: Workspace) -> list[_LogLine]:
    """Return the recorded decisions of the log in the order in which they were written.

    Raises:
        WorldError: the log cannot be read, at none of its places.
    """
    read = [files.read(root, path) for root, path in workspace.log.files if files.exists(root, path)]
    refused = [data for data in read if isinstance(data, files.Refusal)]
    if refused and len(refused) == len(read):
        raise WorldError(refused[0].message, hint=refused[0].hint)
    found = [entry for data in read if isinstance(data, bytes) for entry in entries(data)]
    return [_LogLine(number, row, raw) for number, row, raw in found if row is not None]


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
