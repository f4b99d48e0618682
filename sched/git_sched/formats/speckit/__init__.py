"""spec-kit: ``specs/NAME/tasks.md``, checklists in phases, one graph for each spec."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.base import Claim, Format, Parsed, below_any_folder, file_by_file
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
from git_sched.formats.speckit.dependencies import ID, RANGE, read_dependencies
from git_sched.model.graph import FINISHED, BrokenNode, Graph, Node, Spot
from git_sched.model.ids import BAD_ID_HINT, is_id, order_key, quote, shorten
from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from git_sched.formats.reading.checklist import Checklist
    from git_sched.model.blob import Blob

_PLACE: Final = below_any_folder(PLACES["speckit"])
_OTHERS: Final = re.compile(r"(?:.*/)?\.(?!specify/)[^/]+/specs/[^/]+/tasks\.md")
_PHASE: Final = re.compile(
    r"\W*(?:(?:phase|fase)\s+(?:\d[\d.]*[a-z]?|[a-z]|[ivx]+|one|two|three|four|five|six|seven|final)\b"
    r"|final\s+phase\b|(?:フェーズ|阶段|階段|단계)\s*\d)",
    re.IGNORECASE,
)
_TASK: Final = re.compile(
    rf"(?:[^\x00-\x7F\w\s]+\s*)?(?P<lead>(?:\[[^\]]*\]\s*)*)(?P<dress>(?:\*\*|__|~~|`|\[)*)(?P<id>{ID})"
    rf"(?:\*\*|__|~~|`|\])*(?P<more>(?:\s*(?:[-\u2013\u2014~,/+&]|\.\.|and|to|through)\s*{ID})*)"
    r"\s*[:.)\u2013\u2014-]?\s*(?P<rest>.*)"
)
_TAGS: Final = re.compile(r"\s*\[([^\]]*)\]")


class SpeckitTask(NamedTuple):
    """A task line: the check box, and what its text states.

    ``others`` are further tasks that it names besides its own id, each with the end of its range or an empty string;
    ``struck`` is true if it is struck through.
    """

    box: Box
    name: str
    others: tuple[tuple[str, str], ...]
    struck: bool
    title: str
    tags: tuple[str, ...]
    depends_on: tuple[tuple[str, str], ...]

    @property
    def parallel(self) -> bool:
        """Whether it may run in parallel with its neighbors."""
        return any(tag == "P" or tag.startswith("P ") for tag in self.tags)


def claim(paths: Iterable[str]) -> tuple[Claim, ...]:
    """Claim each list of tasks as one source, but not those that other trackers keep in hidden folders."""
    own = (path for path in paths if path.endswith("/tasks.md") and _PLACE.fullmatch(path))
    return tuple(Claim(path, (path,)) for path in sorted(own) if not _OTHERS.fullmatch(path))


def _parse_file(blob: Blob) -> Parsed:
    text = read_text(blob)
    if isinstance(text, Problem):
        return Parsed((), (text,))
    checklist = read_checklist(text)
    graph_id = safe_id(blob.path.rpartition("/")[0].rpartition("/")[2], otherwise="spec")
    locate = MarkdownLocate(blob.path)
    found, tally = Findings(locate), Tally()
    phases = _without_struck(_phases(checklist))
    report_unclosed(checklist, found)
    if not any(phases):
        if text.strip():
            found.warning(Spot(-1), "not-a-tracker", _NO_TASK, hint=_NO_TASK_HINT)
        return Parsed((), found.problems())
    names = _TaskIndex(task.name for phase in phases for task in phase)
    named = {task.box.at: tuple(_each(task, names)) for phase in phases for task in phase}
    order = find_waits([[_step(task, named[task.box.at]) for task in phase] for phase in phases])
    tasks = [task for phase in phases for task in phase]
    nodes = tuple(_node(graph_id, t, named[t.box.at], order=order, tally=tally) for t in tasks if is_id(t.name))
    broken = tuple(_broken(task, found) for task in tasks if not is_id(task.name))
    tally.report(found)
    title = next((entry.text for entry in checklist.entries if isinstance(entry, Heading)), "")
    graph = Graph(graph_id, blob.path, "speckit", locate, nodes, broken, title=title, numbered=True)
    return Parsed((graph,), found.problems())


_NO_TASK: Final = "no line of this file is a task of spec-kit, a check box followed by T and a number"
_NO_TASK_HINT: Final = "write - [ ] T001 and what to do, or exclude the file in the policy"


def _phases(checklist: Checklist) -> list[list[SpeckitTask]]:
    """Return the tasks of each phase; headings with check boxes are tasks if no list item is one.

    A line that names several tasks of the file is a summary of them, and not a task itself.
    """
    phases: list[list[SpeckitTask]] = [[]]
    for entry in checklist.entries:
        if (isinstance(entry, Heading) or entry.heading) and _PHASE.match(entry.text):
            phases.append([])
        elif isinstance(entry, Box) and (task := _task(entry)):
            phases[-1].append(task)
    tasks = [task for phase in phases for task in phase]
    if not all(task.box.heading for task in tasks):
        tasks = [task for task in tasks if not task.box.heading]
    single = _TaskIndex(task.name for task in tasks if not task.others)
    kept = {task.box.at for task in tasks if not any(single.meant(*named) for named in task.others)}
    return [[task for task in phase if task.box.at in kept] for phase in phases]


def _without_struck(phases: list[list[SpeckitTask]]) -> list[list[SpeckitTask]]:
    """Leave out each line that is struck through where another line has its id."""
    standing = {task.name for phase in phases for task in phase if not task.struck}
    return [[task for task in phase if not (task.struck and task.name in standing)] for phase in phases]


def _task(box: Box) -> SpeckitTask | None:
    found = _TASK.match(box.text)
    if found is None:
        return None
    rest = found["rest"]
    tags = _TAGS.findall(found["lead"])
    end = 0
    while tag := _TAGS.match(rest, end):
        tags.append(tag[1])
        end = tag.end()
    words = tuple(word.strip() for tag in tags for word in tag.split(",") if word.strip())
    title = rest[end:].replace("**", "").replace("~~", "").strip()
    others = tuple(RANGE.findall(found["id"] + found["more"])) if found["more"] else ()
    depends_on = read_dependencies(f"{box.text}\n{box.below}")
    return SpeckitTask(box, shorten(found["id"]), others, "~~" in found["dress"], title, words, depends_on)


class _TaskIndex:
    """The tasks of a file, looked up one by one or by range."""

    def __init__(self, names: Iterable[str]) -> None:
        keyed = sorted((order_key(name, numbered=True), name) for name in set(names))
        self._keys = [key for key, _ in keyed]
        self._names = [name for _, name in keyed]
        self._known = frozenset(self._names)

    def meant(self, first: str, last: str = "") -> Sequence[str]:
        """Return the tasks that an id or a range means; ``T005-based`` is T005, unless a task has that name."""
        if last:
            low, high = (order_key(end, numbered=True) for end in (first, last))
            return self._names[bisect_left(self._keys, low) : bisect_right(self._keys, high)]
        stem = first.rpartition("-")[0]
        return [name for name in (first, stem) if name in self._known][:1]


def _each(task: SpeckitTask, names: _TaskIndex) -> Iterator[str]:
    """Yield every task that a task names, for a range all tasks of the file within it, but never the task itself."""
    for first, last in task.depends_on:
        meant = names.meant(first, last)
        yield from (name for name in meant if name != task.name or not last)
        if not meant:
            yield from (first, last) if last else (first,)


def _step(task: SpeckitTask, named: tuple[str, ...]) -> SequenceStep:
    return SequenceStep(task.name, not task.struck and task.box.mark not in DONE, task.parallel, after=(named,))


def _node(
    graph_id: str, task: SpeckitTask, named: tuple[str, ...], *, order: Mapping[str, tuple[str, ...]], tally: Tally
) -> Node:
    status = _status(graph_id, task, tally)
    implied = () if status in FINISHED else order.get(task.name, ())
    return Node(
        graph_id,
        task.name,
        task.box.at,
        title=task.title,
        depends_on=tuple(dict.fromkeys((*named, *implied))),
        status=status,
        labels=tuple(tag for tag in task.tags if not (tag == "P" or RANGE.search(tag))),
    )


def _broken(task: SpeckitTask, found: Findings) -> BrokenNode:
    found.error(Spot(task.box.at), "bad-id", f"{quote(task.name)} cannot be an id", hint=BAD_ID_HINT)
    return BrokenNode(task.name, task.box.at)


def _status(graph_id: str, task: SpeckitTask, tally: Tally) -> str:
    mark = task.box.mark
    if mark in DONE:
        return "completed"
    if task.struck:
        return "cancelled"
    if mark in OPEN:
        return "pending"
    return unknown_mark(task.box, f"{graph_id}/{task.name}", tracker="spec-kit", known="empty or x", tally=tally)


def suits(blob: Blob) -> bool:
    """Return whether a file named by the user is a checklist of spec-kit."""
    text = read_text(blob) if blob.path.endswith(".md") else ""
    return isinstance(text, str) and any(_phases(read_checklist(text)))


parse: Final = file_by_file(_parse_file)

FORMAT: Final = Format("speckit", claim, suits, parse)
