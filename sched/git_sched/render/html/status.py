"""The status as a page: what is ready, held, running and blocked, the signals behind it, and what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count
from git_sched.render.counts import format_counts
from git_sched.render.html.page import Html, code, page, section, table, text
from git_sched.render.html.sections import at_work, blocked, footer, head, name, problems, ranking, waiting
from git_sched.render.redact import redact_status

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.render.redact import Redaction


def render(found: record.StatusRecord) -> str:
    """Render the record of ``status``."""
    shows = redact_status(found)
    title = format_counts(found["counts"])
    if found["outcome"] == "refused":
        title = "Refused: the policy cannot be trusted, so nothing is ranked by it"
    held = [(name(row), row["why"]) for row in found["held"]]
    parts = (
        head("git sched status", text(title)),
        problems(found["problems"], shows),
        ranking(found["ranking"], shows, total=found["ready_count"]),
        at_work(found["running"], shows),
        waiting("Held", held, shows, left=found["counts"]["held"] - len(held)),
        blocked(found["waiting"], shows),
        section("Signals", _signals(found["signals"], shows)),
        _sources(found),
    )
    return page(f"Status: {title}", *parts, footer(found["basis"]))


def _signals(signals: record.SignalsRecord, shows: Redaction) -> Html:
    trees, queue, past = signals["worktrees"], signals["merge_queue"], signals["history"]
    depths = ", ".join(f"{name} {depth}" for name, depth in queue["depths"].items())
    rows = [
        ("worktrees", trees["known"], trees["source"], f"{len(trees['worktrees'])} active"),
        ("merge queue", queue["known"], queue["source"], depths or "nothing queued"),
        ("history", past["known"], past["source"], count(past["rows"], "row")),
    ]
    cells = [
        (
            "",
            (text(what), text("known" if known else "unknown"), text(source), text(shows.words(said) if known else "")),
        )
        for what, known, source, said in rows
    ]
    return table(["signal", "", "source", ""], cells)


def _sources(found: record.StatusRecord) -> Html:
    rows = [
        ("", (code(row["path"]), text(row["format"]), text(str(row["nodes"])), text(str(row["open"]))))
        for row in found["sources"]
    ]
    heads = ["file", "format", "tasks", "open"]
    return section("Sources", table(heads, rows, right=(2, 3))) if rows else Html("")
