"""Renders what a hook prints after a move of HEAD, in at most two lines: what the move did, and what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.model.phrases import count, join_words
from git_sched.render.diff_sentences import count_tasks, describe_broken, name_files, write_counts
from git_sched.render.layout import TITLE, clean
from git_sched.render.outcome import describe_nothing
from git_sched.render.tasks import format_task_size, name_task, shorten_name

if TYPE_CHECKING:
    from git_sched import record

NAMED: Final = 5
"""Number of freed tasks that are named."""


class MoveSummary(NamedTuple):
    """What a hook reports: the word for the move, the changes to tasks that the move made, and new errors."""

    word: str
    changes: record.ChangesRecord | None
    errors: int


def render(answer: record.DecisionsRecord, move: MoveSummary) -> str:
    """Render the record of ``next`` at the new commit and what the move did; what breaks comes first."""
    first = _next(answer) if answer["decisions"] else describe_nothing(answer)
    lines = [first, _done(move, qualified=answer["qualified"])]
    if move.changes and move.changes["broken"]:
        lines = [_broken(move.word, move.changes["broken"]), first]
    return "".join(f"sched: {line}\n" for line in lines if line)


def _next(answer: record.DecisionsRecord) -> str:
    decision = answer["decisions"][0]
    facts = [clean(decision["repository"])] if decision["repository"] else []
    facts += [size] if (size := format_task_size(decision)) and not decision["finish"] else []
    facts += ["all its parts are finished"] if decision["finish"] else []
    title = clean(decision["title"], limit=TITLE)
    name = name_task(decision["graph_id"], decision["node_id"], qualified=answer["qualified"])
    about = f" ({', '.join(facts)})" if facts else ""
    return f"next {name}{about}{f': {title}' if title else ''}"


def _broken(word: str, broken: list[record.BrokenFileRecord]) -> str:
    return f"this {word} breaks {describe_broken(broken, clean)}; git sched check says why"


def _done(move: MoveSummary, *, qualified: bool) -> str:
    parts: list[str] = []
    if move.changes is not None:
        parts = write_counts(move.changes, past=True, only=("finished", "freed"))
        freed = move.changes["freed"]
        names = [shorten_name(task["name"], qualified=qualified) for task in freed["tasks"][:NAMED]]
        more = count_tasks(freed) - len(names)
        if names:
            parts[-1] += f": {', '.join(names)}{f' and {more} more' if more else ''}"
        if move.changes["deleted"]:
            parts.insert(0, f"deleted {name_files(move.changes['deleted'], clean)}")
    lines = [f"this {move.word} {join_words(parts)}"] if parts else []
    if move.errors:
        brings = "" if parts else f"this {move.word} brings "
        lines.append(f"{brings}{count(move.errors, 'new error')} in the task files: git sched check")
    return "; ".join(lines)
