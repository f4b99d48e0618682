"""The settings of Backlog.md that decide what its tasks mean: the list of statuses, the prefix of ids, priorities."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.reading.document import read_document
from git_sched.formats.reading.words import PRIORITIES, loose_text

if TYPE_CHECKING:
    from git_sched.model.blob import Blob
    from git_sched.model.problems import Problem

DEFAULT_STATUSES: Final = ("To Do", "In Progress", "Done")

_LINE: Final = re.compile(r"(?P<key>[A-Za-z_]+):[ \t]*(?P<value>.*)")
_BODY: Final = re.compile(r"(?:(?P<prefix>.+?)-)?(?P<numbers>\d+(?:\.\d+)*)")
_TOP_LEVEL: Final = 4


class Config(NamedTuple):
    """The settings: statuses, the prefix of ids in capitals, priorities, and the folder that the root file names.

    ``default`` is the status of new tasks, the first of the list if it is empty or not in the list.
    """

    statuses: tuple[str, ...] = DEFAULT_STATUSES
    prefix: str = "TASK"
    priorities: tuple[str, ...] = ()
    directory: str = ""
    default: str = ""

    def status(self, word: str) -> str | None:
        """Return the native status: those up to that of new tasks are pending, the last completed, all others running.

        An empty value is the first status; ``None`` is returned for one that is not in the list.
        """
        known = [plain(status) for status in self.statuses]
        if not plain(word):
            return "pending"
        if plain(word) not in known:
            return None
        if plain(word) == known[-1]:
            return "completed"
        new = known.index(plain(self.default)) if plain(self.default) in known else 0
        return "pending" if known.index(plain(word)) <= new else "running"

    def priority(self, word: str) -> int | None:
        """Return the native priority, ``None`` if unknown; custom names count down from the first, the highest."""
        own = [plain(name) for name in self.priorities]
        if plain(word) in PRIORITIES:
            return PRIORITIES[plain(word)]
        if plain(word) in own:
            top = min(len(own), _TOP_LEVEL)
            return max(top - own.index(plain(word)), 0)
        return None

    def canonical(self, text: str) -> str:
        """Return an id as Backlog.md compares it: prefix in capitals, zeros before a number dropped."""
        found = _BODY.fullmatch(text.strip())
        if found is None:
            return text.strip().upper()
        numbers = ".".join(part.lstrip("0") or "0" for part in found["numbers"].split("."))
        return f"{(found['prefix'] or self.prefix).upper()}-{numbers}"


def plain(word: str) -> str:
    """Return a value as Backlog.md compares it: without case and spaces."""
    return "".join(word.split()).casefold()


def read_config(blob: Blob | None) -> tuple[Config, tuple[Problem, ...]]:
    """Read a configuration; if it is not valid YAML, line by line, as Backlog.md itself does."""
    if blob is None:
        return Config(), ()
    document = read_document(blob)
    settings = document.value if isinstance(document.value, dict) else _line_by_line(blob)
    problems = tuple(problem._replace(severity="warning") for problem in document.problems)
    return (
        Config(
            _words(settings.get("statuses")) or DEFAULT_STATUSES,
            loose_text(settings.get("task_prefix")).strip().upper() or "TASK",
            _words(settings.get("priorities")),
            loose_text(settings.get("backlog_directory", settings.get("backlogDirectory"))).strip().strip("/"),
            loose_text(settings.get("default_status", settings.get("defaultStatus"))),
        ),
        problems,
    )


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str) and value.startswith("[") and value.endswith("]"):
        value = [item.strip(" \t'\"") for item in value[1:-1].split(",")]
    if not isinstance(value, list):
        return ()
    return tuple(word for item in value if (word := loose_text(item).strip()))


def _line_by_line(blob: Blob) -> dict[str, object]:
    lines = blob.data.decode(errors="replace").split("\n")
    found = (_LINE.fullmatch(line.removesuffix("\r").rstrip(" \t")) for line in lines)
    return {match["key"]: match["value"].strip("'\"") for match in found if match}
