"""Renders a decision as a page: each pick with why and where, then what comes next, what is held, and what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import sentence
from git_sched.render.counts import format_counts
from git_sched.render.html.page import Html, element, page, paragraph, text
from git_sched.render.html.sections import (
    Naming,
    assume,
    describe_work,
    fold_scores,
    foot,
    head,
    list_blocked,
    list_held,
    list_problems,
    list_ranked,
    list_running,
)
from git_sched.render.outcome import describe_nothing, describe_time_gate
from git_sched.render.redact import redact_next
from git_sched.render.tasks import format_task_size

if TYPE_CHECKING:
    from git_sched import record


def render(found: record.DecisionsRecord) -> str:
    """Render the record of ``next``."""
    naming = Naming(redact_next(found), found["qualified"])
    picks, counts, what_if = found["decisions"], found["counts"], assume(found["request"]["assumed_done"])
    if picks:
        title = f"Next: {naming.shows.title(picks[0]['title']) or naming.name(picks[0])}"
        top = head("git sched next", naming.task(picks[0]), *_words(picks[0], naming), what_if)
    else:
        title = sentence(describe_nothing(found))
        until = f"{sentence(gate)}." if (gate := describe_time_gate(found)) else ""
        top = head("git sched next", text(title), *([paragraph(until)] if until else []), what_if)
    others = [row for row in found["ranking"] if row["state"] in {"lower-ranked", "skipped"}]
    left = counts["lower_ranked"] + counts["skipped"] - len(others)
    parts = [
        top,
        *(_pick(row, naming) for row in picks[1:]),
        list_ranked("Next in line", others, naming, left=left),
        list_held(found["held"], naming, left=counts["held"] - len(found["held"])),
        list_running(found["running"], naming),
        list_blocked(found["waiting"], naming),
        _counts(found),
        fold_scores(found["ranking"], naming),
        list_problems(found["problems"], naming),
    ]
    return page(title, *parts, foot(found["basis"]))


def _counts(found: record.DecisionsRecord) -> Html:
    parts = (format_counts(found["counts"]), describe_work(found))
    words = paragraph(f"{'; '.join(part for part in parts if part)}.", class_="counts soft")
    return words if found["counts"]["nodes"] else Html("")


def _pick(row: record.DecisionRecord, naming: Naming) -> Html:
    return element("section", element("h2", naming.task(row)), *_words(row, naming))


def _words(row: record.DecisionRecord, naming: Naming) -> list[Html]:
    """Say why a task is picked, where it is written, and how long it takes."""
    home = naming.shows.repository(row["repository"])
    facts = [
        ":".join(str(part) for part in (row["path"], row["line"]) if part),
        f"repository {home}" if home else "",
        format_task_size(row),
        f"assigned to {row['assigned_to']}" if row["assigned_to"] else "unassigned",
        f"for {row['agent_id']}" if row["agent_id"] else "",
    ]
    why = [paragraph(f"Why: {naming.shows.words(row['why'])}.")] if row["why"] else []
    return [*why, paragraph(naming.shows.words(" \u00b7 ".join(fact for fact in facts if fact)), class_="soft")]
