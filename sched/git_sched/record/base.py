"""The base class of all records, and what several of them hold."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # the standard library's cannot be read for schemas before Python 3.12

Outcome = Literal["decided", "nothing-ready", "stuck", "all-done", "empty", "refused"]
"""Whether tasks were picked, and if not, why not."""


class Record(TypedDict):
    """A mapping with exactly the keys its class names. Schemas take their descriptions from docstrings."""


Record.__pydantic_config__ = {"extra": "forbid", "use_attribute_docstrings": True}  # type: ignore[attr-defined]  # pydantic's own
