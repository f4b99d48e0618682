"""Collects what is wrong with one source while it is read; places are looked up once, at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.formats.reading.fields import InvalidValueError, where
from git_sched.model.graph import Spot
from git_sched.model.ids import did_you_mean, escape
from git_sched.model.problems import Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from git_sched.model.graph import Locate

MANY = 5
"""Number of problems of one kind in one file that are listed; further ones are only counted."""


class Findings:
    """The problems of one source while it is read: added by spot, placed by :meth:`problems`."""

    def __init__(self, locate: Locate) -> None:
        """Start empty; ``locate`` finds spots in the source."""
        self._locate = locate
        self._drafts: list[tuple[Spot, Severity, str, str, str, Sequence[int]]] = []
        self._unknown: dict[tuple[str, str], list[int]] = {}

    def error(self, spot: Spot, code: str, message: str, *, hint: str = "") -> None:
        """Add an error."""
        self._drafts.append((spot, "error", code, message, hint, ()))

    def warning(self, spot: Spot, code: str, message: str, *, hint: str = "", others: Sequence[int] = ()) -> None:
        """Add a warning; ``others`` are the numbers of further nodes that it is about."""
        self._drafts.append((spot, "warning", code, message, hint, others))

    def read(
        self, index: int, row: Mapping[str, object], readers: Mapping[str, Callable[[object], object]], subject: str
    ) -> tuple[dict[str, object], bool]:
        """Read the known keys of a mapping; return their values, and whether all were valid. Nulls count as absent."""
        values: dict[str, object] = {}
        sound = True
        for key, value in row.items():
            reader = readers.get(key)
            if reader is None or value is None:
                continue
            try:
                values[key] = reader(value)
            except InvalidValueError as misfit:
                sound = False
                for one in misfit.below(key):
                    item = next((step for step in one.path if isinstance(step, int)), -1)
                    text = f"{subject}: {where(one.path)} {one.message}"
                    self.error(Spot(index, key, item), one.code, text, hint=one.hint)
        return values, sound

    def unknown_keys(self, index: int, row: Mapping[str, object], known: AbstractSet[str], subject: str) -> None:
        """Warn of keys that are not read, once for each key with the number of nodes that have it."""
        if row.keys() <= known:
            return
        for key in row:
            if key not in known:
                places = self._unknown.setdefault((key, "graph" if index < 0 else "node"), [])
                places.append(index)
                if len(places) == 1:
                    hint = did_you_mean(key, known) or "it is not read; delete it, or look for a typing error"
                    self.warning(
                        Spot(index, key, at_key=True),
                        "unknown-key",
                        f"{subject} has an unknown key {escape(key)}",
                        hint=hint,
                        others=places,
                    )

    def problems(self) -> tuple[Problem, ...]:
        """Return all problems with their places."""
        if not self._drafts:
            return ()
        places = self._locate({draft[0] for draft in self._drafts})
        return tuple(
            Problem(
                severity, code, message + self._more(spot, code), *places[spot], hint, _numbers((spot.node, *others))
            )
            for spot, severity, code, message, hint, others in self._drafts
        )

    def _more(self, spot: Spot, code: str) -> str:
        if code != "unknown-key":
            return ""
        others = len(self._unknown.get((spot.key, "graph" if spot.node < 0 else "node"), ())) - 1
        return f" (as {others} more {'does' if others == 1 else 'do'})" if others > 0 else ""


def _numbers(nodes: Sequence[int]) -> tuple[int, ...]:
    """Give the numbers of nodes once each; none where the graph itself is among them."""
    return () if min(nodes) < 0 else tuple(dict.fromkeys(nodes))
