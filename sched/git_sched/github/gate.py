"""The gate: whether a job fails because of the decision, and with which message."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from git_sched import record


def verdict(found: record.DecisionsRecord, fail_on: str) -> str:
    """Return why the job fails, or an empty string. A refused policy fails the job unless ``fail_on`` is ``never``."""
    first = next((p for p in found["problems"] if p["severity"] == "error"), None)
    outcome = found["outcome"]
    blamed = _sentence(first) if first else ""
    if fail_on == "never":
        return ""
    if fail_on == "invalid":
        return blamed
    if outcome == "refused":
        return blamed or "the policy cannot be trusted"
    if outcome == "stuck" or (fail_on == "nothing-ready" and outcome == "nothing-ready"):
        words = "stuck: no open task can ever become ready" if outcome == "stuck" else "nothing is ready"
        root = next(iter(found["roots"]), None)
        cause = blamed or (f"{root['graph_id']}/{root['node_id']} {root['text']}" if root else "")
        return f"{words}; {cause}" if cause else words
    return ""


def _sentence(problem: record.ProblemRecord) -> str:
    place = ":".join([problem["path"], *(str(n) for n in (problem["line"], problem["column"]) if n)])
    hint = f" ({problem['hint']})" if problem["hint"] else ""
    return f"{place}: {problem['message']} [{problem['code']}]{hint}" if problem["path"] else problem["message"] + hint
