"""Renders a decision as a job summary: what comes next and why, what is wrong, what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import count, join_words, sentence
from git_sched.render import diff_sentences
from git_sched.render.counts import count_edited, count_free
from git_sched.render.layout import round_rows
from git_sched.render.markdown import mermaid
from git_sched.render.markdown.blocks import (
    count_bytes,
    first_that_fits,
    fold,
    name_task,
    shorten_revision,
    table,
    warn,
    write_problem,
    write_why,
)
from git_sched.render.markdown.escape import escape_inline, escape_prose, format_code
from git_sched.render.outcome import TIMES, describe_nothing, find_obstacle
from git_sched.render.redact import redact_next
from git_sched.render.tasks import format_estimated, format_task_size, format_total, shorten_name
from git_sched.render.tasks import name_task as write_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.render.redact import Redaction

LIMIT: Final = 1_000_000
"""The largest number of bytes of a summary; the runner drops what is over 1 MiB."""

STEPS: Final = (100, 99, 25, 5, 0)
"""Numbers of rows of each table, tried in turn until the summary fits; the drawing is there only with the first."""

DRAWN: Final = 20
"""The largest number of tasks in a drawing."""

NAMED: Final = 5
"""Files that break, each with the reason."""

PUSHED: Final = ("finished", "freed", "reopened")
"""The lists of changes that are shown for a push."""


def render(found: record.DecisionsRecord, pushed: record.ChangesRecord | None = None) -> str:
    """Render a decision record as a job summary of at most 1,000,000 bytes, with what a push did to the tasks."""
    shows = redact_next(found)
    return first_that_fits(lambda step: _build(found, pushed, shows, step), STEPS, size=count_bytes, limit=LIMIT)


def _build(found: record.DecisionsRecord, pushed: record.ChangesRecord | None, shows: Redaction, step: int) -> str:
    errors = sum(p["severity"] == "error" for p in found["problems"])
    if found["outcome"] == "empty" and not errors:
        return "\n".join([*_empty(found), ""])
    lines = [*_answer(found, shows), *_broken(pushed, shows), *warn(found["problems"], errors, shows)]
    lines += _ranking(found, shows, step)
    if found["counts"]["nodes"]:
        lines += [_counts(found, pushed), ""]
    lines += [*_numbers(found, step), *_waiting(found, shows, step)]
    lines += [*(_drawing(found) if step == STEPS[0] else []), footer(found)]
    return "\n".join([*lines, ""])


# The answer


def _answer(found: record.DecisionsRecord, shows: Redaction) -> list[str]:
    if not found["decisions"]:
        return [f"### {sentence(describe_nothing(found))}", "", *_roots(found, shows)]
    first = found["decisions"][0]
    title, name = escape_inline(shows.title(first["title"])), _name(found, first)
    home = shows.repository(first["repository"])
    facts = [size] if (size := format_task_size(first)) and not first["finish"] else []
    where = f"{name}{f' in {format_code(home)}' if home else ''}"
    why = f" Why: {write_why(first['why_parts'], shows)}." if first["why_parts"] else ""
    lines = [f"### Next: {title or name}", "", f"{', '.join([where, *facts])}.{why}", ""]
    if assumed := found["request"]["assumed_done"]:
        lines += [f"What if: {', '.join(format_code(node) for node in assumed[:10])} completed.", ""]
    return lines


def _name(found: record.DecisionsRecord, row: record.TaskRecord) -> str:
    return format_code(write_id(row["graph_id"], row["node_id"], qualified=found["qualified"]))


def _task(found: record.DecisionsRecord, row: record.TaskRecord, shows: Redaction, *, bold: bool = False) -> str:
    name = write_id(row["graph_id"], row["node_id"], qualified=found["qualified"])
    return name_task(name, row["title"], shows, bold=bold)


def _roots(found: record.DecisionsRecord, shows: Redaction) -> list[str]:
    """Write what would free the most where nothing is picked."""
    rows = []
    for root in found["roots"]:
        name = write_id(root["graph_id"], root["node_id"], qualified=found["qualified"])
        text = root["state"] if root["state"] in {"held", "running"} else shows.words(root["text"]).partition(": ")[0]
        later = " in the end" if root["frees"] > len(root["freed"]) else ""
        frees = f", would free {count(root['frees'], 'task')}{later}" if root["frees"] else ""
        rows.append(f"- {name_task(name, root['title'], shows)}: {escape_prose(text)}{frees}")
    return [*rows, ""] if rows else []


def _broken(pushed: record.ChangesRecord | None, shows: Redaction) -> list[str]:
    if pushed is None or not pushed["broken"]:
        return []
    broken = diff_sentences.describe_broken(pushed["broken"], format_code)
    reasons = [f"> - {write_problem(row['problem'], shows)}" for row in pushed["broken"][:NAMED]]
    return ["> [!CAUTION]", f"> This push breaks {broken}.", ">", *reasons, ""]


# What comes next


def _ranking(found: record.DecisionsRecord, shows: Redaction, step: int) -> list[str]:
    """Write the ready tasks in their order; a single one is the answer itself and needs no table."""
    free = [row for row in found["ranking"] if row["state"] != "held"]
    if len(free) <= 1:
        return []
    agents = {(row["graph_id"], row["node_id"]): row["agent_id"] or "" for row in found["decisions"]}
    places = {name: n for n, name in enumerate(agents)}
    free.sort(key=lambda row: places.get((row["graph_id"], row["node_id"]), len(places)))
    rows = []
    for n, row in enumerate(free[:step], 1):
        picked = row["state"] == "picked"
        task = _task(found, row, shows, bold=picked) + (
            f": {escape_prose(shows.words(row['note']))}" if row["note"] else ""
        )
        home, agent = shows.repository(row["repository"]), agents.get((row["graph_id"], row["node_id"]), "")
        cells = [format_code(home) if home else "", format_code(agent) if agent else "", format_task_size(row)]
        rows.append([f"**{n}**" if picked else str(n), task, *cells])
    head = ["#", "task", "repository", "agent", "size"]
    kept = [i for i in range(len(head)) if i < 2 or len({row[i] for row in rows}) > 1]  # noqa: PLR2004 - number, task
    rows = [[row[i] for i in kept] for row in rows]
    left = sum(found["counts"][key] for key in ("picked", "lower_ranked", "skipped")) - len(rows)
    if left > 0:
        rows.append(["", f"{left} more", *[""] * (len(kept) - 2)])
    return [*table([head[i] for i in kept], rows, right=("#", "size")), ""]


def _numbers(found: record.DecisionsRecord, step: int) -> list[str]:
    """Write the scores and their parts, folded."""
    free = [row for row in found["ranking"] if row["state"] != "held"][:step]
    factors = dict.fromkeys(f["factor"] for row in free for f in row["factors"] if f["known"] and f["points"])
    if not free or not factors:
        return []
    names = ["pressure" if factor == "merge_pressure" else escape_inline(factor) for factor in factors]
    rows = []
    for row in free:
        rounded = round_rows([f["points"] for f in row["factors"]], row["score"])
        points = {f["factor"]: f"{value:.3f}" for f, value in zip(row["factors"], rounded, strict=True)}
        rows.append([_name(found, row), f"{row['score']:.3f}", *(points.get(factor, "") for factor in factors)])
    return fold("Why this order", table(["task", "score", *names], rows, right=("score", *names)))


def _counts(found: record.DecisionsRecord, pushed: record.ChangesRecord | None) -> str:
    counts = found["counts"]
    states = [f"{count_free(counts)} ready"]
    states += [f"{counts[key]} {key}" for key in ("held", "skipped", "running", "blocked") if counts[key]]
    states += [f"{counts['in_error']} in error"] if counts["in_error"] else []
    done = diff_sentences.write_counts(pushed, past=True, only=PUSHED) if pushed else []
    parts = [f"This push {join_words(done)}."] if done else []
    parts.append(", ".join(states))
    if found["longest_path"]["tasks"]:
        parts.append(f"{format_total(found['longest_path'])} on the longest path, {_work_left(found)} of work left")
    return " · ".join(parts)


def _work_left(found: record.DecisionsRecord) -> str:
    estimated = format_estimated(found["estimates"])
    return f"{format_total(found['work_left'])}{f' ({estimated})' if estimated else ''}"


# What waits


def _waiting(found: record.DecisionsRecord, shows: Redaction, step: int) -> list[str]:
    rows = [
        [_task(found, row, shows), f"held: {escape_prose(shows.words(row['why']), names=_names(found, row['by']))}"]
        for row in found["held"][:step]
    ]
    if (left := found["counts"]["held"] - len(rows)) > 0:
        rows.append([f"{left} more", "held"])
    for group in found["waiting"][:step]:
        waiting = _names(found, group["nodes"][:10])
        titles = [*group["titles"], *[""] * len(waiting)]
        tasks = [name_task(name, title, shows) for name, title in zip(waiting, titles, strict=False)]
        more = group["more"] + max(0, len(group["nodes"]) - 10)
        names = _names(found, group["waits_for"])
        why = escape_prose(_why(group, shows), names=names)
        rows.append([", ".join([*tasks, f"{more} more"] if more else tasks), why])
    if len(found["waiting"]) > step:
        rest = sum(len(group["nodes"]) + group["more"] for group in found["waiting"][step:])
        rows.append([f"{rest} more", "wait too"])
    if not rows:
        return []
    title = "Held and blocked" if found["held"] and found["waiting"] else "Held" if found["held"] else "Blocked"
    return fold(title, table(["task", "why it waits"], rows))


def _why(group: record.WaitingRecord, shows: Redaction) -> str:
    text = group["why"]
    if group["kind"] == "unknown_dependency" or (group["kind"] == "blocked_by_status" and not shows.publish["titles"]):
        text = text.partition(": ")[0]
    return shows.words(text)


def _names(found: record.DecisionsRecord, names: Sequence[str]) -> list[str]:
    return [shorten_name(name, qualified=found["qualified"]) for name in names]


def _drawing(found: record.DecisionsRecord) -> list[str]:
    """Draw what waits for what, if that can be read in the width of a summary."""
    view = found["view"]
    direction = mermaid.choose_direction(view)
    if not view["edges"] or len(view["nodes"]) > DRAWN or not direction:
        return []
    more = f" {view['more']} further tasks on these paths are not drawn." if view["more"] else ""
    note = f"Thick arrows: the longest path, {format_total(found['longest_path'])}.{more}"
    drawn = mermaid.draw(view, direction=direction).splitlines()
    return fold("What waits for what", ["```mermaid", *drawn, "```", "", note])


# What it was computed from


def footer(found: record.DecisionsRecord) -> str:
    """Say what the answer was computed from, and how to repeat it."""
    basis = found["basis"]
    at = f"at {shorten_revision(basis['revision'])}" if basis["revision"] else "outside any commit"
    parts = [f"Decided {at} {describe_policy(basis['policy'])}"]
    if basis["dirty"]:
        parts.append(f"{count(count_edited(basis), 'file')} changed since")
    if basis["workspace"]:
        parts.append(f"in {format_code(basis['workspace'])}")
    if basis["now"]:
        parts.append(f"as of {format_code(basis['now'])}{TIMES.get(basis['now_source'], '')}")
    commit = basis["revision"] or ""
    repeats = commit.isascii() and commit.isalnum() and not basis["dirty"]
    repeat = f". Repeat it: `git sched status --rev {commit[:7]}`" if repeats else ""
    return f"<sub>{', '.join(parts)}{repeat}</sub>"


def describe_policy(found: record.PolicyRef) -> str:
    """Say which policy was in force."""
    if not found["path"]:
        return f"with preset {format_code(found['preset'])} (no policy file)"
    return f"with {format_code(found['path'])} (preset {escape_inline(found['preset'])})"


def _empty(found: record.DecisionsRecord) -> list[str]:
    places = ", ".join(format_code(place) for place in found["looked_for"])
    at = shorten_revision(found["basis"]["revision"])
    return [
        f"### {sentence(describe_nothing(found))}",
        "",
        f"Looked for {places} at {at}; {_way_out(found)}",
    ]


def _way_out(found: record.DecisionsRecord) -> str:
    obstacle = find_obstacle(found["problems"])
    return f"{escape_prose(obstacle['message'])}." if obstacle else "`git sched init` writes an example."
