"""What a hook says after a move, in two lines: which task comes next, and what the move did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from git_sched.model.phrases import count, format_minutes
from git_sched.render.layout import TITLE, clean
from git_sched.render.text import next as next_text

if TYPE_CHECKING:
    from git_sched import record

NAMED: Final = 5
"""How many freed tasks are named."""


class MoveSummary(NamedTuple):
    """What a hook speaks of: the word for it, what became of nodes where that is its doing, and new errors."""

    word: str
    changes: record.ChangesRecord | None
    errors: int


def render(answer: record.DecisionsRecord, move: MoveSummary) -> str:
    """Render the record of ``next`` at the new commit and what the move did."""
    first = _next(answer["decisions"][0]) if answer["decisions"] else next_text.render(answer).partition("\n")[0]
    return "".join(f"sched: {line}\n" for line in (first, _done(move)) if line)


def _next(decision: record.DecisionRecord) -> str:
    facts = [clean(decision["repository"])] if decision["repository"] else []
    if decision["finish"]:
        facts.append("all its parts are finished")
    else:
        facts.append(format_minutes(decision["minutes"], filled=decision["minutes_filled"]))
    title = clean(decision["title"], limit=TITLE)
    name = f"next {decision['graph_id']}/{decision['node_id']} ({', '.join(facts)})"
    return f"{name}: {title}" if title else name


def _done(move: MoveSummary) -> str:
    finished, freed = (_number(move, "finished"), _number(move, "freed"))
    parts = [f"finished {count(finished, 'task')}"] if finished else []
    if move.changes is not None and freed:
        named = move.changes["freed"]["names"][:NAMED]
        rest = f" and {freed - len(named)} more" if freed > len(named) else ""
        parts.append(f"freed {freed if finished else count(freed, 'task')}: {', '.join(named)}{rest}")
    said = [f"this {move.word} {' and '.join(parts)}"] if parts else []
    if move.errors:
        brings = "" if parts else f"this {move.word} brings "
        said.append(f"{brings}{count(move.errors, 'new error')} in the task files: run git sched check")
    return "; ".join(said)


def _number(move: MoveSummary, kind: Literal["finished", "freed"]) -> int:
    return 0 if move.changes is None else len(move.changes[kind]["names"]) + move.changes[kind]["more"]
