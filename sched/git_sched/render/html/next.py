"""A decision as a page: each pick with the rows of its score, what is wrong, the ranking, and what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import sentence
from git_sched.render.counts import ASKED, format_counts
from git_sched.render.html.page import Html, element, join, page, paragraph, section, table, text
from git_sched.render.html.sections import (
    BLANK,
    assumed,
    at_work,
    blocked,
    footer,
    head,
    name,
    problems,
    ranking,
    waiting,
)
from git_sched.render.layout import format_rating, format_weight, round_rows
from git_sched.render.markdown.escape import strip_invisible
from git_sched.render.markdown.summary import nothing
from git_sched.render.redact import redact_next
from git_sched.render.text.next import deferral, foreseen, lead, pick_facts

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.render.redact import Redaction

ROWS: Final = ["factor", "weight x rating", "points", "why"]


def render(found: record.DecisionsRecord) -> str:
    """Render the record of ``next``."""
    shows = redact_next(found)
    picks = found["decisions"]
    if picks:
        first = picks[0]
        outlook = [paragraph(f"{sentence(foreseen(found['outlook']))}.")] if found["outlook"] else []
        what_if = assumed(found["request"]["assumed_done"])
        top = head("git sched next", name(first), *_words(first, shows), *outlook, what_if)
        title = f"Next: {first['graph_id']}/{first['node_id']}"
    else:
        title = nothing(found)
        until = join(paragraph(sentence(line.strip())) for line in deferral(found))
        top = head("git sched next", text(title), until, assumed(found["request"]["assumed_done"]))
    parts = [top, problems(found["problems"], shows), *(_pick(row, shows, first=not n) for n, row in enumerate(picks))]
    parts.append(ranking(found["ranking"], shows, total=sum(found["counts"][state] for state in ASKED)))
    if found["counts"]["nodes"]:
        parts.append(paragraph(f"{format_counts(found['counts'])}.", class_="soft"))
    parts += [at_work(found["running"], shows), _held(found, shows), blocked(found["waiting"], shows)]
    return page(title, *parts, footer(found["basis"]))


def _words(row: record.DecisionRecord, shows: Redaction) -> list[Html]:
    title = strip_invisible(shows.title(row["title"]))
    return [paragraph(title), paragraph(shows.words(", ".join(pick_facts(row))), class_="soft")]


def _pick(row: record.DecisionRecord, shows: Redaction, *, first: bool) -> Html:
    points = round_rows([factor["points"] for factor in row["factors"]], row["score"])
    cells = [
        (
            "",
            (
                text(factor["factor"]),
                text(f"{format_weight(factor['weight'])} x {format_rating(factor)}"),
                text(f"{value:.3f}"),
                text(shows.words(factor["why"])),
            ),
        )
        for factor, value in zip(row["factors"], points, strict=True)
    ]
    total = ("sum", (text("score"), Html(""), text(f"{row['score']:.3f}"), Html("")))
    second = row["runner_up"]
    leads = [paragraph(shows.words(f"{sentence(lead(row['score'], second))}."))] if second else []
    scored = (table(ROWS, [*cells, total], right=(1, 2)), *leads)
    if first:
        return section("Why", *scored)
    title = element("h2", text("Then"), BLANK, name(row))
    return element("section", title, *_words(row, shows), *scored)


def _held(found: record.DecisionsRecord, shows: Redaction) -> Html:
    rows = [(name(row), row["why"]) for row in found["held"]]
    return waiting("Held", rows, shows, left=found["counts"]["held"] - len(rows))
