"""The base class of all records."""

from __future__ import annotations

from typing_extensions import TypedDict  # the standard library's cannot be read for schemas before Python 3.12


class Record(TypedDict):
    """A mapping with exactly the keys its class names. Schemas take their descriptions from docstrings."""


Record.__pydantic_config__ = {"extra": "forbid", "use_attribute_docstrings": True}  # type: ignore[attr-defined]  # pydantic's own
