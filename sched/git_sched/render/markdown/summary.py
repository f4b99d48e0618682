"""The job summary of a decision, in GitHub's Markdown: the answer, what is wrong, the ranking, what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import DECIDED_BY, count, format_minutes, sentence
from git_sched.render.counts import count_edited, format_ready
from git_sched.render.layout import measure_lead, round_rows
from git_sched.render.markdown import mermaid
from git_sched.render.markdown.blocks import count_bytes, first_that_fits, name, revision, table, warnings
from git_sched.render.markdown.escape import escape_inline, escape_prose, format_code
from git_sched.render.redact import redact_next
from git_sched.render.text.next import foreseen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.render.redact import Redaction

LIMIT: Final = 1_000_000
"""Bytes a summary may have; the runner drops what is over 1 MiB."""

STEPS: Final = (100, 99, 25, 5, 0)
"""Rows of each table, tried in turn; the drawing is there only with the first."""

PRESSURE: Final = "merge_pressure"


def render(found: record.DecisionsRecord) -> str:
    """Render a decision record as a job summary of at most 1,000,000 bytes."""
    shows = redact_next(found)
    return first_that_fits(lambda step: _build(found, shows, step), STEPS, size=count_bytes, limit=LIMIT)


def _build(found: record.DecisionsRecord, shows: Redaction, step: int) -> str:
    errors = sum(p["severity"] == "error" for p in found["problems"])
    if found["outcome"] == "empty" and not errors:
        return "\n".join([*_empty(found), ""])
    lines = [*_answer(found, shows), *warnings(found["problems"], errors, shows)]
    if found["ranking"]:
        lines += [*_ranking(found, shows, step), ""]
    if found["counts"]["nodes"]:
        lines += [_counts(found), ""]
    lines += [*_waiting(found, shows, step), *(_drawing(found) if step == STEPS[0] else []), footer(found)]
    return "\n".join([*lines, ""])


def _answer(found: record.DecisionsRecord, shows: Redaction) -> list[str]:
    if not found["decisions"]:
        return [f"### {nothing(found)}", ""]
    first = found["decisions"][0]
    title = escape_inline(shows.title(first["title"]))
    home = shows.repository(first["repository"])
    said = f"**{title}**" if title else name(first)
    where = f" in {format_code(home)}" if home else ""
    length = "all its parts are finished: finish it"
    if not first["finish"]:
        length = format_minutes(first["minutes"], filled=first["minutes_filled"])
    lines = [f"### Next: {name(first)}", "", f"{said}{where}, {length}.{_lead(first, shows)}", ""]
    if assumed := found["request"]["assumed_done"]:
        lines += [f"What if: {', '.join(format_code(node) for node in assumed[:10])} completed.", ""]
    if outlook := found["outlook"]:
        lines += [f"{sentence(foreseen(outlook, format_code))}.", ""]
    return lines


def nothing(found: record.DecisionsRecord) -> str:
    """Say in a heading why nothing is picked."""
    counts = found["counts"]
    match found["outcome"]:
        case "refused":
            return "Refused: the policy cannot be trusted"
        case "all-done":
            return f"All done: {counts['completed']} completed, none open"
        case "empty":
            return "Nothing to schedule: the task files hold no tasks"
        case "stuck":
            return f"Stuck: {count(counts['open'], 'open task')}, none can ever become ready"
        case _:
            parts = [f"{counts[key]} {key}" for key in ("running", "blocked", "held", "skipped") if counts[key]]
            return f"Nothing ready: {', '.join(parts)}"


def _lead(first: record.DecisionRecord, shows: Redaction) -> str:
    """Say in a sentence why the first comes first."""
    second = first["runner_up"]
    if second is None:
        return ""
    other = format_code(f"{second['graph_id']}/{second['node_id']}")
    if second["decided_by"] != "score":
        return f" It is level with {other}: {DECIDED_BY[second['decided_by']]}."
    apart = measure_lead(first["score"], second)
    if apart < 0:
        return f" It is {-apart:.3f} behind {other}: the look-ahead put it first."
    leads = f" It leads by {apart:.3f}"
    best = next((m["factor"] for m in second["margins"] if m["points"] > 0), None)
    row = next((r for r in first["factors"] if r["factor"] == best), None)
    if row is None:
        return f"{leads}."
    home = shows.repository(first["repository"])
    why = (
        f"{format_code(home)} is already warm" if best == "affinity" and home else escape_prose(shows.words(row["why"]))
    )
    return f"{leads}: {why} ({escape_inline(row['factor'])})."


def _ranking(found: record.DecisionsRecord, shows: Redaction, step: int) -> list[str]:
    free = [row for row in found["ranking"] if row["state"] != "held"]
    columns = dict.fromkeys(
        factor["factor"] for row in free for factor in row["factors"] if factor["weight"] or factor["points"]
    )
    factors = [factor for factor in columns if factor != PRESSURE]
    pressed = PRESSURE in columns
    head = ["#", "task", "repository", "score", *(escape_inline(factor) for factor in factors)]
    rows = []
    for n, row in enumerate(free[:step], 1):
        points = dict(
            zip(
                (f["factor"] for f in row["factors"]),
                round_rows([f["points"] for f in row["factors"]], row["score"]),
                strict=True,
            )
        )
        known = {f["factor"] for f in row["factors"] if f["known"]}
        number, score = str(n), f"{row['score']:.3f}"
        if row["state"] == "picked":
            number, score = f"**{number}**", f"**{score}**"
        home = shows.repository(row["repository"])
        cells = [_points(points, factor, known) for factor in factors]
        last = [f"{points[PRESSURE]:.3f}" if PRESSURE in points else ""] if pressed else []
        rows.append([number, name(row), format_code(home) if home else "", score, *cells, *last])
    left = sum(found["counts"][key] for key in ("picked", "outranked", "skipped")) - len(rows)
    if left > 0:
        rows.append(["", f"{left} more", *[""] * (len(head) - 2 + pressed)])
    right = (0, *range(3, len(head) + pressed))
    return table([*head, "pressure"] if pressed else head, rows, right=right)


def _points(points: dict[str, float], factor: str, known: set[str]) -> str:
    if factor not in points:
        return ""
    return f"{points[factor]:.3f}" if factor in known else "unknown"


def _counts(found: record.DecisionsRecord) -> str:
    counts, view = found["counts"], found["view"]
    states = [format_ready(counts)]
    states += [f"{counts[key]} {key}" for key in ("running", "blocked") if counts[key]]
    if counts["in_error"]:
        states.append(f"{counts['in_error']} in error")
    if counts["open"]:
        longest = format_minutes(found["longest_path_minutes"], filled=view["longest_path_filled"])
        left = format_minutes(found["work_left_minutes"], filled=view["work_left_filled"])
        states += [f"{longest} on the longest path", f"{left} of work left"]
    return " · ".join(states)


def _waiting(found: record.DecisionsRecord, shows: Redaction, step: int) -> list[str]:
    running = {f"{row['graph_id']}/{row['node_id']}" for row in found["running"]}
    rows = [[name(row), f"held: {_held(row, running, shows)}"] for row in found["held"][:step]]
    if (left := found["counts"]["held"] - len(rows)) > 0:
        rows.append([f"{left} more", "held"])
    for group in found["waiting"][:step]:
        names = [format_code(node) for node in group["nodes"][:10]]
        more = group["more"] + max(0, len(group["nodes"]) - 10)
        if more:
            names.append(f"{more} more")
        rows.append([", ".join(names), _why(group, shows)])
    if len(found["waiting"]) > step:
        rest = sum(len(group["nodes"]) + group["more"] for group in found["waiting"][step:])
        rows.append([f"{rest} more", "wait too"])
    if not rows:
        return []
    title = "Held and blocked" if found["held"] and found["waiting"] else "Held" if found["held"] else "Blocked"
    head = f"<details><summary>{title}</summary>"
    return [head, "", *table(["task", "why it waits"], rows), "", "</details>", ""]


def _held(row: record.HeldRecord, running: set[str], shows: Redaction) -> str:
    if row["gate"] == "collision" and row["by"]:
        what = "running" if row["by"][0] in running else "picked"
        return f"same files as {format_code(row['by'][0])}, which is {what}"
    return escape_prose(shows.words(row["why"]))


def _why(group: record.WaitingRecord, shows: Redaction) -> str:
    text = group["why"]
    if group["kind"] == "unknown_dependency" or (group["kind"] == "blocked_by_status" and not shows.publish["titles"]):
        text = text.partition(": ")[0]
    return escape_prose(shows.words(text))


def _drawing(found: record.DecisionsRecord) -> list[str]:
    drawn = mermaid.render(found)
    if not found["view"]["edges"] or not drawn:
        return []
    longest = format_minutes(found["longest_path_minutes"], filled=found["view"]["longest_path_filled"])
    more = found["view"]["more"]
    left = f" {more} further tasks on these paths are not drawn." if more else ""
    return [
        "<details><summary>What waits for what</summary>", "", "```mermaid", *drawn.splitlines(), "```", "",
        f"Thick arrows: the longest remaining path, {longest}.{left}", "", "</details>", "",
    ]  # fmt: skip


def footer(found: record.DecisionsRecord) -> str:
    """Say what the answer was computed from, and how to repeat it."""
    basis = found["basis"]
    parts = [f"Decided at {revision(basis['revision'])} {policy(basis['policy'])}"]
    if basis["dirty"]:
        parts[0] += f", {count(count_edited(basis), 'file')} changed since"
    if basis["workspace"]:
        parts[0] += f", in {format_code(basis['workspace'])}"
    parts += _unknown(found["signals"])
    commit = basis["revision"] or ""
    repeat = f" · repeat it: `git sched status --rev {commit[:7]}`" if commit.isascii() and commit.isalnum() else ""
    return f"<sub>{'; '.join(parts)}{repeat}</sub>"


def policy(found: record.PolicyRef) -> str:
    """Say which policy was in force."""
    if not found["path"]:
        return f"with preset {format_code(found['preset'])} (no policy file)"
    return f"with {format_code(found['path'])} (preset {escape_inline(found['preset'])})"


def _unknown(signals: record.SignalsRecord) -> Sequence[str]:
    said = []
    if not signals["worktrees"]["known"]:
        said.append("worktrees unknown")
    if not signals["merge_queue"]["known"]:
        said.append("merge queue unknown")
    if not signals["history"]["known"]:
        said.append("history unknown")
    return said


def _empty(found: record.DecisionsRecord) -> list[str]:
    what = "the task files hold no tasks" if found["basis"]["inputs"] else "no task files here"
    places = ", ".join(format_code(place) for place in found["looked_for"])
    at = revision(found["basis"]["revision"])
    return [f"### Nothing to schedule: {what}", "", f"Looked for {places} at {at}; `git sched init` writes an example."]
