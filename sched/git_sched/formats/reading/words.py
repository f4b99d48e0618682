"""Turns values of other trackers into native ones: statuses, priorities, graph ids, agents.

Files of other trackers are read less strictly than native ones. Values that decide nothing are taken as they are;
values that decide something (ids, dependencies, status) are never guessed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from git_sched.model.graph import STATUSES
from git_sched.model.ids import did_you_mean, is_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.formats.reading.findings import Findings
    from git_sched.model.graph import Spot

PRIORITIES: Final = {"critical": 4, "high": 3, "medium": 2, "low": 1, "none": 0}
"""The native priority for each name; the higher wins."""

DEFAULT_PRIORITY: Final = 2

FIRST_FEW = 5
"""Number of tasks that a summary names; the others are counted."""

_MAIL = re.compile(r"(?<=\S)\s*<[^<>]*>$")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def safe_id(text: str, *, otherwise: str) -> str:
    """Make an id of a name: a hyphen for each run of other characters; ``otherwise`` if nothing is left."""
    name = re.sub(r"\.{2,}", ".", _UNSAFE.sub("-", text)).lstrip("-.").rstrip("-")[:200]
    return name if is_id(name) else otherwise


def status_from(word: str, table: Mapping[str, str]) -> str:
    """Return the native status; an unknown one is kept, but marked if it looks like a native one."""
    known = table.get(word)
    return known or (f"{word}?" if word in STATUSES else word)


@lru_cache(maxsize=64)
def word_hint(status: str, known: tuple[str, ...]) -> str:
    """Return a hint for an unknown status: which one may be meant, and that its tasks are not offered."""
    near = did_you_mean(status.lower(), known)
    return f"{near} it may be {', '.join(known)}; until then the task is not offered".strip()


def agent(value: object) -> str | None:
    """Read the assignee of a task as the id of an agent; ``None`` if unassigned."""
    if not isinstance(value, str):
        return None
    name = _MAIL.sub("", value).strip().lstrip("@")
    return name if is_id(name) else safe_id(name, otherwise="") or None


def loose_text(value: object) -> str:
    """Read a text that decides nothing: numbers as written, all other types as an empty string."""
    if isinstance(value, str):
        return str(value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def labels(value: object) -> tuple[str, ...]:
    """Read a list of words that decide nothing; items that are neither text nor numbers are left out."""
    return tuple(text for item in value if (text := loose_text(item))) if isinstance(value, list) else ()


def count_words(names: Sequence[str]) -> str:
    """Name the first few and count the rest: ``a, b, c, d, e and 3 more``."""
    rest = f" and {len(names) - FIRST_FEW} more" if len(names) > FIRST_FEW else ""
    return ", ".join(names[:FIRST_FEW]) + rest


class Tally:
    """Collects what several tasks of one file have in common, to be reported once with a count."""

    def __init__(self) -> None:
        """Start empty."""
        self._tasks: dict[tuple[str, str, str], list[tuple[Spot, str]]] = {}

    def add(self, spot: Spot, name: str, *, code: str, message: str, hint: str = "") -> None:
        """Note that the message applies to a task, by its name."""
        self._tasks.setdefault((code, message, hint), []).append((spot, name))

    def report(self, found: Findings) -> None:
        """Warn of each message once, at the place of its first task."""
        for (code, message, hint), tasks in self._tasks.items():
            what = "1 task" if len(tasks) == 1 else f"{len(tasks)} tasks"
            names = count_words([name for _, name in tasks])
            others = [spot.node for spot, _ in tasks]
            found.warning(tasks[0][0], code, f"{what} {message}: {names}", hint=hint, others=others)
