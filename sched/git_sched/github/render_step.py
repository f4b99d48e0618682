"""The second stage for pull requests from forks: reports a stored comparison; decides nothing, reads no task file."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, cast

from git_sched.github import runner_files
from git_sched.github.runner import part, text
from git_sched.github.runner_files import write
from git_sched.model.json_codec import dump
from git_sched.model.problems import RequestError, WorldError
from git_sched.workspace import stored_records

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.github.inputs import Inputs
    from git_sched.github.runner import Runner


def run(runner: Runner, inputs: Inputs) -> int:
    """Check the record that another run stored, render it again, and pass it to the step that comments.

    Raises:
        RequestError: the record is not a valid comparison.
        WorldError: a file cannot be read or written, or the record is of another pull request.
    """
    from git_sched.render.data import outputs
    from git_sched.render.markdown import comment

    kept = stored_records.load(os.path.join(os.path.realpath(runner.workspace), inputs.record_from))
    if kept.get("kind") != "comparison":
        raise RequestError(f"record-from: this is a {kept.get('kind')}, not a comparison")
    found = cast("record.ComparisonRecord", kept)
    pull = runner.pull
    head = pull.head if pull else text(part(runner.payload, "workflow_run"), "head_sha")
    if not head or found["basis"]["head"] != head:
        raise WorldError(
            "the stored record is not about the commit of the run it came from, so it is not used",
            hint="record-from is for workflow_run and pull_request, with the artifact of that very run",
        )
    raw = dump(found)
    path = write("comparison.json", raw)
    report = f"{comment.body(found)}\n{comment.footer(found, fork=runner.fork)}\n"
    report_path = write("report.md", report.encode(errors="backslashreplace"))
    files = [("record-path", path), ("record-sha256", sha256(raw).hexdigest()), ("report-path", report_path)]
    pairs = outputs.values(found, basis_kind="proposed")
    runner_files.append(runner.output, outputs.lines([*pairs, *files, ("comparison-path", path)]))
    if inputs.report != "none" and pull is None:  # the job that decided has already written the summary of its own run
        runner_files.append(runner.summary, runner_files.cut_summary(report))
    return 0
