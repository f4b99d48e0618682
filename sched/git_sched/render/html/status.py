"""Renders the status as a page: what is ready, held, running and blocked, the signals, and what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count, join_words
from git_sched.render.counts import format_counts
from git_sched.render.html.page import Html, code, page, paragraph, section, table, text
from git_sched.render.html.sections import (
    Naming,
    describe_work,
    fold_scores,
    foot,
    head,
    list_blocked,
    list_held,
    list_problems,
    list_ranked,
    list_running,
    list_tasks,
)
from git_sched.render.redact import redact_status

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.render.redact import Redaction


def render(found: record.StatusRecord) -> str:
    """Render the record of ``status``."""
    naming, held = Naming(redact_status(found), found["qualified"]), found["counts"]["held"]
    title = format_counts(found["counts"])
    if found["outcome"] == "refused":
        title = "Refused: the policy cannot be trusted, so nothing is ranked by it"
    whole = not any(found["selection"].values())
    ready = [row for row in found["ranking"] if row["state"] != "held"]
    reasons = [text(naming.shows.reason(row["state"], row["why"])) for row in found["blocked_tasks"]]
    blocked = list(zip(map(naming.task, found["blocked_tasks"]), reasons, strict=True))
    parts = (
        head(
            "git sched status",
            text(title),
            *([paragraph(f"{work}.", class_="soft")] if (work := describe_work(found)) else []),
            *([paragraph(f"For {join_words(found['for_agents'])}.", class_="soft")] if found["for_agents"] else []),
        ),
        list_ranked("Ready", ready, naming, left=found["ready_count"] - held - len(ready) if whole else 0),
        list_held(found["held"], naming, left=held - len(found["held"]) if whole else 0),
        list_running(found["running"], naming),
        list_blocked(found["waiting"], naming) if whole else list_tasks("Blocked", blocked),
        section("Signals", _signals(found["signals"], naming.shows)),
        _sources(found),
        fold_scores(ready, naming),
        list_problems(found["problems"], naming),
    )
    return page(f"Status: {title}", *parts, foot(found["basis"]))


def _signals(signals: record.SignalsRecord, shows: Redaction) -> Html:
    trees, queue, past = signals["worktrees"], signals["merge_queue"], signals["history"]
    depths = ", ".join(f"{repository} {depth}" for repository, depth in queue["depths"].items())
    rows = [
        ("worktrees", trees["known"], trees["source"], f"{len(trees['worktrees'])} active"),
        ("merge queue", queue["known"], queue["source"], depths or "nothing queued"),
        ("history", past["known"], past["source"], count(past["rows"], "row")),
    ]
    cells = [
        (
            "",
            (
                text(name),
                text("known" if known else "unknown"),
                text(source),
                text(shows.words(words) if known else ""),
            ),
        )
        for name, known, source, words in rows
    ]
    return table(["signal", "state", "source", "value"], cells)


def _sources(found: record.StatusRecord) -> Html:
    rows = [
        ("", (code(row["path"]), text(row["format"]), text(str(row["nodes"])), text(str(row["open"]))))
        for row in found["sources"]
    ]
    heads = ["file", "format", "tasks", "open"]
    return section("Sources", table(heads, rows, right=(2, 3))) if rows else Html("")
