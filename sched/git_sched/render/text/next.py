"""Renders ``next`` as text: the answer first, then why, where it is written, what comes next, and what is held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import DECIDED_BY, count, join_words
from git_sched.render.counts import format_counts
from git_sched.render.layout import TITLE, build_score_table, clean, format_points, guard_line, round_rows
from git_sched.render.tasks import format_task_size, name_task
from git_sched.render.terminal import BOLD, DIM, PIPE, YELLOW, paint, separate, wrap
from git_sched.render.text.nothing import explain_nothing
from git_sched.render.text.table import build_row, lay_out, write_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from git_sched import record
    from git_sched.model.screen import Screen
    from git_sched.render.text.table import Row

LISTED: Final = 5
"""Number of tasks of a list that are named; the others are counted."""


def render(answer: record.DecisionsRecord, screen: Screen = PIPE) -> str:
    """Render the record of ``next``."""
    lines: list[str] = []
    for decision in answer["decisions"]:
        lines += [*_decision(answer, decision, screen), ""]
    if not answer["decisions"]:
        lines += [*explain_nothing(answer, screen), *for_whom(answer["request"]["agents"], indent="  "), ""]
    if (outlook := answer["outlook"]) and answer["decisions"]:
        text = foreseen(outlook, lambda name: write_name(name, qualified=answer["qualified"]))
        lines += [*wrap(text, screen, first="  ", rest="    "), ""]
    lines += [*_lists(answer, screen), "", *_assumed(answer)]
    return "\n".join(lines).rstrip("\n") + "\n"


def ids(answer: record.DecisionsRecord) -> str:
    """Render only the picked ids, one a line."""
    return "".join(f"{_name(answer, decision)}\n" for decision in answer["decisions"])


def summarize(answer: record.DecisionsRecord) -> str:
    """Count the tasks in one line and name the command that shows the numbers; empty where nothing is picked."""
    if not answer["decisions"]:
        return ""
    first = answer["decisions"][0]
    counts = format_counts(answer["counts"], whole=not answer["request"]["graph_ids"])
    agent = f" --agent {first['agent_id']}" if first["agent_id"] in answer["request"]["agents"] else ""
    return f"{counts}. The numbers: git sched explain {_name(answer, first)}{agent}"


def _name(answer: record.DecisionsRecord, task: record.TaskRecord) -> str:
    return name_task(task["graph_id"], task["node_id"], qualified=answer["qualified"])


def _decision(answer: record.DecisionsRecord, decision: record.DecisionRecord, screen: Screen) -> list[str]:
    agent = decision["agent_id"] if answer["request"]["agents"] else None
    lines = head(_name(answer, decision), decision["title"], screen, agent=agent or "")
    if decision["why"]:
        lines += wrap(f"{clean(decision['why'])}.", screen, first="  Why: ", rest=" " * len("  Why: "))
    lines += (paint(line, DIM, screen) for line in place(decision, screen))
    if screen.verbose:
        lines += _numbers(answer, decision, screen)
    return lines


def head(name: str, title: str, screen: Screen, *, agent: str = "") -> list[str]:
    """Write the first line of an answer: the id and the title of a task."""
    before = f"{agent}  " if agent else ""
    lines = wrap(clean(title, limit=TITLE), screen, first=f"{before}{name}  ", rest="    ")
    title_of_line = lines[0][len(before) + len(name) :]
    return [f"{before}{paint(name, BOLD, screen)}{title_of_line}", *lines[1:]]


def for_whom(agents: Sequence[str], *, indent: str = "") -> list[str]:
    """Write the line that says for whom an answer is; none for an answer to anybody."""
    return [f"{indent}for {clean(join_words(list(agents)))}"] if agents else []


def place(task: record.DecisionRecord | record.ExplanationRecord, screen: Screen, *, note: str = "") -> list[str]:
    """Write where a task is written, which repository it changes, how long it takes, and who has it."""
    line = "" if task["line"] is None else f":{task['line']}"
    repository = f"repository {clean(task['repository'] or '')}{f' ({note})' if note else ''}"
    who = f"assigned to {clean(task['assigned_to'])}" if task["assigned_to"] else "unassigned"
    parts = [
        guard_line(f"{clean(task['path'])}{line}") if task["path"] else "",
        repository if task["repository"] else "",
        format_task_size(task),
        who,
    ]
    return separate([part for part in parts if part], screen)


def _numbers(answer: record.DecisionsRecord, decision: record.DecisionRecord, screen: Screen) -> list[str]:
    rated = {row["factor"] for ranked in answer["ranking"] for row in ranked["factors"] if row["rating"]}
    rows = [row for row in decision["factors"] if row["rating"] or row["factor"] in rated]
    lines = ["", *build_score_table(rows, decision["score"], screen=screen, indent="  ")]
    if runner_up := decision["runner_up"]:
        lines += ["", *wrap(lead(decision["score"], runner_up, qualified=answer["qualified"]), screen,
                            first="  ", rest="    ")]  # fmt: skip
    return lines


def lead(score: float, second: record.RunnerUpRecord, *, qualified: bool = True) -> str:
    """Write by how much a pick leads, and which factors decide that."""
    name = name_task(second["graph_id"], second["node_id"], qualified=qualified)
    other = f"{name} ({format_points(second['score'])})"
    if second["decided_by"] != "score":
        where = f"{format_points(-second['ahead'])} behind" if score < second["score"] else "level with"
        return f"{where} {other}: {DECIDED_BY[second['decided_by']]}"
    points = round_rows([margin["points"] for margin in second["margins"]], second["ahead"])
    parts = [f"{m['factor']} {value:+.3f}" for m, value in zip(second["margins"], points, strict=True) if value]
    return f"{format_points(second['ahead'])} ahead of {other}: {', '.join(parts)}"


def foreseen(found: record.OutlookRecord, show: Callable[[str], str] = str) -> str:
    """Write what a look-ahead changed, and its expected gain; ``show`` writes an id."""
    plans = f"look-ahead over {count(found['plans'], 'plan')}"
    if not found["chosen"]:
        return f"{plans}: none is better than the plain ranking"
    gain = f"{plans}: {100 * found['gain']:.1f} % less time and waiting is expected"
    instead = ", ".join(map(show, found["instead_of"]))
    return f"{gain}, instead of {instead}" if instead else f"{gain}, beginning with the same tasks"


def _lists(answer: record.DecisionsRecord, screen: Screen) -> list[str]:
    """List what comes next and what is held or skipped; if nothing is picked, held tasks are among the reasons."""
    counts, qualified = answer["counts"], answer["qualified"]
    ranked = [row for row in answer["ranking"] if row["state"] == "lower-ranked"]
    later = [build_row(row, qualified=qualified, note=row["note"]) for row in ranked[:LISTED]]
    held = [_without_size(build_row(row, qualified=qualified, note=row["why"], style=YELLOW))
            for row in answer["held"][:LISTED]]  # fmt: skip
    skipped = [
        _without_size(build_row(row, qualified=qualified, note=find_pressure(row["factors"])))
        for row in answer["skipped"][:LISTED]
    ]
    return [
        *_list("Next in line", later, counts["lower_ranked"], screen),
        *_list("Held", held if answer["decisions"] else [], counts["held"], screen),
        *_list("Skipped", skipped, counts["skipped"], screen),
    ]


def _without_size(row: Row) -> Row:
    return row._replace(repository="", size="")


def _list(heading: str, rows: Sequence[Row], total: int, screen: Screen) -> list[str]:
    if not rows:
        return []
    style = rows[0].style
    more = [f"    and {total - len(rows)} more: git sched status"] if total > len(rows) else []
    return [paint(f"  {heading}", style, screen), *lay_out(rows, screen, indent="    "), *more]


def find_pressure(factors: Sequence[record.FactorRecord]) -> str:
    """Find the reason why a task is skipped for merge pressure."""
    return next((row["why"] for row in factors if row["factor"] == "merge_pressure"), "merge pressure")


def _assumed(answer: record.DecisionsRecord) -> list[str]:
    done = [write_name(name, qualified=answer["qualified"]) for name in answer["request"]["assumed_done"]]
    return [f"what if: {', '.join(done)} {'were' if len(done) > 1 else 'was'} completed"] if done else []
