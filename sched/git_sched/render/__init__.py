"""Renders records; each format is a module, found by kind of record and the name that ``--format`` takes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

RENDERERS: Final[dict[str, dict[str, str]]] = {
    "decision": {
        "text": "text.next:render",
        "ids": "text.next:ids",
        "json": "data.as_json:render",
        "jsonl": "data.as_json:render_lines",
        "env": "data.env:render",
        "metagit": "data.as_json:render_metagit",
        "dispatch-plan": "data.dispatch_plan:render",
        "summary": "markdown.summary:render",
        "markdown": "markdown.summary:render",
        "outputs": "data.outputs:render",
        "matrix": "data.matrix:render",
        "mermaid": "markdown.mermaid:render",
        "github": "data.annotations:of_decisions",
        "html": "html.next:render",
    },
    "status": {
        "text": "text.status:render",
        "ids": "text.status:ids",
        "json": "data.as_json:render",
        "html": "html.status:render",
    },
    "forecast": {
        "text": "text.plan:render",
        "ids": "text.plan:ids",
        "json": "data.as_json:render",
        "html": "html.plan:render",
    },
    "explanation": {"text": "text.explain:render", "json": "data.as_json:render"},
    "comparison": {
        "text": "text.diff:render",
        "ids": "text.diff:ids",
        "json": "data.as_json:render",
        "comment": "markdown.comment:render",
        "summary": "markdown.comment:render",
        "markdown": "markdown.comment:render",
        "outputs": "data.outputs:render",
        "matrix": "data.matrix:render",
        "github": "data.annotations:of_comparison",
    },
    "release": {"text": "text.release:render", "json": "data.as_json:render"},
    "verification": {"text": "text.verify:render", "json": "data.as_json:render"},
    "policy": {"text": "text.policy:render", "json": "data.as_json:render"},
    "check": {"text": "text.check:render", "json": "data.as_json:render", "github": "data.annotations:render"},
}
"""By kind of record and name of the format, the module and function that render it; imported when first used."""


ON_SCREEN: Final = frozenset({
    "decision", "status", "forecast", "explanation", "release", "verification", "policy", "check",
})  # fmt: skip
"""Kinds of record whose text depends on the screen it is printed on: their text renderers take a screen as well."""


def renderer(kind: str, name: str) -> Callable[..., str]:
    """Import the function that renders a kind of record in a format.

    Raises:
        KeyError: there is no such kind, or it has no such format.
    """
    module, _, function = RENDERERS[kind][name].partition(":")
    found: Callable[..., str] = getattr(import_module(f"git_sched.render.{module}"), function)
    return found
