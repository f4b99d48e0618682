"""Renders the outputs of a step as GitHub's runner reads them from a file: names, and values between delimiters."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Literal

from git_sched.model.ids import is_id
from git_sched.render.data.matrix import EMPTY, matrix, picks
from git_sched.render.redact import redact_diff, redact_next

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched import record
    from git_sched.render.redact import Redaction

BasisKind = Literal["merged", "proposed"]

_SAFE: Final = re.compile(r"[A-Za-z0-9_ .,:;()/%+-]*")

TITLE: Final = 200
"""The largest number of characters of a title in ``next-json``."""


def render(found: record.DecisionsRecord | record.ComparisonRecord) -> str:
    """Render a record as outputs: a decision as merged work, a comparison as proposed."""
    return lines(values(found, basis_kind="merged" if found["kind"] == "decision" else "proposed"))


def values(
    found: record.DecisionsRecord | record.ComparisonRecord, *, basis_kind: BasisKind, for_proposed: bool = False
) -> list[tuple[str, str]]:
    """Return the names and values of the outputs.

    For proposed work ``next``, ``next-json``, ``matrix`` and ``has-work`` say that there is nothing to do, unless
    ``for_proposed`` is true. All but ``next-json`` consist of ids, numbers and fixed words.
    """
    tells = basis_kind == "merged" or for_proposed
    rows = picks(found)
    first = rows[0] if rows and tells else None
    outcome = found["outcome"] if found["kind"] == "decision" else found["after"]["outcome"]
    return [
        ("next", f"{first['graph_id']}/{first['node_id']}" if first else ""),
        ("next-json", _json(found, first) if first else ""),
        ("matrix", matrix(rows) if tells else EMPTY),
        ("has-work", "true" if first else "false"),
        ("count", str(len(rows))),
        ("outcome", outcome),
        ("reason", _reason(found, rows, outcome)),
        ("basis-kind", basis_kind),
    ]


def lines(pairs: Iterable[tuple[str, str]]) -> str:
    """Write outputs in the delimiter form; the delimiter is the digest of the value, which is not one of its lines."""
    return "".join(f"{name}<<{_end(value)}\n{value}\n{_end(value)}\n" for name, value in pairs)


def _end(value: str) -> str:
    # No value that contains its own digest can be found.
    return f"end-{sha256(value.encode(errors='surrogatepass')).hexdigest()}"


def _json(found: record.DecisionsRecord | record.ComparisonRecord, first: record.PickRecord) -> str:
    """Return the first pick as JSON in ASCII on one line, without its commands."""
    shows = _redact(found)
    values = {
        "decision_id": first["decision_id"],
        "graph_id": first["graph_id"],
        "node_id": first["node_id"],
        "title": shows.title(first["title"])[:TITLE],
        "repository": shows.repository(first["repository"]),
        "agent_id": first["agent_id"],
        "why": _safe_why(shows, first),
        "score": first["score"],
        "minutes": first["minutes"],
        "finish": first["finish"],
        "points": {row["factor"]: row["points"] for row in first["factors"][:20] if is_id(row["factor"])},
    }
    return json.dumps(values, separators=(",", ":"))


def _reason(
    found: record.DecisionsRecord | record.ComparisonRecord, rows: list[record.PickRecord], outcome: str
) -> str:
    """Say, in ids, numbers and fixed words, why the first pick comes first, or what the outcome is."""
    if rows:
        return _safe_why(_redact(found), rows[0])
    counts = found["counts"] if found["kind"] == "decision" else found["after"]["counts"]
    parts = [f"{counts[key]} {key}" for key in ("running", "blocked", "held", "in_error", "completed") if counts[key]]
    return f"{outcome}: {', '.join(parts)}" if parts else outcome


def _redact(found: record.DecisionsRecord | record.ComparisonRecord) -> Redaction:
    return redact_next(found) if found["kind"] == "decision" else redact_diff(found)


def _safe_why(shows: Redaction, row: record.PickRecord) -> str:
    """Return the sentence that says why if all its characters are safe, else an empty text."""
    text = shows.words(row["why"])
    return text if _SAFE.fullmatch(text) else ""
