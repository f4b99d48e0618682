"""Reads one issue of beads from its line: what it is, whether it is work at all, and what it waits for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.reading import fields
from git_sched.formats.reading.words import DEFAULT_PRIORITY, agent, labels, loose_text, status_from, word_hint
from git_sched.model.graph import STATUSES, BrokenNode, Node, Spot
from git_sched.model.ids import is_id, quote
from git_sched.model.times import parse_time

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_sched.formats.beads.lines import IssueLine
    from git_sched.formats.reading.findings import Findings
    from git_sched.formats.reading.words import Tally

STATUS: Final = {
    "open": "pending",
    "in_progress": "running",
    "hooked": "running",
    "blocked": "blocked",
    "deferred": "blocked",
    "closed": "completed",
    "pinned": "completed",
}
"""The native status for each status of beads; others are kept. An issue without a status is open."""

GONE: Final = "tombstone"
"""The status of a deleted issue."""

NO_WORK: Final = frozenset({"merge-request", "gate", "molecule", "message", "agent", "role", "rig"})
"""Issue types that ``bd ready`` never lists."""

NO_TIME: Final = "0001-"
"""How Go's zero time begins, which means no time."""

MANY_MINUTES: Final = 1e9

BLOCKING: Final = frozenset({"blocks", "conditional-blocks"})
PART_OF: Final = "parent-child"
WAITS_FOR: Final = "waits-for"
FREE_WORDS: Final = frozenset(
    {
        "related", "discovered-from", "replies-to", "relates-to", "duplicates", "supersedes", "authored-by",
        "assigned-to", "approved-by", "attests", "tracks", "until", "caused-by", "validates", "delegated-from",
    }
)  # fmt: skip
"""The edge types of beads that block nothing."""


class Edge(NamedTuple):
    """One entry of an issue's dependencies; ``item`` is its index in the file, from 0."""

    target: str
    kind: str
    item: int
    any_child: bool = False


P0 = 4
"""What the most urgent of the five priorities, P0 to P4, counts as."""


class Issue(NamedTuple):
    """An issue: its node without edges, its edges, why it is not work (or an empty string), when it was changed.

    For a deleted issue that reason is :data:`GONE`.
    """

    node: Node
    edges: tuple[Edge, ...]
    no_work: str
    changed: tuple[int, str] | None


def read_issue(line: IssueLine, graph_id: str, found: Findings, *, tally: Tally) -> Issue | BrokenNode | None:
    """Read a line as an issue; ``None`` if it is something else."""
    row = line.row
    if row.get("_type", "issue") != "issue":
        return None
    raw_id = row.get("id")
    if raw_id is None:
        found.error(Spot(line.at), "missing-key", f"an issue of {graph_id} has no id", hint="give it one")
        return BrokenNode(None, line.at, _whole(row, ""))
    known_id = raw_id if isinstance(raw_id, str) and is_id(raw_id) else None
    values, sound = found.read(line.at, row, _STRICT, f"{graph_id}/{known_id}" if known_id else "an issue")
    if known_id is None or not sound:
        return BrokenNode(known_id, line.at, _whole(row, known_id or ""))
    spots = _IssueReader(line, f"{graph_id}/{known_id}", tally)
    edges: tuple[Edge, ...] = values.get("dependencies", ())  # type: ignore[assignment]  # as _STRICT reads it
    spots.check_words(edges)
    node = Node(
        graph_id,
        known_id,
        line.at,
        title=loose_text(row.get("title")),
        status=spots.status(values.get("status")),
        priority=(priority := spots.priority()),
        priority_text=f"P{P0 - priority}" if row.get("priority") is not None else None,
        estimated_minutes=spots.minutes(),
        agent_id=agent(row.get("assignee")),
        due=spots.moment("due_at", end_of_day=True),
        created_at=spots.moment("created_at"),
        deferred_until=spots.moment("defer_until"),
        labels=labels(row.get("labels")),
    )
    return Issue(node, edges, _no_work(row), _changed(row.get("updated_at")))


def _whole(row: dict[str, object], issue_id: str) -> str | None:
    """Give the issue that one in error is part of, by its first such edge, else by its id: ``x.1`` is part of ``x``."""
    listed = row.get("dependencies")
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict) and one.get("type", one.get("dependency_type")) == PART_OF:
            target = one.get("depends_on_id", one.get("id"))
            return target.strip() if isinstance(target, str) else None
    return issue_id.rpartition(".")[0] or None


def _no_work(row: dict[str, object]) -> str:
    if row.get("status") == GONE:
        return GONE
    if isinstance(kind := row.get("issue_type"), str) and kind in NO_WORK:
        return f"it is of type {kind}"
    for flag in ("pinned", "ephemeral", "is_template"):
        if row.get(flag) is True:
            return f"it is marked {flag}"
    return ""


def _changed(value: object) -> tuple[int, str] | None:
    """Read a time as seconds since 1970 and the digits of its fraction, which tell the newer of two records."""
    moment = parse_time(value) if isinstance(value, str) else None
    if moment is None or not isinstance(value, str):
        return None
    digits = value.partition(".")[2]
    return moment, digits[: len(digits) - len(digits.lstrip("0123456789"))]


class _IssueReader:
    """Reads the values of one issue that are not read strictly, and notes what is unexpected about them."""

    def __init__(self, line: IssueLine, name: str, tally: Tally) -> None:
        self._line = line
        self._name = name
        self._tally = tally

    def _note(self, key: str, code: str, message: str, hint: str, *, item: int = -1) -> None:
        self._tally.add(Spot(self._line.at, key, item), self._name, code=code, message=message, hint=hint)

    def status(self, word: object) -> str:
        status = status_from(str(word or "open"), STATUS)
        if status not in STATUSES and status != GONE:
            message = f"with the unknown status {quote(str(word), limit=40)}"
            self._note("status", "unknown-word", message, word_hint(str(word), tuple(STATUS)))
        return status

    def priority(self) -> int:
        value = self._line.row.get("priority")
        if type(value) is int and 0 <= value <= P0:
            return P0 - value
        if value is not None:
            hint = "it may be 0, the most urgent, to 4; until then it counts as 2"
            self._note("priority", "unknown-word", f"whose priority is {fields.kind(value)}", hint)
        return DEFAULT_PRIORITY

    def minutes(self) -> float | None:
        value = self._line.row.get("estimated_minutes")
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < MANY_MINUTES:
            return float(value)
        if value is not None and value != 0:
            message = f"whose estimated_minutes is {fields.kind(value)}"
            self._note("estimated_minutes", "negative-estimate", message, "it counts as absent")
        return None

    def moment(self, key: str, *, end_of_day: bool = False) -> int | None:
        value = self._line.row.get(key)
        if not value:
            return None
        found = parse_time(value, end_of_day=end_of_day) if isinstance(value, str) else None
        if found is None:
            message = f"whose {key} is {fields.kind(value)}, not a time"
            self._note(key, "wrong-type", message, "write 2026-11-03T09:30:00Z; it counts as absent")
        return None if str(value).startswith(NO_TIME) else found

    def check_words(self, edges: tuple[Edge, ...]) -> None:
        for edge in edges:
            if edge.kind not in BLOCKING and edge.kind not in FREE_WORDS and edge.kind not in {PART_OF, WAITS_FOR}:
                message = f"with a dependency of the unknown type {quote(edge.kind, limit=40)}"
                hint = "it holds nothing back, as in beads; write blocks if it should"
                self._note("dependencies", "unknown-word", message, hint, item=edge.item)


def _edge(value: object) -> tuple[str, str, bool]:
    row = fields.mapping(value)
    target = row.get("depends_on_id", row.get("id"))
    if not isinstance(target, str) or not target.strip():
        raise fields.InvalidValueError(
            "wrong-type", "has no depends_on_id that is text", hint="name the issue it waits for"
        )
    kind = row.get("type", row.get("dependency_type"))
    if kind is not None and not isinstance(kind, str):
        raise fields.InvalidValueError("wrong-type", f"has a type that is {fields.kind(kind)}", hint="write blocks")
    return target.strip(), kind or "blocks", _is_any_gate(row.get("metadata"))


def _is_any_gate(metadata: object) -> bool:
    if isinstance(metadata, str) and "any-children" in metadata:
        try:
            metadata = json.loads(metadata)
        except (ValueError, RecursionError):
            return False
    return isinstance(metadata, dict) and metadata.get("gate") == "any-children"


def _edges(value: object) -> tuple[Edge, ...]:
    read = fields.sequence(_edge)(value)
    return tuple(Edge(target, kind, item, any_child) for item, (target, kind, any_child) in enumerate(read))


_STRICT: Final[dict[str, Callable[[object], object]]] = {
    "id": fields.identifier,
    "status": fields.text,
    "dependencies": _edges,
}
"""The keys that decide what is offered; their values are never guessed. A null counts as absent."""
