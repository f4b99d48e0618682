"""Kiro: ``.kiro/specs/NAME/tasks.md``, a numbered checklist, one graph for each spec."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.base import Format, Parsed, file_by_file, one_file_each
from git_sched.formats.places import PLACES
from git_sched.formats.reading.checklist import (
    DONE,
    OPEN,
    Box,
    Heading,
    MarkdownLocate,
    read_checklist,
    report_unclosed,
    unknown_mark,
)
from git_sched.formats.reading.findings import Findings
from git_sched.formats.reading.sequence import SequenceStep, find_waits
from git_sched.formats.reading.text import read_text
from git_sched.formats.reading.words import Tally, safe_id
from git_sched.model.graph import FINISHED, BrokenNode, Graph, Node, Spot
from git_sched.model.ids import BAD_ID_HINT, is_id, quote, shorten
from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_sched.formats.reading.checklist import Checklist
    from git_sched.model.blob import Blob

BEGUN: Final = "-"
"""The mark of a task that Kiro is working on."""

QUEUED: Final = "~"
"""The mark of a task in Kiro's queue: Kiro queues everything that is open at once."""

OPTIONAL_PRIORITY: Final = -1

_TASK: Final = re.compile(
    r"(?:\*\*|__|(?P<lead>\\?\*))?(?:Task\s+)?(?P<id>\d+(?:\.\d+)*)[.:)]?(?P<star>\\?\*)?(?:\*\*|__)?\s+(?P<title>.*)"
)
_PARALLEL: Final = re.compile(r"\(P\)")
_DEPENDS: Final = re.compile(r"_Depends(?:\s+on)?:(?P<on>[^_\n]*)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<![\w.])(\d+(?:\.\d+)*+)\.*+(?![\w.])")


class KiroTask(NamedTuple):
    """A task line: the check box, and what its text states."""

    box: Box
    name: str
    title: str
    parallel: bool
    optional: bool
    depends_on: tuple[str, ...]


def _parse_file(blob: Blob) -> Parsed:
    text = read_text(blob)
    if isinstance(text, Problem):
        return Parsed((), (text,))
    checklist = read_checklist(text)
    tasks = _tasks(checklist)
    locate = MarkdownLocate(blob.path)
    found = Findings(locate)
    report_unclosed(checklist, found)
    if not tasks:
        if text.strip():
            found.warning(Spot(-1), "not-a-tracker", _NO_TASK, hint=_NO_TASK_HINT)
        return Parsed((), found.problems())
    graph_id = safe_id(blob.path.rpartition("/")[0].rpartition("/")[2], otherwise="spec")
    nodes, broken = _nodes(graph_id, tasks, found)
    title = next((entry.text for entry in checklist.entries if isinstance(entry, Heading)), "")
    graph = Graph(graph_id, blob.path, "kiro", locate, nodes, broken, title=title, numbered=True)
    return Parsed((graph,), found.problems())


_NO_TASK: Final = "no line of this file is a task of Kiro, a check box followed by a number"
_NO_TASK_HINT: Final = "write - [ ] 1. and what to do, or exclude the file in the policy"


def _tasks(checklist: Checklist) -> list[KiroTask]:
    boxes = (entry for entry in checklist.entries if isinstance(entry, Box) and not entry.heading)
    return [task for box in boxes if (task := _task(box)) is not None]


def _task(box: Box) -> KiroTask | None:
    found = _TASK.match(box.text)
    if found is None:
        return None
    listed = [
        shorten(number)
        for line in _DEPENDS.finditer(f"{box.text}\n{box.below}")
        for number in _NUMBER.findall(line["on"])
    ]
    title = _PARALLEL.sub("", found["title"]).replace("**", "").strip()
    title = title.removesuffix("*") if found["lead"] else title
    return KiroTask(
        box,
        shorten(found["id"]),
        title,
        parallel=_PARALLEL.search(found["title"]) is not None,
        optional=box.starred or bool(found["lead"] or found["star"]),
        depends_on=tuple(dict.fromkeys(listed)),
    )


def _nodes(graph_id: str, tasks: list[KiroTask], found: Findings) -> tuple[tuple[Node, ...], tuple[BrokenNode, ...]]:
    """Return the nodes of a file, and those in error: what cannot be an id is not offered, and what follows waits."""
    tally = Tally()
    names = {task.name for task in tasks}
    above = {task.name: _above(task.name, names) for task in tasks}
    optional = _optional(tasks, above)
    parts = {name: up for name, up in above.items() if name not in optional or up in optional}
    whole = set(parts.values())
    skipped = {task.name for task in tasks if task.box.mark in DONE}
    steps = [task.name for task in tasks if task.name not in whole]
    meant = _steps_below(tasks, steps)
    order = find_waits([[_step(task, meant, optional) for task in tasks if task.name not in whole]])
    nodes, broken = [], []
    for task in tasks:
        if not is_id(task.name):
            found.error(Spot(task.box.at), "bad-id", f"{quote(task.name)} cannot be an id", hint=BAD_ID_HINT)
            broken.append(BrokenNode(task.name, task.box.at, parts.get(task.name)))
            continue
        status = _status(graph_id, task, tally)
        if task.name in optional and above[task.name] in skipped and status != "completed":
            status = "cancelled"
        implied = () if status in {*FINISHED, "running"} else order.get(task.name, ())
        nodes.append(
            Node(
                graph_id,
                task.name,
                task.box.at,
                title=task.title,
                depends_on=tuple(dict.fromkeys((*task.depends_on, *implied))),
                status=status,
                priority=OPTIONAL_PRIORITY if task.name in optional else 0,
                labels=("optional",) if task.name in optional else (),
                parent=parts.get(task.name),
            )
        )
    tally.report(found)
    return tuple(nodes), tuple(broken)


def _optional(tasks: Sequence[KiroTask], above: Mapping[str, str | None]) -> set[str]:
    """Return the optional tasks: those with a star, and all their parts."""
    starred = {task.name for task in tasks if task.optional}
    found = set()
    for task in tasks:
        up: str | None = task.name
        while up is not None and up not in starred:
            up = above[up]
        if up is not None:
            found.add(task.name)
    return found


def _above(name: str, names: set[str]) -> str | None:
    """Return the nearest task that a number is part of: 2.1 is part of 2."""
    while name := name.rpartition(".")[0]:
        if name in names:
            return name
    return None


def _steps_below(tasks: Sequence[KiroTask], steps: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return for each number that a task depends on the steps that it means: 2 means 2.1 and 2.2."""
    found: dict[str, list[str]] = {text: [] for task in tasks for text in task.depends_on}
    for step in steps:
        name = step
        while name:
            if name in found:
                found[name].append(step)
            name = name.rpartition(".")[0]
    return found


def _step(task: KiroTask, meant: Mapping[str, Sequence[str]], optional: Collection[str]) -> SequenceStep:
    named = tuple(meant[text] for text in task.depends_on)
    return SequenceStep(task.name, task.box.mark not in DONE, task.parallel, task.name in optional, named)


def _status(graph_id: str, task: KiroTask, tally: Tally) -> str:
    mark = task.box.mark
    if mark in DONE:
        return "completed"
    if mark == BEGUN:
        return "running"
    if mark in OPEN or mark == QUEUED:
        return "pending"
    return unknown_mark(task.box, f"{graph_id}/{task.name}", tracker="Kiro", known="empty, - or x", tally=tally)


def suits(blob: Blob) -> bool:
    """Return whether a file named by the user is a checklist of Kiro."""
    text = read_text(blob) if blob.path.endswith(".md") else ""
    return isinstance(text, str) and bool(_tasks(read_checklist(text)))


parse: Final = file_by_file(_parse_file)

FORMAT: Final = Format("kiro", one_file_each(PLACES["kiro"]), suits, parse)
