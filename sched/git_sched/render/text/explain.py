"""``git sched explain`` as text: where one task stands and what would change that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count, format_minutes, format_ordinal
from git_sched.render.layout import align_columns, build_score_table, clean
from git_sched.render.text.next import warmth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record

_SHOWN = 8
_PATHS = 3
_NAME = 420
"""Characters of a name that are shown: more than one of two ids has."""


def render(found: record.ExplanationRecord) -> str:
    """Render the record of ``explain``."""
    match found["state"]:
        case "ready":
            lines = _ready(found)
        case "held" if found["held"] is not None:
            lines = _held(found, found["held"])
        case "skipped":
            lines = _skipped(found)
        case "running" | "completed" | "cancelled":
            lines = [f"{found['node']} is {found['state']}", *_title(found), *_frees(found)]
        case "in_error":
            lines = [f"{found['node']} is in error and is not served"]
        case _:
            lines = _blocked(found)
    for problem in found["problems"]:
        place = ":".join(str(part) for part in (problem["path"], problem["line"]) if part)
        lines += [f"  {problem['severity']}: {clean(problem['message'])} ({clean(place)})"]
    return "\n".join(lines) + "\n"


def _title(found: record.ExplanationRecord) -> list[str]:
    title = clean(found["title"])
    return [f"  {title}"] if title else []


def _ready(found: record.ExplanationRecord) -> list[str]:
    if found["score"] is None:
        refused = "the policy cannot be trusted, so nothing is ranked by it"
        return [f"{found['node']} is ready; {refused}", f"  {_facts(found)}", *_frees(found)]
    rank = max(1, found["rank"] or 1)
    behind = f", behind {found['behind']} ({found['behind_score'] or 0.0:.3f})" if found["behind"] else ""
    place = f"{format_ordinal(rank)} of {found['of']}" if found["of"] > 1 else "the only one"
    lines = [f"{found['node']} is ready, {place}: {found['score']:.3f}{behind}", f"  {_facts(found)}", ""]
    lines += [f"  {row}" for row in build_score_table(found["factors"], found["score"])]
    lines += ["", *_scales(found["scales"])]
    if found["would_win_by"]:
        lines += ["", f"  {clean(found['would_win_by'], limit=500)}"]
    return [*lines, *_frees(found)]


def _facts(found: record.ExplanationRecord) -> str:
    facts = []
    if found["repository"]:
        warm = warmth(found["warm"], found["warm_agent"]) or _cold(found["factors"])
        facts.append(f"repository {found['repository']} {warm}".rstrip())
    facts.append(format_minutes(found["minutes"], filled=found["minutes_filled"]))
    facts.append(f"assigned to {found['assigned_to']}" if found["assigned_to"] else "nobody assigned")
    return ", ".join(facts)


def _cold(factors: Sequence[record.FactorRecord]) -> str:
    """Say that a repository is cold, or that this is unknown; nothing where warmth counts for nothing (rule A7)."""
    known = next((row["known"] for row in factors if row["factor"] == "affinity"), None)
    return "" if known is None else "(cold)" if known else "(not known whether warm)"


def _scales(scales: Sequence[record.ScaleRecord]) -> list[str]:
    rows = [
        [
            f"  {'measured against' if n == 0 else ''}",
            clean(s["factor"]),
            clean(s["text"]),
            f"({s['node']})" if s["node"] else "",
        ]
        for n, s in enumerate(scales)
    ]
    return align_columns(rows) if rows else []


def _frees(found: record.ExplanationRecord) -> list[str]:
    direct, later = found["frees"], found["frees_later"]
    if not direct and not later:
        return []
    total = "1 000+" if len(direct) + later > 1000 else str(len(direct) + later)  # noqa: PLR2004 - rule F9
    home = found["node"].partition("/")[0] + "/"
    names = ", ".join(name.removeprefix(home) for name in direct[:_SHOWN])
    more = " and more" if len(direct) > _SHOWN else ""
    tail = ", the others later" if later and total == "1 000+" else f", {later} later" if later else ""
    tasks = "1 task waits" if total == "1" else f"{total} tasks wait"
    if not direct:
        return [f"  {tasks} for it, and for others besides."]
    return [f"  {tasks} for it: {len(direct)} at once ({names}{more}){tail}."]


def _held(found: record.ExplanationRecord, held: record.HeldRecord) -> list[str]:
    lines = [f"{found['node']} is held (it would score {held['score']:.3f})", f"  {_why_held(found, held)}"]
    match held["gate"]:
        case "collision" | "limits" | "budget" if names := found["free_again_when"]:
            who = ", ".join(clean(name, limit=_NAME) for name in names[:_SHOWN])
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            lines.append(f"  It is free again when {who}{more} {'is' if len(names) == 1 else 'are'} finished.")
        case "assigned_to" if held["by"]:
            lines.append(f"  Ask with --agent {clean(held['by'][0], limit=_NAME)}, or without --agent.")
        case "redispatch" if held["until"]:
            lines.append(f"  It is free again at {held['until']}.")
    return [*lines, *_frees(found)]


def _why_held(found: record.ExplanationRecord, held: record.HeldRecord) -> str:
    """Say why a node is held; of files, what it touches itself and how far the other one is."""
    paths, others = found["paths"], found["collides_with"]
    if not paths or not others:
        return clean(held["why"])
    more = f" and {len(paths) - _PATHS} more" if len(paths) > _PATHS else ""
    own = ", ".join(clean(path) for path in paths[:_PATHS]) + more
    so_do = " and ".join(f"{other['name']}, which is {clean(other['text'])}" for other in others)
    return f"it touches {own}, and so does {so_do}: {clean(held['at_path'])}"


def _skipped(found: record.ExplanationRecord) -> list[str]:
    why = next((row["why"] for row in found["factors"] if row["factor"] == "merge_pressure"), "merge pressure")
    head = f"{found['node']} is ready and is passed over (it would score {found['score'] or 0.0:.3f})"
    return [head, f"  {clean(why)}", *_frees(found)]


def _blocked(found: record.ExplanationRecord) -> list[str]:
    steps = found["waits_for"]
    lines = [f"{found['node']} is blocked{_first(found['also'])}"]
    lines += align_columns([[f"  {s['name']}", clean(s["text"])] for s in steps[:_SHOWN]]) if steps else []
    if len(steps) > _SHOWN:
        lines.append(f"  and {len(steps) - _SHOWN} more")
    lines += [
        f"  also: it {clean(r['text'])}" for r in found["also"][1:] if r["kind"] not in {"waits_for", "container"}
    ]
    if found["minutes_with_one"] is not None and found["minutes_with_two"] is not None:
        one, two = (
            format_minutes(minutes, filled=found["minutes_to_go_filled"])
            for minutes in (found["minutes_with_one"], found["minutes_with_two"])
        )
        lines.append(f"  {count(found['tasks_to_go'], 'task')} to go: {two} with two agents, {one} with one")
    return lines


def _first(reasons: Sequence[record.ReasonRecord]) -> str:
    """Give the reason that is shown first; a stored record may have none."""
    if not reasons:
        return ""
    waits = f"waits for {count(len(reasons[0]['nodes']), 'task')}"
    return f": it {waits if reasons[0]['kind'] == 'waits_for' else clean(reasons[0]['text'])}"
