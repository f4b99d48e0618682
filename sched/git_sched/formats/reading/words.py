"""Words and names of other trackers turned into ours: statuses, priorities, graph ids, agents.

Foreign files are read with more patience than native ones. What decides nothing is taken as it comes; what
decides something (ids, dependencies, status) is never guessed.
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
"""Priority words in our numbers, where the higher wins."""

DEFAULT_PRIORITY: Final = 2

FIRST_FEW = 5
"""How many tasks a summary names before it counts the others."""

_MAIL = re.compile(r"(?<=\S)\s*<[^<>]*>$")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def safe_id(text: str, *, otherwise: str) -> str:
    """Make an id of a name: a hyphen for each run of what ids may not hold; ``otherwise`` if none is left."""
    name = re.sub(r"\.{2,}", ".", _UNSAFE.sub("-", text)).lstrip("-.").rstrip("-")[:200]
    return name if is_id(name) else otherwise


def status_from(word: str, table: Mapping[str, str]) -> str:
    """Give a tracker's word for a status in ours; an unknown word stays, marked where it would pass for one of ours."""
    known = table.get(word)
    return known or (f"{word}?" if word in STATUSES else word)


@lru_cache(maxsize=64)
def word_hint(status: str, known: tuple[str, ...]) -> str:
    """Say what an unknown status may have been, and that its tasks are not served."""
    near = did_you_mean(status.lower(), known)
    return f"{near} it may be {', '.join(known)}; until then the task is not served".strip()


def agent(value: object) -> str | None:
    """Read who a task is assigned to as the id of an agent; ``None`` for nobody."""
    if not isinstance(value, str):
        return None
    name = _MAIL.sub("", value).strip().lstrip("@")
    return name if is_id(name) else safe_id(name, otherwise="") or None


def loose_text(value: object) -> str:
    """Read a text that decides nothing: numbers as they are written, all other kinds as empty."""
    if isinstance(value, str):
        return str(value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def labels(value: object) -> tuple[str, ...]:
    """Read a list of words that decide nothing; what is no text is left out."""
    return tuple(text for item in value if (text := loose_text(item))) if isinstance(value, list) else ()


def count_words(names: Sequence[str]) -> str:
    """Name the first few and count the rest: ``a, b, c, d, e and 3 more``."""
    rest = f" and {len(names) - FIRST_FEW} more" if len(names) > FIRST_FEW else ""
    return ", ".join(names[:FIRST_FEW]) + rest


class Tally:
    """Collects what several tasks of one file have in common, to be said once with a count."""

    def __init__(self) -> None:
        """Start empty."""
        self._tasks: dict[tuple[str, str, str], list[tuple[Spot, str]]] = {}

    def add(self, spot: Spot, name: str, *, code: str, message: str, hint: str = "") -> None:
        """Note that a task, by name, has what the message says."""
        self._tasks.setdefault((code, message, hint), []).append((spot, name))

    def report(self, found: Findings) -> None:
        """Warn of each message once, where its first task stands."""
        for (code, message, hint), tasks in self._tasks.items():
            what = "1 task" if len(tasks) == 1 else f"{len(tasks)} tasks"
            names = count_words([name for _, name in tasks])
            others = [spot.node for spot, _ in tasks]
            found.warning(tasks[0][0], code, f"{what} {message}: {names}", hint=hint, others=others)
