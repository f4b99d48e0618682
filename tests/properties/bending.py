"""Records of every kind, as the cases and commands give them, and copies of them bent in some places."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import yaml

from decide.test_cases import CASES, _Plain
from git_sched.model.json_codec import dump
from git_sched.render import RENDERERS
from git_sched.report.check import build_check
from git_sched.report.diff import build_comparison
from git_sched.report.explain import build_explanation
from git_sched.report.next import build_next
from git_sched.report.plan import build_forecast
from git_sched.report.policy import build_policy
from git_sched.report.status import build_status
from git_sched.schemas import schema
from git_sched.workspace.stored_records import LARGEST
from properties.test_hostile import HOSTILE
from report.test_comparisons import CASES as COMPARISONS
from report.test_comparisons import COMPARED, by_base_policy
from scenes import answer_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from git_sched.decide.pipeline import Answer

Record = dict[str, Any]
Place = tuple[str | int, ...]

KINDS: Final = sorted(RENDERERS)


# The records: those of every case, and what commands print of the example


def of_answer(answer: Answer) -> Iterator[Mapping[str, Any]]:
    """Give the records that are made of an answer."""
    policy = answer.metrics.policy
    yield build_next(answer)
    yield build_status(answer, sources=(("g.json", "native", ("g",)),), log_rows=({"node": "g/a", "at": "then"},))
    yield build_check(answer, answer.problems)
    yield build_forecast(answer)
    yield from (build_explanation(answer, node.name) for node in answer.metrics.network.nodes[:8])
    yield {
        "schema_version": 1, "kind": "policy", "path": policy.path, "presets": {"in_force": policy.preset},
        "policy": build_policy(policy) if answer.inputs.policy else {}, "problems": [],
    }  # fmt: skip


def of_comparison(case: Record) -> Mapping[str, Any]:
    """Give the record of a change."""
    after = {"request": {"limit": 3}, **case["after"]}
    before = {"request": {"limit": 3}, **case["before"]} if "before" in case else None
    own = by_base_policy(before, after) if before else None
    old = answer_to(before) if before else None
    return build_comparison(
        old, answer_to(after), by_base_policy=own, compared=COMPARED, missing=case.get("missing", "")
    )


def all_records() -> Iterator[Mapping[str, Any]]:
    """Give records of every kind."""
    for path in CASES:
        yield from of_answer(answer_to(yaml.load(path.read_bytes(), Loader=_Plain)))  # noqa: S506 - a safe loader
    for path in COMPARISONS:
        yield of_comparison(yaml.safe_load(path.read_bytes()))
    yield from schema("verification")["examples"]
    yield from schema("release")["examples"]


@cache
def records() -> dict[str, list[Record]]:
    """Give them by kind, as a reader of their JSON has them."""
    found: dict[str, list[Record]] = {kind: [] for kind in KINDS}
    for record in all_records():
        found[record["kind"]].append(json.loads(dump(record)))
    return found


# Places within records, and what may be put there


def places(value: object, here: Place = ()) -> Iterator[Place]:
    """Give every place of a record but the whole."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*here, key)
        yield from places(item, (*here, key))


def at(value: Any, place: Place) -> Any:  # noqa: ANN401 - JSON has no type
    """Give what stands at a place."""
    for key in place:
        value = value[key]
    return value


WORDS: Final = (
    "", "x", "a/b", "2026-11-02T09:00:00Z", "2026-11-02T09:00:00Z\n", "held", "ready", "running", "skipped", "picked",
    "assigned_to", "collision", "redispatch", "limits", "waits_for", "container", "cycle", "blocked_by_status",
    "unknown_dependency", "decided", "refused", "stuck", "empty", "nothing-ready", "all-done", "score", "id", "own",
    "error", "warning", "missing", "agent", "room", "urgency", "merge_pressure", "affinity",
)  # fmt: skip
"""Words that some key or other knows."""

NUMBERS: Final = (0, 1, -1, 2, 7, -9, 1000, 0.5, -0.0, 1e-320, 1e-9, 1234567, 10**14, LARGEST, -LARGEST)
OTHERS: Final[tuple[object, ...]] = (
    None, True, 2**70, 10**16, 1e308, -1e308, float("nan"), float("inf"), "", "x", [], {}, [None], [""], [[]],
    {"x": 1}, {"\u202e": 1}, {"": None},
)  # fmt: skip


def bent(record: Record, dice: Random) -> Record:
    """Give a copy of a record that is bent in one to three places."""
    found = deepcopy(record)
    somewhere = list(places(record))
    for _ in range(dice.randint(1, 3)):
        place, other = dice.choice(somewhere), at(record, dice.choice(somewhere))
        with suppress(LookupError, TypeError):  # the place may have gone by another change
            bend(at(found, place[:-1]), place[-1], other, dice)
    return found


def bend(holder: Any, key: str | int, other: object, dice: Random) -> None:  # noqa: ANN401 - JSON has no type
    """Bend what stands under a key; ``other`` is what stands in another place."""
    match dice.randrange(12):
        case 0:
            del holder[key]
        case 1:
            holder[key] = deepcopy(other)
        case 2:
            holder[key] = dice.choice(OTHERS)
        case 3 if isinstance(holder, dict):
            holder[dice.choice(["extra", "kind", "::error::x", "\u202e"])] = other
        case _:
            holder[key] = another(holder[key], dice)


def another(value: object, dice: Random) -> object:
    """Give another value of the same type, or nothing."""
    match value:
        case bool():
            return not value
        case int() | float():
            return type(value)(dice.choice(NUMBERS))
        case str():
            return dice.choice([dice.choice(WORDS), f"x{dice.choice(HOSTILE)}", f"{dice.choice(HOSTILE)} x"])
        case list() if value:
            return dice.choice([[], value[:1], value[1:], value * 2, value[:1] * 300])
        case dict() if value:
            return {**value, f"x{dice.choice(HOSTILE)}": next(iter(value.values()))}
        case _:
            return None


def kinds_of_places(record: Record) -> dict[Place, Place]:
    """Give the places of texts, one of each kind: items of a list are alike."""
    found: dict[Place, Place] = {}
    for place in places(record):
        if isinstance(at(record, place), str):
            found.setdefault(tuple("*" if isinstance(key, int) else key for key in place), place)
    return found


@cache
def texts(kind: str) -> tuple[tuple[Record, Place], ...]:
    """Give each kind of text that records of a kind have, with the first record that has it."""
    found: dict[Place, tuple[Record, Place]] = {}
    for record in records()[kind]:
        for alike, place in kinds_of_places(record).items():
            found.setdefault(alike, (record, place))
    return tuple(found.values())


def saying(record: Record, place: Place, text: str) -> bytes:
    """Give the bytes of a record that says something at a place."""
    found = deepcopy(record)
    at(found, place[:-1])[place[-1]] = text
    return json.dumps(found).encode()
