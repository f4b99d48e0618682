"""What the steps of an ordered list wait for, where the order itself is the only dependency.

Only open steps have edges, and only edges that others do not imply: a completed step blocks nothing, and if every step
of a long list named all before it, the number of edges would grow with its square.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")

MANY: Final = 200
"""Number of steps that may run in parallel in one phase; a further one waits for them: no team is that large."""


class SequenceStep(NamedTuple):
    """One step: whether it is open, may run in parallel with its neighbors, and is optional (nothing waits for it).

    ``after`` are the steps that it explicitly depends on, in groups that several steps may share.
    """

    name: str
    is_open: bool
    parallel: bool = False
    optional: bool = False
    after: tuple[Sequence[str], ...] = ()


def find_waits(phases: Iterable[Sequence[SequenceStep]]) -> dict[str, tuple[str, ...]]:
    """Return for each open step the open steps that it waits for.

    A phase waits for all phases before it. Inside a phase a step waits for all steps before it, a parallel one only
    for the last step before it that is not parallel. Nothing waits for an optional step. An open step that names a
    later one is moved behind it: an explicit dependency takes precedence over the order of the list.
    """
    found: dict[str, tuple[str, ...]] = {}
    before: tuple[str, ...] = ()
    for phase in _moved([tuple(phase) for phase in phases]):
        ends: list[str] = []
        serial = ""
        for step in phase:
            beside = step.parallel and len(ends) < MANY
            if not step.is_open:
                serial = serial if step.parallel or step.optional else ""
                continue
            needs = ((serial,) if serial else before) if beside else (tuple(ends) or before)
            found.setdefault(step.name, needs)
            if step.optional:
                continue
            if beside:
                if ends == [serial]:
                    ends.clear()
                ends.append(step.name)
            else:
                serial, ends = step.name, [step.name]
        before = tuple(ends) or before
    return found


class _Missing:
    """The open steps that have no place yet; however often a group is looked at, each step of it is passed once."""

    def __init__(self, names: set[str]) -> None:
        self._names = names
        self._passed: dict[int, int] = {}

    def place(self, name: str) -> None:
        self._names.discard(name)

    def first(self, groups: Sequence[Sequence[str]]) -> str | None:
        """Return the first step of these groups that has no place yet."""
        group = self._skip(groups, lambda one: self._skip(one, self._names.__contains__) is not None)
        return None if group is None else self._skip(group, self._names.__contains__)

    def _skip(self, rows: Sequence[T], is_missing: Callable[[T], bool]) -> T | None:
        """Return the first row that is missing, from where the last look at these rows ended: a place is for good."""
        at = self._passed.get(id(rows), 0)
        while at < len(rows) and not is_missing(rows[at]):
            at += 1
        self._passed[id(rows)] = at
        return rows[at] if at < len(rows) else None


def _moved(phases: Sequence[Sequence[SequenceStep]], cycles: frozenset[str] = frozenset()) -> list[list[SequenceStep]]:
    """Move each open step behind the last one that it names; steps that name each other in a cycle are not moved."""
    missing = _Missing({step.name for phase in phases for step in phase if step.is_open} - cycles)
    held: dict[str, list[SequenceStep]] = {}
    moved: list[list[SequenceStep]] = []
    for phase in phases:
        moved.append([])
        for step in phase:
            stack = [step]
            while stack:
                one = stack.pop()
                named = () if not one.is_open or one.name in cycles else one.after
                later = missing.first(named)
                if later is not None:
                    held.setdefault(later, []).append(one)
                    continue
                moved[-1].append(one)
                missing.place(one.name)
                stack.extend(reversed(held.pop(one.name, ())))
    stuck = frozenset(step.name for steps in held.values() for step in steps)
    return _moved(phases, cycles | stuck) if stuck else moved
