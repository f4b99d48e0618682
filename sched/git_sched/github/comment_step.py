"""The step that comments on the pull request with what an earlier step compared. It reads no task file."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from git_sched.github import runner_files
from git_sched.github.api import Http, find_pull
from git_sched.github.inputs import Inputs
from git_sched.github.post_comment import CommentRequest, CommentResult, post
from git_sched.github.runner import Runner, part, text
from git_sched.github.runner_files import find_folder, print_log, read
from git_sched.model.json_codec import load
from git_sched.render.data.outputs import lines
from git_sched.workspace import files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched import record
    from git_sched.github.api import Api

BOTS = frozenset({"dependabot[bot]"})
"""Users whose pull requests get a read-only token, although they do not come from a fork."""


def run(environ: Mapping[str, str]) -> int:
    """Bring the comment up to date; return 0 whatever GitHub answers."""
    runner, inputs = Runner.from_environ(environ), Inputs.from_environ(environ)
    posted = _post(runner, inputs)
    pairs = [
        ("comment-id", str(posted.comment_id or "")),
        ("comment-url", posted.url if posted.url.startswith(("https://", "http://")) else ""),
        ("comment-status", posted.status),
    ]
    runner_files.append(runner.output, lines(pairs))
    if posted.note:
        print_log(runner_files.format_annotation("notice", f"comment {posted.status}: {posted.note}"))
    return 0


def _post(runner: Runner, inputs: Inputs) -> CommentResult:
    if not files.exists(find_folder(), "comparison.json"):
        return CommentResult(
            "skipped", note="" if runner.pull is None else "there is nothing to compare, so nothing to say"
        )
    if not runner.token:
        return CommentResult("forbidden", note="no token was given")
    if runner.event == "pull_request" and ((runner.pull and runner.pull.fork) or runner.actor in BOTS):
        return CommentResult(
            "forbidden",
            note="pull requests of forks and of Dependabot have a token that may only read; "
            "the summary has the report, and a workflow_run stage can comment",
        )
    api = Http(runner)
    number, head = _target(api, runner, inputs)
    if number is None:
        asked = runner.event == "workflow_run"
        return CommentResult("skipped", note="no open pull request was found for this commit" if asked else "")
    found: Any = load(read("comparison.json"))
    wanted = CommentRequest(
        runner.repository, number, inputs.comment_key, runner.run, head or found["basis"]["head"],
        (_text(found, runner), _short(runner)), make=found["changed"] is True,
        workspace=found["basis"]["workspace"],
    )  # fmt: skip
    return post(api, wanted, wait=time.sleep)


def _target(api: Api, runner: Runner, inputs: Inputs) -> tuple[int | None, str]:
    """Return the pull request's number and the commit that must still be its head; if empty, the record's."""
    if runner.event == "workflow_run":
        about = part(runner.payload, "workflow_run")
        owner, head = text(part(part(about, "head_repository"), "owner"), "login"), text(about, "head_sha")
        return find_pull(api, runner.repository, f"{owner}:{text(about, 'head_branch')}", head), head
    if inputs.pr_number is not None and (runner.pull is None or runner.pull.number != inputs.pr_number):
        return inputs.pr_number, ""
    return (runner.pull.number, runner.pull.head) if runner.pull else (None, "")


def _text(found: record.ComparisonRecord, runner: Runner) -> str:
    """Return the comment with the run in its footer, which does not count as a change."""
    from git_sched.render.markdown import comment

    said = f"[Run {runner.run[0]}]({runner.run_url}), attempt {runner.run[1]}."
    return f"{comment.body(found)}\n{comment.footer(found, run=said, fork=runner.fork)}\n"


def _short(runner: Runner) -> str:
    return f"The report is too long for a comment: [run {runner.run[0]}]({runner.run_url}) has it in its summary.\n"
