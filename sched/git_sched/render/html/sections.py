"""Parts that pages share: what is wrong, what waits, and what the answer was computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.render.counts import count_edited, format_severities
from git_sched.render.html.page import Html, code, element, join, paragraph, section, table, text
from git_sched.render.markdown.escape import strip_invisible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from git_sched import record
    from git_sched.render.redact import Redaction

PROBLEMS: Final = 20
"""Problems that a page lists; their number is always given whole."""


BLANK: Final = Html(" ")


def name(row: Mapping[str, Any]) -> Html:
    """Give the full name of a node."""
    return code(f"{row['graph_id']}/{row['node_id']}")


def repository(home: str | None, shows: Redaction) -> Html:
    """Give a repository that may be named."""
    shown = shows.repository(home)
    return code(shown) if shown else Html("")


def head(kind: str, title: Html, *children: Html) -> Html:
    """Give the top of a page: what it is, then the answer."""
    words = (element("p", text(kind), class_="kind"), element("h1", title), *children)
    return Html("\n" + element("header", *words))


def problems(found: Sequence[record.ProblemRecord], shows: Redaction) -> Html:
    """Give what is wrong in the task files, errors first; nothing where nothing is."""
    if not found:
        return Html("")
    rows = []
    for problem in sorted(found, key=lambda p: p["severity"])[:PROBLEMS]:
        place = ":".join(str(part) for part in (problem["path"], problem["line"]) if part)
        said = f"{problem['severity']}: {shows.words(problem['message'])}"
        hint = f"; {shows.words(problem['hint'])}" if problem["hint"] else ""
        rows.append(element("li", code(place), BLANK, text(f"{said}{hint}")))
    if (left := len(found) - len(rows)) > 0:
        rows.append(element("li", text(f"{left} more")))
    title = element("p", element("strong", text(f"{format_severities(found)} in the task files")))
    return Html("\n" + element("div", title, element("ul", *rows), class_="problems"))


def assumed(done: Sequence[str]) -> Html:
    """Say which tasks were taken as completed, for a what-if; nothing where there are none."""
    return paragraph(f"What if: {', '.join(done)} completed.") if done else Html("")


def waiting(
    title: str, rows: Sequence[tuple[Html, str]], shows: Redaction, *, left: int = 0, what: str = "why"
) -> Html:
    """Give tasks that are not to be had, with a reason or another word for each; nothing where there are none."""
    if not rows and not left:
        return Html("")
    cells = [("", (who, text(shows.words(why)))) for who, why in rows]
    more = [("", (text(f"{left} more"), Html("")))] if left else []
    return section(title, table(["task", what], [*cells, *more]))


def footer(basis: record.BasisRecord) -> Html:
    """Say what the answer was computed from."""
    at = f"commit {basis['revision'][:12]}" if basis["revision"] else "outside any commit"
    where = f" in {basis['workspace']}" if basis["workspace"] else ""
    dirty = f", {count_edited(basis)} changed since" if basis["dirty"] else ""
    policy = basis["policy"]
    rules = f"policy {policy['path']} (preset {policy['preset']})" if policy["path"] else f"preset {policy['preset']}"
    now = f"; now is {basis['now']} ({basis['now_source']})" if basis["now"] else ""
    return Html("\n" + element("footer", text(f"Computed from {at}{where}{dirty} with {rules}{now}.")) + "\n")


def at_work(rows: Sequence[record.RunningRecord], shows: Redaction) -> Html:
    """Give what is running, and who is at it."""
    return waiting("Running", [(name(row), row["agent_id"] or "nobody named") for row in rows], shows, what="who")


def blocked(groups: Sequence[record.WaitingRecord], shows: Redaction) -> Html:
    """Give what waits, tasks with one reason together."""
    rows = []
    for group in groups:
        named = [code(node) for node in group["nodes"]]
        parts = [*named, *([text(f"{group['more']} more")] if group["more"] else [])]
        comma = join((text(","), BLANK))
        rows.append((join(join((comma, part)) if n else part for n, part in enumerate(parts)), group["why"]))
    return waiting("Blocked", rows, shows)


def ranking(rows: Sequence[record.RankedRecord], shows: Redaction, *, total: int) -> Html:
    """Give the ready tasks in order with what became of each."""
    cells = []
    for n, row in enumerate(rows, 1):
        state = row["state"] if row["state"] != "outranked" else ""
        said = ", ".join(part for part in (state, shows.words(row["note"])) if part)
        title = strip_invisible(shows.title(row["title"]))
        home = repository(row["repository"], shows)
        told = (text(str(n)), name(row), home, text(f"{row['score']:.3f}"), text(title), text(said))
        cells.append(("key" if row["state"] == "picked" else "", told))
    if total > len(rows):
        cells.append(("", (Html(""), text(f"{total - len(rows)} more"), Html(""), Html(""), Html(""), Html(""))))
    heads = ["", "task", "repository", "score", "title", ""]
    return section("Ranking", table(heads, cells, right=(0, 3))) if rows else Html("")
