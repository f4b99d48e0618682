"""The renderers of each kind of record, by the name that ``--format`` takes. A new one is a file and a line here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

RENDERERS: Final[dict[str, dict[str, str]]] = {
    "decision": {
        "text": "next_text:render",
        "ids": "next_text:ids",
        "json": "as_json:render",
        "jsonl": "jsonl:render",
        "env": "env:render",
        "metagit": "metagit_list:render",
        "dispatch-plan": "dispatch_plan:render",
        "summary": "summary:render",
        "markdown": "summary:render",
        "outputs": "outputs:render",
        "matrix": "matrix:render",
        "mermaid": "mermaid:render",
        "github": "annotations:of_decisions",
        "html": "decision_html:render",
    },
    "status": {
        "text": "status_text:render",
        "ids": "status_text:ids",
        "json": "as_json:render",
        "html": "status_html:render",
    },
    "forecast": {
        "text": "forecast_text:render",
        "ids": "forecast_text:ids",
        "json": "as_json:render",
        "html": "forecast_html:render",
    },
    "explanation": {"text": "explain_text:render", "json": "as_json:render"},
    "comparison": {
        "text": "diff_text:render",
        "ids": "diff_text:ids",
        "json": "as_json:render",
        "comment": "comment:render",
        "summary": "comment:render",
        "markdown": "comment:render",
        "outputs": "outputs:render",
        "matrix": "matrix:render",
        "github": "annotations:of_comparison",
    },
    "verification": {"text": "verify_text:render", "json": "as_json:render"},
    "policy": {"text": "policy_text:render", "json": "as_json:render"},
    "check": {"text": "check_text:render", "json": "as_json:render", "github": "annotations:render"},
}
"""Kind of record, name of the format, and the module and function that render it; imported when first used."""


def renderer(kind: str, name: str) -> Callable[[Any], str]:
    """Give the function that renders a kind of record in a format."""
    module, _, function = RENDERERS[kind][name].partition(":")
    found: Callable[[Any], str] = getattr(import_module(f"git_sched.render.{module}"), function)
    return found
