"""The step that decides: record, report, outputs and summary, from what is checked out. No token, no network."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from git_sched.github import runner_files
from git_sched.github.base_commit import BaseCommit, find_base, has_commit
from git_sched.github.inputs import Inputs, start_folder
from git_sched.github.runner import Runner
from git_sched.github.runner_files import find_folder, print_log, write
from git_sched.model.json_codec import dump
from git_sched.model.problems import WorldError
from git_sched.operations.answer import answer_question
from git_sched.render.data.annotations import EACH, annotate
from git_sched.render.redact import redact_next
from git_sched.workspace import git
from git_sched.workspace.question import Question, find_clock
from git_sched.workspace.stored_records import SIZE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched import record
    from git_sched.operations.answer import Result

BY_CLOCK: Final = frozenset({"schedule", "workflow_dispatch", "issues"})
"""Events that say nothing about when they come, so that the clock is the time to use."""

HISTORY: Final = "history"


def run(environ: Mapping[str, str]) -> int:
    """Decide; end with 0 on every outcome there is, the policy's refusal included."""
    runner, inputs = Runner.from_environ(environ), Inputs.from_environ(environ)
    if inputs.record_from:
        from git_sched.github.render_step import run as render_only

        return render_only(runner, inputs)
    start = start_folder(inputs, runner.workspace)
    found_git = git.find_repository(start, os.environ)
    if found_git is None:
        raise WorldError("there is no repository here", hint="add actions/checkout before this step")
    try:
        question, notes = _question(start, runner, inputs, found_git)
        asked = answer_question(question)
        head = asked.workspace.inputs.basis.revision or ""
        compares = inputs.revision == "HEAD" and asked.answer.outcome != "empty"
        base = find_base(found_git, runner, head) if compares else BaseCommit()
    finally:
        found_git.close()
    from git_sched.report.next import build_next

    found = build_next(asked.answer)
    notes += _recorded(runner, inputs, asked, found)
    comparison = _compared(question, base)
    if base.why:
        notes.append(base.why)
    _publish(runner, inputs, found, comparison)
    # The runner counts over all inner steps; the gate has an error to say as well.
    annotations = annotate(_from_top(found), shows=redact_next(found), each=EACH - 1)
    print_log(annotations + "".join(runner_files.format_annotation("notice", note) for note in notes[:5]))
    return 0


def _question(start: str, runner: Runner, inputs: Inputs, found: git.Git) -> tuple[Question, list[str]]:
    """Give what the inputs ask, and what is to be said about it."""
    merges = _merge_queue(runner, inputs)
    decisions, notes = _history(runner, inputs, found)
    by_clock = inputs.now == "auto" and runner.event in BY_CLOCK
    question = Question(
        start=start,
        revision=inputs.revision,
        graphs=inputs.graphs,
        policy=inputs.policy,
        merge_queue=merges,
        decisions=decisions,
        now_source="wall" if by_clock else inputs.now,
        environment=os.environ,
        limit=inputs.limit,
        agents=inputs.agents,
    )
    return question._replace(clock=find_clock(question)), notes


def _merge_queue(runner: Runner, inputs: Inputs) -> str | None:
    """Give the file with the merge queue: the one an earlier step wrote, the one that is named, or none."""
    if inputs.merge_queue == "auto":
        asked = os.path.join(find_folder(), "merge-queue.json")
        return asked if os.path.exists(asked) else None
    return None if inputs.merge_queue == "off" else os.path.join(os.path.realpath(runner.workspace), inputs.merge_queue)


def _history(runner: Runner, inputs: Inputs, found: git.Git) -> tuple[str | None, list[str]]:
    """Give the log of decisions that earlier runs kept, if one is asked for, and what is to be said about it."""
    if not inputs.history:
        return None, []
    from git_sched.github.kept_log import NAME, find_kept, restore

    target = os.path.join(find_folder(), HISTORY)
    os.makedirs(target, exist_ok=True)
    kept = find_kept(inputs.history, runner.workspace)
    notes = restore(kept, target, has_commit=lambda revision: has_commit(found, revision))
    return os.path.join(target, NAME), [*notes]


def _recorded(runner: Runner, inputs: Inputs, asked: Result, found: record.DecisionsRecord) -> list[str]:
    """Log the decision where that was asked for; what stands in the way is a note, never a failure."""
    dispatched = inputs.dispatch and runner.basis_kind == "merged"
    notes = []
    if inputs.dispatch and not dispatched:
        notes.append("dispatch is refused for work that is only proposed; nothing was marked as handed out")
    if not (inputs.record or dispatched):
        return notes
    from git_sched.github.kept_log import find_kept, keep
    from git_sched.operations.log import append_decisions as log

    try:
        log(asked.workspace, found, asked.answer, dispatched=dispatched)
        if inputs.history:
            keep(os.path.join(find_folder(), HISTORY), find_kept(inputs.history, runner.workspace))
    except (WorldError, OSError) as error:
        notes.append(f"nothing was recorded: {error}")
    return notes


def _compared(question: Question, base: BaseCommit) -> record.ComparisonRecord | None:
    """Compare with the base, where the event has one; what is not in this clone is said in the record."""
    if base.revision is None:
        return None
    from git_sched.operations.diff import LIMIT, compare_revisions

    return compare_revisions(question._replace(limit=max(LIMIT, question.limit or 1)), base=base.revision)


def _publish(
    runner: Runner, inputs: Inputs, found: record.DecisionsRecord, comparison: record.ComparisonRecord | None
) -> None:
    """Write the files, the outputs and the summary."""
    from git_sched.render.data import outputs
    from git_sched.render.markdown import comment, summary

    raw = dump(found, indent=2) + b"\n"
    record_path = write("record.json", raw)
    decided = summary.render(found)
    report, compared_path = decided, ""
    if comparison is not None:
        compared_path = write("comparison.json", _handed_on(comparison))
        report = comment.render(comparison)
    report_path = write("report.md", report.encode(errors="backslashreplace"))
    pairs = outputs.values(found, basis_kind=runner.basis_kind, for_proposed=inputs.outputs_for_proposed)
    files = {
        "record-path": record_path,
        "record-sha256": sha256(raw).hexdigest(),
        "report-path": report_path,
        "comparison-path": compared_path,
    }
    runner_files.append(runner.output, outputs.lines([*pairs, *files.items()]))
    if inputs.report != "none":
        both = comparison is not None and comparison["changed"] and runner.basis_kind == "proposed"
        runner_files.append(runner.summary, runner_files.cut_summary(f"{report}\n{decided}" if both else decided))


def _handed_on(comparison: record.ComparisonRecord) -> bytes:
    """Write a comparison so that the step or run that reports it takes it back.

    Where it would be too large, picks that no report explains, all but the first, keep ids and numbers alone.
    """
    raw = dump(comparison)
    if len(raw) <= SIZE:
        return raw
    slim: dict[str, object] = dict(comparison)
    for key in ("before", "after", "after_by_base_policy"):
        if side := comparison[key]:
            picks = side["decisions"]
            rest = [{**pick, "title": "", "factors": [], "runner_up": None} for pick in picks[1:]]
            slim[key] = {**side, "decisions": [*picks[:1], *rest]}
    return dump(slim)


def _from_top(found: record.DecisionsRecord) -> list[record.ProblemRecord]:
    """Give the problems with paths from the repository's top level, as annotations need them."""
    place = found["basis"]["workspace"]
    return [{**p, "path": f"{place}/{p['path']}" if place and p["path"] else p["path"]} for p in found["problems"]]
