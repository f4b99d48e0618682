"""Reads a policy file: git-sched's own (``version: 1``) strictly, metagit's ``policy.json`` as metagit does."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.reading import fields
from git_sched.formats.reading.document import read_document
from git_sched.formats.reading.fields import InvalidValueError
from git_sched.formats.reading.kinds import readers_of
from git_sched.model.ids import did_you_mean, escape
from git_sched.model.policy import KEYS, METAGIT_FACTORS, METAGIT_KEYS, Policy
from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from git_sched.formats.reading.marks import Path
    from git_sched.model.blob import Blob
    from git_sched.model.problems import Severity

POLICY_PATHS: Final = tuple(f".metagit/schedule/policy.{ending}" for ending in ("yml", "yaml", "json"))


OWN_PATH, METAGIT_PATH = POLICY_PATHS[0], POLICY_PATHS[-1]
"""Where a new policy is written: git-sched's own, or the one that metagit reads as well."""


def find_conflict(present: Sequence[str]) -> Problem | None:
    """Return the problem that there is more than one policy: who reads which, and how to make them one."""
    if len(present) < 2:  # noqa: PLR2004 - one is as it should be
        return None
    own = [path for path in present if path != METAGIT_PATH]
    both = len(own) < len(present)
    message = f"there are {len(present)} policies: {', '.join(own)}"
    message += f", which git-sched alone reads, and {METAGIT_PATH}, which metagit reads too" if both else ""
    hint = "keep one of them, with the keys of both"
    if both:
        shared = ", ".join(METAGIT_KEYS)
        hint = (
            f"for both tools keep {METAGIT_PATH}: write {shared} there and delete {' and '.join(own)}; other keys need "
            '"version": 1 in it, which metagit ignores, and which its own policy set removes'
        )
    return Problem("error", "policy-conflict", message, present[0], hint=hint)


@cache
def own_readers(factors: tuple[str, ...]) -> dict[str, Callable[[object], object]]:
    """Give how each key of a policy with ``version: 1`` is read; ``factors`` are the names that may have a weight."""
    return readers_of(KEYS, factors=factors)


@cache
def metagit_readers(factors: tuple[str, ...]) -> dict[str, Callable[[object], object]]:
    """Give how each key of metagit's ``policy.json`` is read."""
    return readers_of(METAGIT_KEYS, factors=factors)


class _Unplaced(NamedTuple):
    """A problem that still needs its place: the path that leads to a value or, with ``at_key``, to its key."""

    path: Path
    severity: Severity
    code: str
    message: str
    hint: str
    at_key: bool = False


class PolicyRead(NamedTuple):
    """A policy as read; ``policy`` is ``None`` where a problem makes it untrustworthy."""

    policy: Policy | None
    problems: tuple[Problem, ...]


def parse(blob: Blob, *, factors: tuple[str, ...]) -> PolicyRead:
    """Read a policy file; any error refuses it whole, since a decision by a wrong policy is worse than none.

    ``factors`` are the names that may have a weight.
    """
    document = read_document(blob)
    if not document.readable:
        return PolicyRead(None, document.problems)
    drafts: list[_Unplaced] = []
    values = _values(document.value, factors, is_json=blob.path.endswith(".json"), drafts=drafts)
    places = document.places({(draft.path, draft.at_key) for draft in drafts})
    problems = (
        *document.problems,
        *(Problem(d.severity, d.code, d.message, *places[d.path, d.at_key], hint=d.hint) for d in drafts),
    )
    if any(p.severity == "error" for p in problems):
        return PolicyRead(None, problems)
    return PolicyRead(Policy(**{**values, "path": blob.path}), problems)  # type: ignore[arg-type]  # the readers


def _values(root: object, factors: tuple[str, ...], *, is_json: bool, drafts: list[_Unplaced]) -> dict[str, object]:
    """Read what a policy file holds, by the readers of whose policy it is."""
    if not isinstance(root, dict):
        held = "nothing" if root is None else fields.kind(root)
        message = f"a policy is a mapping; this file holds {held}"
        drafts.append(_Unplaced((), "error", "wrong-type", message, "begin with version: 1"))
        return {}
    if root.get("version") is not None:
        return _read(root, own_readers(factors), drafts)
    if is_json:
        known = _known_to_metagit(root, factors, drafts)
        return {"version": None, "preset": "rfc-0012", **_read(known, metagit_readers(factors), drafts)}
    hint = "add version: 1 as its first line"
    drafts.append(_Unplaced((), "error", "missing-key", "the policy has no version", hint))
    return {}


def _read(
    root: Mapping[str, object], readers: Mapping[str, Callable[[object], object]], drafts: list[_Unplaced]
) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in root.items():
        if key not in readers:
            hint = did_you_mean(key, readers) or f"known keys: {', '.join(readers)}"
            drafts.append(_Unplaced((key,), "error", "unknown-key", f"unknown key {escape(key)}", hint, at_key=True))
        elif value is not None:
            try:
                values[key] = readers[key](value)
            except InvalidValueError as misfit:
                for one in misfit.below(key):
                    text = f"{fields.where(one.path)} {one.message}"
                    at_key = one.code == "unknown-key"
                    drafts.append(_Unplaced(one.path, "error", one.code, text, one.hint, at_key=at_key))
    return values


def _known_to_metagit(
    root: Mapping[str, object], factors: tuple[str, ...], drafts: list[_Unplaced]
) -> dict[str, object]:
    """Drop what metagit does not know, each with a warning."""
    ours = {*own_readers(factors), *factors}

    def keep(table: object, known: tuple[str, ...], path: Path) -> object:
        if not isinstance(table, dict):
            return table
        for key in table:
            if key not in known:
                own = " (git-sched's own keys need version: 1)" if key in ours else ""
                hint = (did_you_mean(key, known) or "metagit passes it over, and so does git-sched") + own
                text = f"unknown key {escape(key)}"
                drafts.append(_Unplaced((*path, key), "warning", "unknown-key", text, hint, at_key=True))
        return {key: value for key, value in table.items() if key in known}

    found = keep(root, tuple(metagit_readers(factors)), ())
    kept: dict[str, object] = dict(found) if isinstance(found, dict) else {}
    if "weights" in kept:
        kept["weights"] = keep(kept["weights"], METAGIT_FACTORS, ("weights",))
    overrides = kept.get("graph_overrides")
    if isinstance(overrides, dict):
        kept["graph_overrides"] = {
            graph_id: keep(table, METAGIT_FACTORS, ("graph_overrides", graph_id))
            for graph_id, table in overrides.items()
        }
    return kept
