"""``git sched status`` as text: what is ready, held, running and blocked, and the signals behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.model.phrases import count
from git_sched.render.layout import align_columns, clean

if TYPE_CHECKING:
    from git_sched import record


def render(status: record.StatusRecord) -> str:
    """Render the record of ``status``."""
    lines: list[str] = []
    if status["outcome"] == "refused":
        lines.append("refused: the policy cannot be trusted, so nothing is ranked by it")
    rows = [*_ranked(status, "ready"), *_ranked(status, "held"), *_running(status)]
    if rows:
        rows[0][0] = f"{rows[0][0]:<{len('blocked')}}"  # the first column is as wide in every part
        lines += align_columns(rows, right=(1,))
    lines += _blocked(status)
    if not lines and status["counts"]["nodes"]:
        lines.append("nothing is open")
    elif not lines:
        lines.append("the task files hold no tasks" if status["counts"]["graphs"] else "no task files here")
    lines += ["", *_signals(status["signals"])]
    if status["sources"]:
        lines += ["", *_sources(status)]
    return "\n".join(lines) + "\n"


def ids(status: record.StatusRecord) -> str:
    """Render the ids of the ready nodes alone, in order."""
    return "".join(f"{r['graph_id']}/{r['node_id']}\n" for r in status["ranking"] if r["state"] != "held")


def _ranked(status: record.StatusRecord, word: str) -> list[list[str]]:
    why = {(h["graph_id"], h["node_id"]): h["why"] for h in status["held"]}
    chosen = [r for r in status["ranking"] if (r["state"] == "held") == (word == "held")]
    rows = []
    for n, ranked in enumerate(chosen):
        note = clean(why.get((ranked["graph_id"], ranked["node_id"]), ranked["note"]))
        if ranked["state"] == "picked":
            note = f"next; {note}" if note else "next"
        elif ranked["state"] == "skipped":
            note = f"passed over; {note}"
        name = f"{ranked['graph_id']}/{ranked['node_id']}"
        rows.append([word if n == 0 else "", f"{ranked['score']:.3f}", name, ranked["repository"] or "", note])
    total = status["counts"]["held"] if word == "held" else status["ready_count"] - status["counts"]["held"]
    if len(chosen) < total and chosen:
        rows.append(["", "", f"and {total - len(chosen)} more"])
    return rows


def _running(status: record.StatusRecord) -> list[list[str]]:
    return [
        ["running" if n == 0 else "", "", f"{r['graph_id']}/{r['node_id']}", r["repository"] or "",
         f"by {r['agent_id']}" if r["agent_id"] else ""]
        for n, r in enumerate(status["running"])
    ]  # fmt: skip


_WORDS = {
    "waits_for": ("waits for other tasks", "wait for other tasks"),
    "container": ("waits for its parts", "wait for their parts"),
    "unknown_dependency": ("for a task that does not exist", "for tasks that do not exist"),
    "ambiguous_dependency": ("for an ambiguous task", "for ambiguous tasks"),
    "cancelled_dependency": ("for a cancelled task", "for cancelled tasks"),
    "cycle": ("on a cycle", "on cycles"),
    "blocked_by_status": ("marked blocked", "marked blocked"),
    "deferred": ("deferred", "deferred"),
    "unknown_status": ("of unknown status", "of unknown status"),
}


def _blocked(status: record.StatusRecord) -> list[str]:
    parts = []
    order = sorted(status["blocked"].items(), key=lambda item: (-item[1], item[0]))
    for state, number in order:
        singular, plural = _words(status, state)
        named = _named(status, state, number)
        parts.append(f"{number} {singular if number == 1 else plural}{named}")
    if status["counts"]["in_error"]:
        parts.append(f"{status['counts']['in_error']} in error")
    return [f"blocked  {', '.join(parts)}"] if parts else []


def _words(status: record.StatusRecord, state: str) -> tuple[str, str]:
    singular, plural = _WORDS.get(state, (state, state))
    if state == "unknown_dependency" and status["counts"]["in_error"]:
        return f"{singular} or is in error", f"{plural} or are in error"
    return singular, plural


def _named(status: record.StatusRecord, state: str, number: int) -> str:
    if state in {"waits_for", "container"} or number > 3:  # noqa: PLR2004 - a few names fit on the line
        return ""
    names = [name for group in status["waiting"] if group["kind"] == state for name in group["nodes"]]
    return f" ({', '.join(names)})" if names else ""


def _signals(signals: record.SignalsRecord) -> list[str]:
    trees, queue, past = signals["worktrees"], signals["merge_queue"], signals["history"]
    source = clean(queue["source"])
    depths = ", ".join(f"{clean(name)} {depth}" for name, depth in queue["depths"].items())
    waiting = f"{depths}, others 0, from {source}" if depths else f"nothing queued, from {source}"
    rows = [
        ["signals", "worktrees", _known(trees["known"]), clean(trees["source"])],
        ["", "merge queue", _known(queue["known"]), waiting if queue["known"] else clean(queue["source"])],
        ["", "history", _known(past["known"]), clean(past["source"])],
    ]
    return align_columns(rows)


def _known(known: bool) -> str:  # noqa: FBT001 - it is the fact itself
    return "known" if known else "unknown"


def _sources(status: record.StatusRecord) -> list[str]:
    rows = [
        ["sources" if n == 0 else "", clean(s["path"]), clean(s["format"]),
         f"{count(s['nodes'], 'task')}, {s['open']} open", ", ".join(s["graph_ids"][:5])]
        for n, s in enumerate(status["sources"])
    ]  # fmt: skip
    return align_columns(rows)
