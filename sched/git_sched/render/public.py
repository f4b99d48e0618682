"""What may be shown in public: titles and repositories as the policy's ``publish`` lets them out; ids always."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched import record

OTHER = "another repository"
"""What stands where a repository must not be named."""


class Public(NamedTuple):
    """Lets titles and repositories out, or not. ``hidden`` are the repositories that must not be named in texts."""

    publish: record.PublishRecord
    hidden: tuple[str, ...] = ()

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
        for name in self.hidden:
            text = re.sub(rf"(?<![\w./-]){re.escape(name)}(?![\w/-])", OTHER, text)
        return text


def public(publish: record.PublishRecord, repositories: Iterable[str | None]) -> Public:
    """Give what lets texts out, for an answer that speaks of these repositories."""
    bare = Public(publish)
    hidden = {name for name in repositories if name and not bare.shows(name)}
    return Public(publish, tuple(sorted(hidden, key=lambda name: (-len(name), name))))


def of_decisions(found: record.DecisionsRecord) -> Public:
    """Give what lets the texts of a decision record out."""
    rows = [*found["decisions"], *found["skipped"], *found["ranking"], *found["held"], *found["running"]]
    names = [row["repository"] for row in rows]
    return public(found["publish"], [*names, *_signalled(found["signals"])])


def of_status(found: record.StatusRecord) -> Public:
    """Give what lets the texts of a status out."""
    rows = [*found["ranking"], *found["held"], *found["running"]]
    return public(found["publish"], [*(row["repository"] for row in rows), *_signalled(found["signals"])])


def of_forecast(found: record.ForecastRecord) -> Public:
    """Give what lets the texts of a forecast out."""
    return public(found["publish"], [row["repository"] for row in (*found["tasks"], *found["never"])])


def of_comparison(found: record.ComparisonRecord) -> Public:
    """Give what lets the texts of a comparison out."""
    sides = [side for side in (found["before"], found["after"], found["after_by_base_policy"]) if side]
    names = [pick["repository"] for side in sides for pick in side["decisions"]]
    return public(found["publish"], [*names, *_signalled(found["signals"])])


def _signalled(signals: record.SignalsRecord) -> list[str]:
    return [*signals["merge_queue"]["depths"], *(row["repository"] for row in signals["worktrees"]["worktrees"])]
