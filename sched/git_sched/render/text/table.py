"""Lays out tables of tasks: id, title, repository, size and note, as far as the screen is wide enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.render.layout import TITLE, clean
from git_sched.render.tasks import format_task_size, name_task, shorten_name
from git_sched.render.terminal import BOLD, cut, measure, pad, paint, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_sched import record
    from git_sched.model.screen import Screen

GAP: Final = 2
"""Spaces between two columns."""

SHORTEST: Final = 20
"""The smallest width of a title, in columns, on a narrow screen."""


class Row(NamedTuple):
    """A task of a table; ``lead`` is put before its name, ``style`` is that of the note."""

    name: str
    title: str
    repository: str = ""
    size: str = ""
    note: str = ""
    lead: str = ""
    style: str = ""
    picked: bool = False


NAME: Final = 420
"""The largest number of characters of a full name that are printed: more than two ids have."""


def write_name(name: str, *, qualified: bool) -> str:
    """Write a full name as ids are written in this answer; it is harmless even in a forged record."""
    return clean(shorten_name(name, qualified=qualified), limit=NAME)


def build_row(task: record.TaskRecord, *, qualified: bool, note: str = "", lead: str = "", style: str = "") -> Row:
    """Build the row of a task with everything that is known of it."""
    return Row(
        name_task(task["graph_id"], task["node_id"], qualified=qualified),
        clean(task["title"], limit=TITLE),
        clean(task["repository"] or ""),
        format_task_size(task),
        clean(note),
        lead,
        style,
    )


class _Columns(NamedTuple):
    """The widths of a table's columns; 0 for an empty one."""

    lead: int
    name: int
    title: int
    repository: int
    size: int


def lay_out(rows: Sequence[Row], screen: Screen, *, indent: str) -> list[str]:
    """Lay rows out in columns.

    A row that is too long for the screen loses, in this order: its note, which is put below, its repository, its size,
    and the end of its title. Names are never cut.
    """
    if not rows:
        return []
    columns = _measure(rows, screen, len(indent))
    return [line for row in rows for line in _lay_out(row, columns, screen, indent)]


def _measure(rows: Sequence[Row], screen: Screen, indent: int) -> _Columns:
    lead, name, title, repository, size = (
        max(map(measure, cells))
        for cells in zip(*((row.lead, row.name, row.title, row.repository, row.size) for row in rows), strict=True)
    )
    if screen.width is not None:
        others = sum(width + GAP for width in (lead, name, repository, size) if width)
        title = max(0, min(title, screen.width - indent - others))
    return _Columns(lead, name, title, repository, size)


def _lay_out(row: Row, columns: _Columns, screen: Screen, indent: str) -> list[str]:
    cells = [(row.lead, columns.lead), (row.name, columns.name), *_fit(row, columns, screen, len(indent))]
    plain = indent + (" " * GAP).join(pad(text, width) for text, width in cells if width)
    start = len(indent) + (columns.lead + GAP if columns.lead else 0)
    end = start + len(row.name)
    line = f"{plain[:start]}{paint(row.name, BOLD, screen)}{plain[end:]}" if row.picked else plain
    if not row.note:
        return [line.rstrip()]
    whole = measure(row.title) <= columns.title
    if screen.width is None or (whole and measure(plain) + GAP + measure(row.note) <= screen.width):
        return [f"{line}{' ' * GAP}{paint(row.note, row.style, screen)}"]
    below = f"{indent}{' ' * 2 * GAP}"
    return [
        line.rstrip(),
        *(paint(text, row.style, screen) for text in wrap(row.note, screen, first=below, rest=below)),
    ]


def _fit(row: Row, columns: _Columns, screen: Screen, indent: int) -> list[tuple[str, int]]:
    """Return what fits of title, repository and size, each with its width in columns."""
    size = (row.size, columns.size)
    if measure(row.title) <= columns.title:
        return [(row.title, columns.title), (row.repository, columns.repository), size]
    without = columns.title + columns.repository + (GAP if columns.repository and columns.title else 0)
    if measure(row.title) <= without:
        return [(row.title, without), size]
    before = indent + sum(width + GAP for width in (columns.lead, columns.name) if width)
    rest = max(SHORTEST, (screen.width or 0) - before)
    title = cut(row.title, rest)
    return [(title, measure(title))]
