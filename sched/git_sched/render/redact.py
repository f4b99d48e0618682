"""What may be shown in public: titles and repositories as the policy's ``publish`` lets them out; ids always."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched import record

OTHER = "another repository"
"""What stands where a repository must not be named."""

_RUN: Final = re.compile(r"[\w./-]+")
_DOT: Final = re.compile(r"\.")


class Hidden(NamedTuple):
    """Repositories that must not be named in texts, kept so that many names and long texts take no long time.

    ``plain`` are those of one run of letters, digits and ``. _ - /``, with their ``lengths``; ``odd`` finds all others.
    """

    plain: frozenset[str] = frozenset()
    lengths: frozenset[int] = frozenset()
    odd: re.Pattern[str] | None = None

    def without(self, text: str) -> str:
        """Give a text in which another word stands for the hidden names."""
        if self.odd is not None:
            text = self.odd.sub(OTHER, text)
        return _RUN.sub(self._run, text) if self.plain else text

    def _run(self, found: re.Match[str]) -> str:
        """Take the longest hidden name from the beginning of a run, where it or a dot ends."""
        run = found[0]
        ends = [len(run), *(dot.start() for dot in _DOT.finditer(run))]
        named = (end for end in sorted(ends, reverse=True) if end in self.lengths and run[:end] in self.plain)
        end = next(named, None)
        return run if end is None else f"{OTHER}{run[end:]}"


class Redaction(NamedTuple):
    """Lets titles and repositories out, or not. ``hidden`` are the repositories that must not be named in texts."""

    publish: record.PublishRecord
    hidden: Hidden = Hidden()

    def title(self, text: str) -> str:
        """Give a title, or nothing."""
        return text if self.publish["titles"] else ""

    def repository(self, name: str | None) -> str | None:
        """Give a repository, or ``None`` for one that must not be named."""
        return name if name is not None and self.shows(name) else None

    def shows(self, name: str) -> bool:
        """Whether a repository may be named."""
        return self.publish["repositories"] == "all" or name == self.publish["own"]

    def words(self, text: str) -> str:
        """Give a sentence without the names that are hidden."""
        return self.hidden.without(text)

    def reason(self, kind: str, text: str) -> str:
        """Give why a task waits; what somebody wrote about a blocker is withheld as titles are."""
        withheld = kind == "blocked_by_status" and not self.publish["titles"]
        return self.words(text.partition(": ")[0] if withheld else text)


def redact(publish: record.PublishRecord, repositories: Iterable[str | None]) -> Redaction:
    """Give what lets texts out, for an answer that speaks of these repositories."""
    bare = Redaction(publish)
    names = {name for name in repositories if name and not bare.shows(name)}
    plain = frozenset(name for name in names if _RUN.fullmatch(name))
    longest_first = sorted(names - plain, key=lambda name: (-len(name), name))
    odd = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w/-])") if longest_first else None
    return Redaction(publish, Hidden(plain, frozenset(map(len, plain)), odd))


def redact_next(found: record.DecisionsRecord) -> Redaction:
    """Give what lets the texts of a decision record out."""
    rows = [*found["decisions"], *found["skipped"], *found["ranking"], *found["held"], *found["running"]]
    names = [row["repository"] for row in rows]
    return redact(found["publish"], [*names, *_repositories_in(found["signals"])])


def redact_status(found: record.StatusRecord) -> Redaction:
    """Give what lets the texts of a status out."""
    rows = [*found["ranking"], *found["held"], *found["running"], *found["blocked_tasks"]]
    return redact(found["publish"], [*(row["repository"] for row in rows), *_repositories_in(found["signals"])])


def redact_plan(found: record.ForecastRecord) -> Redaction:
    """Give what lets the texts of a forecast out."""
    return redact(found["publish"], [row["repository"] for row in (*found["tasks"], *found["unstarted"])])


def redact_diff(found: record.ComparisonRecord) -> Redaction:
    """Give what lets the texts of a comparison out."""
    sides = [side for side in (found["before"], found["after"], found["after_by_base_policy"]) if side]
    names = [pick["repository"] for side in sides for pick in side["decisions"]]
    return redact(found["publish"], [*names, *_repositories_in(found["signals"])])


def _repositories_in(signals: record.SignalsRecord) -> list[str]:
    return [*signals["merge_queue"]["depths"], *(row["repository"] for row in signals["worktrees"]["worktrees"])]
