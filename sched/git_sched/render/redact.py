"""Removes titles and repositories that the policy's ``publish`` does not allow to be shown; ids are always shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched import record

OTHER = "another repository"
"""The words in place of a repository that must not be named."""

_RUN: Final = re.compile(r"[\w./-]+")
_DOT: Final = re.compile(r"\.")


class Hidden(NamedTuple):
    """Repositories that must not be named in texts, stored so that many names and long texts take little time.

    ``plain`` are those of one run of letters, digits and ``. _ - /``, with their ``lengths``; ``odd`` finds all others.
    """

    plain: frozenset[str] = frozenset()
    lengths: frozenset[int] = frozenset()
    odd: re.Pattern[str] | None = None

    def without(self, text: str) -> str:
        """Replace the hidden names in a text."""
        if self.odd is not None:
            text = self.odd.sub(OTHER, text)
        return _RUN.sub(self._run, text) if self.plain else text

    def _run(self, found: re.Match[str]) -> str:
        """Replace the longest hidden name that begins a run and ends at a dot or at its end."""
        run = found[0]
        ends = [len(run), *(dot.start() for dot in _DOT.finditer(run))]
        named = (end for end in sorted(ends, reverse=True) if end in self.lengths and run[:end] in self.plain)
        end = next(named, None)
        return run if end is None else f"{OTHER}{run[end:]}"


class Redaction(NamedTuple):
    """What can be shown of titles and repositories. ``hidden`` are the repositories that must not be named in texts."""

    publish: record.PublishRecord
    hidden: Hidden = Hidden()

    def title(self, text: str) -> str:
        """Return a title, or an empty text if titles are hidden."""
        return text if self.publish["titles"] else ""

    def repository(self, name: str | None) -> str | None:
        """Return a repository, or ``None`` if it must not be named."""
        return name if name is not None and self.shows(name) else None

    def shows(self, name: str) -> bool:
        """Whether a repository can be named."""
        return self.publish["repositories"] == "all" or name == self.publish["own"]

    def words(self, text: str) -> str:
        """Return a sentence without the names that are hidden."""
        return self.hidden.without(text)

    def reason(self, kind: str, text: str) -> str:
        """Return why a task waits; a blocker's reason, which people write, is hidden like titles."""
        withheld = kind == "blocked_by_status" and not self.publish["titles"]
        return self.words(text.partition(": ")[0] if withheld else text)


def redact(publish: record.PublishRecord, repositories: Iterable[str | None]) -> Redaction:
    """Build the redaction of an answer that names these repositories."""
    bare = Redaction(publish)
    names = {name for name in repositories if name and not bare.shows(name)}
    plain = frozenset(name for name in names if _RUN.fullmatch(name))
    longest_first = sorted(names - plain, key=lambda name: (-len(name), name))
    odd = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w/-])") if longest_first else None
    return Redaction(publish, Hidden(plain, frozenset(map(len, plain)), odd))


def redact_next(found: record.DecisionsRecord) -> Redaction:
    """Build the redaction of a decision record."""
    rows = [*found["decisions"], *found["skipped"], *found["ranking"], *found["held"], *found["running"]]
    names = [row["repository"] for row in rows]
    return redact(found["publish"], [*names, *_repositories_in(found["signals"])])


def redact_status(found: record.StatusRecord) -> Redaction:
    """Build the redaction of a status."""
    rows = [*found["ranking"], *found["held"], *found["running"], *found["blocked_tasks"]]
    return redact(found["publish"], [*(row["repository"] for row in rows), *_repositories_in(found["signals"])])


def redact_plan(found: record.ForecastRecord) -> Redaction:
    """Build the redaction of a forecast."""
    return redact(found["publish"], [row["repository"] for row in (*found["tasks"], *found["unstarted"])])


def redact_diff(found: record.ComparisonRecord) -> Redaction:
    """Build the redaction of a comparison."""
    sides = [side for side in (found["before"], found["after"], found["after_by_base_policy"]) if side]
    names = [pick["repository"] for side in sides for pick in side["decisions"]]
    return redact(found["publish"], [*names, *_repositories_in(found["signals"])])


def _repositories_in(signals: record.SignalsRecord) -> list[str]:
    return [*signals["merge_queue"]["depths"], *(row["repository"] for row in signals["worktrees"]["worktrees"])]
