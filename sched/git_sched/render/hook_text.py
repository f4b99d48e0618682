"""What a hook says after a move, in two lines: which task comes next, and what the move did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.render import next_text
from git_sched.render.plain import TITLE, clean
from git_sched.wording import count, minutes_text

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.hooks.change import Change

NAMED: Final = 5
"""How many freed tasks are named."""


def render(answer: record.DecisionsRecord, change: Change, *, word: str) -> str:
    """Render the record of ``next`` at the new commit and the change from the old one."""
    first = next_text.render(answer).partition("\n")[0] if not answer["decisions"] else _next(answer["decisions"][0])
    return "".join(f"sched: {line}\n" for line in (first, _change(change, word)) if line)


def _next(decision: record.DecisionRecord) -> str:
    facts = [clean(decision["repository"])] if decision["repository"] else []
    if decision["finish"]:
        facts.append("all its parts are finished")
    else:
        facts.append(minutes_text(decision["minutes"], filled=decision["minutes_filled"]))
    title = clean(decision["title"], limit=TITLE)
    name = f"next {decision['graph_id']}/{decision['node_id']} ({', '.join(facts)})"
    return f"{name}: {title}" if title else name


def _change(change: Change, word: str) -> str:
    number = len(change.freed)
    parts = []
    if change.finished:
        parts.append(f"finished {count(len(change.finished), 'task')}")
    if number:
        rest = number - NAMED
        named = ", ".join(change.freed[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
        tasks = str(number) if change.finished else count(number, "task")
        parts.append(f"freed {tasks}: {named}")
    said = [f"this {word} {' and '.join(parts)}"] if parts else []
    if change.errors:
        brings = "" if parts else f"this {word} brings "
        said.append(f"{brings}{count(change.errors, 'new error')} in the task files: run git sched check")
    return "; ".join(said)
