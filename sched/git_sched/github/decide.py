"""The step that decides: record, report, outputs and summary of the checkout. It uses no token and no network."""

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
from git_sched.operations.answer import Recorded, answer_question
from git_sched.render.data.annotations import EACH, annotate
from git_sched.render.markdown.comment import NAMED, STEPS
from git_sched.render.redact import redact_next
from git_sched.workspace import files, git
from git_sched.workspace.question import Question, find_clock
from git_sched.workspace.stored_records import SIZE
from git_sched.workspace.streams import write_err

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched import record

BY_CLOCK: Final = frozenset({"schedule", "workflow_dispatch", "issues"})
"""Events that are independent of the commit's time, so that the clock is used as the current time."""

HISTORY: Final = "history"


def run(environ: Mapping[str, str]) -> int:
    """Decide and publish; return 0 for every outcome, including a policy that was refused.

    Raises:
        WorldError: there is no repository, or the event's file or a file to write is not accessible.
        RequestError: an input is not valid.
    """
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
        recorded = _answer(runner, inputs, question)
        recorded = recorded._replace(notes=(*notes, *recorded.notes))
        try:
            head = recorded.result.workspace.inputs.basis.revision or ""
            base = find_base(found_git, runner, head) if inputs.revision == "HEAD" else BaseCommit()
            _report(runner, inputs, question, recorded=recorded, base=base)
        except BaseException:
            _give_back(runner, inputs, recorded)
            raise
    finally:
        found_git.close()
    return 0


def _report(runner: Runner, inputs: Inputs, question: Question, *, recorded: Recorded, base: BaseCommit) -> None:
    """Publish an answer, and print its problems and notes to the job's log."""
    found, notes = recorded.found, list(recorded.notes)
    comparison = _compare(question, base)
    if base.why and found["outcome"] != "empty":
        notes.append(f"nothing to compare with: {base.why}")
    _publish(runner, inputs, found, comparison)
    # The runner counts over all inner steps, and the gate has an error to report as well.
    annotations = annotate(_from_top(found), shows=redact_next(found), each=EACH - 1)
    print_log(annotations + "".join(runner_files.format_annotation("notice", note) for note in notes[:5]))


def _give_back(runner: Runner, inputs: Inputs, recorded: Recorded) -> None:
    """Give back what an answer has taken that could not be reported."""
    if recorded.taken:
        from git_sched.operations.log import give_back

        write_err("\n".join([give_back(recorded), *_keep(runner, inputs)]))


def _question(start: str, runner: Runner, inputs: Inputs, found: git.Git) -> tuple[Question, list[str]]:
    """Return the question that the inputs ask, and notes about it."""
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
    """Return the file with the merge queue: the one that an earlier step wrote, the one that was named, or ``None``."""
    if inputs.merge_queue == "auto":
        folder, name = find_folder(), "merge-queue.json"
        return os.path.join(folder, name) if files.exists(folder, name) else None
    return None if inputs.merge_queue == "off" else os.path.join(os.path.realpath(runner.workspace), inputs.merge_queue)


def _history(runner: Runner, inputs: Inputs, found: git.Git) -> tuple[str | None, list[str]]:
    """Return the decisions log that earlier runs kept, if the inputs ask for one, and notes about it."""
    if not inputs.history:
        return None, []
    from git_sched.github.kept_log import NAME, find_kept, restore

    target = os.path.join(find_folder(), HISTORY)
    os.makedirs(target, exist_ok=True)
    kept = find_kept(inputs.history, runner.workspace)
    notes = restore(kept, target, has_commit=lambda revision: has_commit(found, revision))
    return os.path.join(target, NAME), [*notes]


def _answer(runner: Runner, inputs: Inputs, question: Question) -> Recorded:
    """Decide, and log the decision if the inputs ask for it; what prevents that is a note, never a failure."""
    from git_sched.report.next import build_next

    dispatched = inputs.dispatch and runner.basis_kind == "merged"
    notes = []
    if inputs.dispatch and not dispatched:
        notes.append("dispatch is refused for work that is only proposed; nothing was marked as given out")
    if inputs.record or dispatched:
        from git_sched.operations.log import record_answer

        try:
            recorded = record_answer(question, dispatched=dispatched)
        except (WorldError, OSError) as error:
            notes.append(f"nothing was recorded: {error}")
        else:
            write_err("\n".join(recorded.notes))
            return recorded._replace(notes=(*notes, *_keep(runner, inputs)))
    asked = answer_question(question)
    return Recorded(asked, build_next(asked.answer), tuple(notes))


def _keep(runner: Runner, inputs: Inputs) -> list[str]:
    """Keep the log for later runs if the inputs ask for it; return notes about what prevents that."""
    if not inputs.history:
        return []
    from git_sched.github.kept_log import find_kept, keep

    try:
        keep(os.path.join(find_folder(), HISTORY), find_kept(inputs.history, runner.workspace))
    except OSError as error:
        return [f"the log was not kept for later runs: {error}"]
    return []


def _compare(question: Question, base: BaseCommit) -> record.ComparisonRecord | None:
    """Compare with the base, where the event has one and either side has tasks; the record says where it is missing."""
    if base.revision is None:
        return None
    from git_sched.operations.diff import LIMIT, Range, compare_revisions

    asked = question._replace(limit=max(LIMIT, question.limit or 1))
    found = compare_revisions(asked, Range(base.revision, question.revision), missing=base.why)
    sides = [side for side in (found["before"], found["after"]) if side]
    return None if all(side["outcome"] == "empty" and not side["errors"] for side in sides) else found


def _publish(
    runner: Runner, inputs: Inputs, found: record.DecisionsRecord, comparison: record.ComparisonRecord | None
) -> None:
    """Write the files, the outputs and the summary."""
    from git_sched.render.data import outputs
    from git_sched.render.markdown import comment, summary

    raw = dump(found, indent=2) + b"\n"
    record_path = write("record.json", raw)
    pushed = comparison["changes"] if comparison and runner.event == "push" else None
    decided = summary.render(found, pushed)
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
    """Write a comparison so that the step or run that reports it accepts it.

    If it would be too large, picks and places that no report explains keep ids and numbers alone.
    """
    raw = dump(comparison)
    if len(raw) <= SIZE:
        return raw
    slim: dict[str, object] = dict(comparison)
    for key in ("before", "after", "after_by_base_policy"):
        if side := comparison[key]:
            picks, order = side["decisions"], side["order"]
            rest = [{**pick, **_BARE} for pick in picks[NAMED:]]
            places = [{**place, "title": ""} for place in order[STEPS[0] :]]
            slim[key] = {**side, "decisions": [*picks[:NAMED], *rest], "order": [*order[: STEPS[0]], *places]}
    return dump(slim)


_BARE: Final[dict[str, object]] = {
    "title": "", "why": "", "why_parts": [], "factors": [], "runner_up": None, "labels": []
}  # fmt: skip
"""What a pick loses that no report explains."""


def _from_top(found: record.DecisionsRecord) -> list[record.ProblemRecord]:
    """Return the problems with paths relative to the repository's top level, as annotations need them."""
    place = found["basis"]["workspace"]
    return [{**p, "path": f"{place}/{p['path']}" if place and p["path"] else p["path"]} for p in found["problems"]]
