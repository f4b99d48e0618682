"""``git sched next`` as text: the answer first, then its reason, then the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.phrases import DECIDED_BY, count, format_minutes
from git_sched.render.counts import format_counts
from git_sched.render.layout import TITLE, build_score_table, clean, guard_line, measure_lead, round_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched import record


def name_places(found: record.DecisionsRecord | record.ForecastRecord) -> list[str]:
    """Say where task files were looked for, and what to do where there are none."""
    hint = "hint: git sched init writes an example; --graph PATH names a file elsewhere"
    return [f"  looked for {', '.join(found['looked_for'])}", hint]


def render(answer: record.DecisionsRecord) -> str:
    """Render the record of ``next``."""
    lines: list[str] = []
    for decision in answer["decisions"]:
        lines += [*_decision(decision), ""]
    if (outlook := answer["outlook"]) and answer["decisions"]:
        lines += [foreseen(outlook), ""]
    for skipped in answer["skipped"]:
        why = next((row["why"] for row in skipped["factors"] if row["factor"] == "merge_pressure"), "merge pressure")
        lines.append(f"passed over: {_name(skipped)}  {skipped['score']:.3f}  {clean(why)}")
    if not answer["decisions"]:
        lines += _nothing(answer)
    elif lines[-1]:
        lines.append("")
    lines += _assumed(answer)
    if answer["outcome"] in {"decided", "nothing-ready"}:
        lines.append(format_counts(answer["counts"]))
    return "\n".join(lines).rstrip("\n") + "\n"


def _assumed(answer: record.DecisionsRecord) -> list[str]:
    done = answer["request"]["assumed_done"]
    return [f"what if: {', '.join(done)} {'were' if len(done) > 1 else 'was'} completed"] if done else []


def ids(answer: record.DecisionsRecord) -> str:
    """Render the picked ids alone, one a line."""
    return "".join(f"{_name(decision)}\n" for decision in answer["decisions"])


def _name(decision: record.DecisionRecord) -> str:
    return f"{decision['graph_id']}/{decision['node_id']}"


def _decision(decision: record.DecisionRecord) -> list[str]:
    title = clean(decision["title"], limit=TITLE)
    lines = [f"{_name(decision)}  {decision['score']:.3f}  {title}".rstrip()]
    lines.append(f"  {', '.join(pick_facts(decision))}")
    lines += ["", *(f"  {row}" for row in build_score_table(decision["factors"], decision["score"]))]
    if runner_up := decision["runner_up"]:
        lines += ["", f"  {lead(decision['score'], runner_up)}"]
    return lines


def pick_facts(decision: record.DecisionRecord) -> list[str]:
    """Say where a pick is done, how long it takes, and by whom."""
    facts = []
    if decision["repository"]:
        facts.append(f"repository {decision['repository']} {warmth(decision['warm'], decision['warm_agent'])}".rstrip())
    if decision["finish"]:
        facts.append("all its parts are finished: finish it")
    else:
        facts.append(format_minutes(decision["minutes"], filled=decision["minutes_filled"]))
    if decision["agent_id"]:
        facts.append(f"for {decision['agent_id']}")
    facts.append(f"assigned to {decision['assigned_to']}" if decision["assigned_to"] else "nobody assigned")
    return facts


def warmth(warm: bool, agent: str | None) -> str:  # noqa: FBT001 - the two parts of one fact
    """Say whether a repository is warm, and for whom."""
    if not warm:
        return ""
    return f"(warm for {agent})" if agent else "(warm)"


def lead(score: float, second: record.RunnerUpRecord) -> str:
    """Say by how much a pick leads, and which factors decide that."""
    name = f"{second['graph_id']}/{second['node_id']} ({second['score']:.3f})"
    if second["decided_by"] != "score":
        return f"level with {name}: {DECIDED_BY[second['decided_by']]}"
    margins = second["margins"]
    apart = measure_lead(score, second)
    if apart < 0:  # what is taken for another reason than its score, as after a look-ahead
        return f"{-apart:.3f} behind {name}"
    points = round_rows([m["points"] for m in margins], apart)
    shown = [f"{m['factor']} {value:+.3f}" for m, value in zip(margins, points, strict=True) if value]
    return f"{apart:.3f} ahead of {name}: {', '.join(shown)}"


def foreseen(found: record.OutlookRecord, show: Callable[[str], str] = str) -> str:
    """Say what a look-ahead changed, and what is gained by it; ``show`` writes an id."""
    plans = f"look-ahead over {count(found['plans'], 'plan')}"
    if not found["chosen"]:
        return f"{plans}: none is better than the plain ranking"
    gain = f"{plans}: {100 * found['gain']:.1f} % less time and waiting is expected"
    instead = ", ".join(map(show, found["instead_of"]))
    return f"{gain}, instead of {instead}" if instead else f"{gain}, beginning with the same tasks"


def _nothing(answer: record.DecisionsRecord) -> list[str]:
    counts = answer["counts"]
    match answer["outcome"]:
        case "refused":
            return ["refused: the policy cannot be trusted, so nothing is decided by it", *_errors(answer)]
        case "empty":
            return _empty(answer)
        case "all-done":
            done = [f"{counts[key]} {key}" for key in ("completed", "cancelled") if counts[key]]
            rest = ["the other graphs are not active"] if not done else []
            return [f"all done: {', '.join(done or rest)}, none open"]
        case "stuck":
            return _stuck(answer)
        case _:
            return _nothing_ready(answer)


def _errors(answer: record.DecisionsRecord) -> list[str]:
    return [f"  {clean(p['path'])}: {clean(p['message'])}" for p in answer["problems"] if p["severity"] == "error"][:3]


def _empty(answer: record.DecisionsRecord) -> list[str]:
    if answer["basis"]["inputs"]:
        return ["nothing to schedule: the task files hold no tasks"]
    return ["nothing to schedule: no task files here", *name_places(answer)]


def _stuck(answer: record.DecisionsRecord) -> list[str]:
    total, in_error = answer["counts"]["open"], answer["counts"]["in_error"]
    if not total:
        return [f"stuck: {count(in_error, 'task')} in error, no other is open"]
    lines = [f"stuck: {count(total, 'open task')}, none can ever become ready"]
    if in_error:
        lines.append(f"  {in_error} more in error")
    named = 0
    for group in answer["waiting"]:
        if group["nodes"]:
            number = len(group["nodes"]) + group["more"]
            named += number
            who = group["nodes"][0] if number == 1 else f"{number}"
            lines.append(f"  {who} {_whole(clean(group['why']), number)}")
    if total > named:
        rest = total - named
        lines.append(f"  {rest} {'waits' if rest == 1 else 'wait'}{' for these' if named else ''}")
    cycles = [p for p in answer["problems"] if p["code"] == "cycle"]
    if cycles:
        place = f"{clean(cycles[0]['path'])}:{cycles[0]['line']}"
        hint = clean(cycles[0]["hint"])
        lines.append(guard_line(f"{hint[:1].upper()}{hint[1:].rstrip('.')} ({place})."))
    return lines


def _whole(why: str, number: int) -> str:
    return why.replace("stand on a cycle", "on a cycle") if number > 1 else why


def _nothing_ready(answer: record.DecisionsRecord) -> list[str]:
    counts = answer["counts"]
    parts = [f"{counts[key]} {key}" for key in ("running", "blocked", "held", "skipped") if counts[key]]
    lines = [f"nothing ready: {', '.join(parts)}"]
    for root in answer["roots"]:
        name = f"{root['graph_id']}/{root['node_id']}"
        would = f" would free {_freed(root)}" if root["frees"] else ""
        if root["state"] == "running":
            lines.append(f"  {name} (running){would}")
        elif root["state"] == "held":
            lines.append(f"  {name} is held: {clean(root['text'])}")
        else:
            lines.append(f"  {name} {clean(root['text'])}{';' if would else ''}{would}")
    return [*lines, *deferral(answer)]


def _freed(root: record.RootRecord) -> str:
    rest = root["frees"] - len(root["freed"])
    number, others = str(root["frees"]), f" and {rest} more" if rest else ""
    if root["frees"] > 1000:  # noqa: PLR2004 - rule F9
        number, others = "1 000+", " and more"
    return f"{number}: {', '.join(root['freed'])}{others}"


TIME_SOURCES: Final = {"commit": "the commit's", "wall": "the clock", "given": "--now"}
"""Where the time of an answer comes from, in words."""


def deferral(answer: record.DecisionsRecord) -> list[str]:
    """Say until when a time gate holds, and which time that is judged by."""
    if answer["free_at"] is None:
        return []
    now, source = answer["basis"]["now"], answer["basis"]["now_source"]
    used = f"; time used: {now} ({TIME_SOURCES[source]})" if now else ""
    return [f"  the next one may begin at {answer['free_at']}{used}"]
