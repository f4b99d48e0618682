"""Parts that all pages share: names of tasks, problems, waiting tasks, and what the answer was computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.render.counts import count_edited, format_severities
from git_sched.render.html.page import Html, code, element, fold, join, paragraph, section, table, text
from git_sched.render.layout import round_rows
from git_sched.render.markdown.escape import strip_invisible
from git_sched.render.outcome import TIMES
from git_sched.render.tasks import format_estimated, format_task_size, format_total, name_task, shorten_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from git_sched import record
    from git_sched.render.redact import Redaction

PROBLEMS: Final = 20
"""The largest number of problems that a page lists; it also has their full number."""

BLANK: Final = Html(" ")


class Naming(NamedTuple):
    """How the tasks of one answer are named: what can be shown of them, and whether with their graph."""

    shows: Redaction
    qualified: bool

    def name(self, row: Mapping[str, Any]) -> str:
        """Write the id of a row as it can be pasted."""
        return name_task(row["graph_id"], row["node_id"], qualified=self.qualified)

    def task(self, row: Mapping[str, Any]) -> Html:
        """Write a task: its title, if it has one that can be shown, and its id."""
        return self.titled(self.name(row), row["title"])

    def waiting_task(self, name: str, title: str) -> Html:
        """Write a task by its full name and its title."""
        return self.titled(shorten_name(name, qualified=self.qualified), title)

    def titled(self, name: str, title: str) -> Html:
        """Write an id with its title before it."""
        shown = strip_invisible(self.shows.title(title))
        return join((text(shown), BLANK, code(name))) if shown else code(name)

    def repository(self, home: str | None) -> Html:
        """Write a repository, if it can be named."""
        shown = self.shows.repository(home)
        return code(shown) if shown else Html("")

    def size(self, row: record.TaskRecord) -> Html:
        """Write how long a task takes; empty without an estimate."""
        return text(format_task_size(row))

    def words(self, sentence: str) -> Html:
        """Write a sentence without the names that are hidden."""
        return text(self.shows.words(sentence))


def head(kind: str, title: Html, *children: Html) -> Html:
    """Build the top of a page: what it is, then the answer."""
    words = (element("p", text(kind), class_="kind"), element("h1", title), *children)
    return Html("\n" + element("header", *words))


def list_problems(found: Sequence[record.ProblemRecord], naming: Naming) -> Html:
    """List the problems of the task files, errors first; empty where there are none."""
    if not found:
        return Html("")
    rows = []
    for problem in sorted(found, key=lambda p: p["severity"])[:PROBLEMS]:
        place = ":".join(str(part) for part in (problem["path"], problem["line"]) if part)
        hint = f"; {problem['hint']}" if problem["hint"] else ""
        message = naming.words(f"{problem['severity']}: {problem['message']}{hint}")
        rows.append(element("li", code(place), BLANK, message))
    if (left := len(found) - len(rows)) > 0:
        rows.append(element("li", text(f"{left} more")))
    title = element("p", element("strong", text(f"{format_severities(found)} in the task files")))
    return Html("\n" + element("div", title, element("ul", *rows), class_="problems"))


def assume(done: Sequence[str]) -> Html:
    """Say which tasks were taken as completed for a what-if; empty where there are none."""
    return paragraph(f"What if: {', '.join(done)} completed.") if done else Html("")


def list_tasks(title: str, rows: Sequence[tuple[Html, Html]], *, left: int = 0, what: str = "why it waits") -> Html:
    """List tasks, each with a reason or something else; empty where there are none."""
    if not rows and left <= 0:
        return Html("")
    more = [("", (text(f"{left} more"), Html("")))] if left > 0 else []
    return section(title, table(["task", what], [*(("", row) for row in rows), *more]))


def list_ranked(title: str, rows: Sequence[record.RankedRecord], naming: Naming, *, left: int = 0) -> Html:
    """List ready tasks in their order, each with its repository, its size and what is against it."""
    cells = [
        (
            "key" if row["state"] == "picked" else "",
            (naming.task(row), naming.repository(row["repository"]), naming.size(row), naming.words(_remark(row))),
        )
        for row in rows
    ]
    if left > 0:
        cells.append(("", (text(f"{left} more"), Html(""), Html(""), Html(""))))
    return section(title, table(["task", "repository", "size", "note"], cells, right=(2,))) if cells else Html("")


def _remark(row: record.RankedRecord) -> str:
    state = {"picked": "next", "skipped": "skipped"}.get(row["state"], "")
    return ", ".join(part for part in (state, row["note"]) if part)


def list_held(rows: Sequence[record.HeldRecord], naming: Naming, *, left: int) -> Html:
    """List the ready tasks that a gate keeps back, each with the reason."""
    return list_tasks("Held", [(naming.task(row), naming.words(row["why"])) for row in rows], left=left)


def list_running(rows: Sequence[record.RunningRecord], naming: Naming) -> Html:
    """List the tasks in progress, and who works on each."""
    named = [(naming.task(row), text(row["agent_id"] or "nobody is named")) for row in rows]
    return list_tasks("Running", named, what="who works on it")


def list_blocked(groups: Sequence[record.WaitingRecord], naming: Naming) -> Html:
    """List the waiting tasks, grouped by reason."""
    rows = []
    for group in groups:
        pairs = zip(group["nodes"], group["titles"], strict=False)
        named = [naming.waiting_task(node, title) for node, title in pairs]
        parts = [*named, *([text(f"{group['more']} more")] if group["more"] else [])]
        comma = join((text(","), BLANK))
        tasks = join(join((comma, part)) if n else part for n, part in enumerate(parts))
        rows.append((tasks, text(naming.shows.reason(group["kind"], group["why"]))))
    return list_tasks("Blocked", rows)


def describe_work(found: record.DecisionsRecord | record.StatusRecord) -> str:
    """Say how long the longest path is, and how much work is left; empty where nothing is open."""
    if not found["work_left"]["tasks"]:
        return ""
    parts = [f"{format_total(found['longest_path'])} on the longest path"]
    if found["estimates"]["unit"] == "minute":
        parts.append(f"{format_total(found['work_left'])} of work left")
    return ", ".join(part for part in (*parts, format_estimated(found["estimates"])) if part)


def fold_scores(rows: Sequence[record.RankedRecord], naming: Naming) -> Html:
    """Write the numbers behind an order, folded: points by factor, without columns that are all 0."""
    counted = [(factor["factor"], factor["points"]) for row in rows for factor in row["factors"]]
    columns = list(dict.fromkeys(name for name, points in counted if points))
    cells = []
    for row in rows:
        points = round_rows([factor["points"] for factor in row["factors"]], row["score"])
        by_factor = dict(zip((factor["factor"] for factor in row["factors"]), points, strict=True))
        numbers = [text(f"{by_factor[name]:.3f}" if name in by_factor else "") for name in columns]
        cells.append(("", (code(naming.name(row)), text(f"{row['score']:.3f}"), *numbers)))
    heads = ["task", "score", *(name.replace("_", " ") for name in columns)]
    return fold("Why this order", table(heads, cells, right=range(1, len(heads)))) if cells else Html("")


def foot(basis: record.BasisRecord) -> Html:
    """Say what the answer was computed from."""
    at = f"from commit {basis['revision'][:12]}" if basis["revision"] else "outside any commit"
    where = f" in {basis['workspace']}" if basis["workspace"] else ""
    dirty = f", {count_edited(basis)} changed since" if basis["dirty"] else ""
    policy = basis["policy"]
    rules = f"policy {policy['path']} (preset {policy['preset']})" if policy["path"] else f"preset {policy['preset']}"
    now = f", as of {basis['now']}{TIMES.get(basis['now_source'], '')}" if basis["now"] else ""
    return Html("\n" + element("footer", text(f"Computed {at}{where}{dirty} with {rules}{now}.")) + "\n")
